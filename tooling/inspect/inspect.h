// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module file does when it runs, read out of the file alone: which commands it records, in
// which order, over which bytes of which buffers; its kernels; and what each byte of the file is for.
//
//   archive + verified functions --flow.c--> objects, steps, commands --memory.c--> lifetimes
//                                 kernels.c (ELF images)   sizes.c (bytes)   --json.c--> JSON, page.c
//
// Programs are followed by abstract interpretation: a register holds one known number, one known
// object, a choice of a few objects, or anything. What is not known is said to be so; nothing is
// guessed. Files may be hostile: functions are verified before, images are read with bounds checks,
// and following stops at a budget of steps.
#ifndef TOOLING_INSPECT_INSPECT_H_
#define TOOLING_INSPECT_INSPECT_H_

#include "base/arena.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/vm/bytecode/archive.h"

// ---- kernels -----------------------------------------------------------------------------------

// Access of a kernel to a binding, as far as the file says.
#define INSPECT_READS 1u
#define INSPECT_WRITES 2u

typedef struct inspect_kernel_t {
  iree_string_view_t name;
  uint64_t offset;  // in the image
  uint64_t size;    // with constants that lie behind the code
  uint64_t address;
  uint32_t binding_count, constant_count;
  bool has_counts;
  uint64_t reads, writes;      // bit per binding; both 0: not said
  iree_string_view_t sources;  // places in the source, "model.mlir:3:8 :4:10", or empty
  iree_string_view_t assembly; // lines, where a disassembler was there
} inspect_kernel_t;

typedef struct inspect_image_t {
  uint32_t rodata;
  iree_const_byte_span_t data;
  const char *machine;  // "x86-64", "AArch64", ...; NULL: no ELF file
  const char *note;     // why kernels are not told apart, or NULL
  const char *disassembly;  // why there is none, or NULL
  inspect_kernel_t *kernels;  // by ordinal
  uint32_t n_kernels;
} inspect_image_t;

// Reads the kernels of an executable image.
void inspect_image_read(iree_const_byte_span_t data, iree_arena_t *arena, inspect_image_t *image);

// ---- programs ----------------------------------------------------------------------------------

// A number that is known, or not.
typedef struct inspect_amount_t {
  bool is_known;
  uint64_t value;
} inspect_amount_t;

typedef enum inspect_object_kind_e {
  OBJECT_NONE,
  OBJECT_NULL,
  OBJECT_ANY,
  OBJECT_ARGUMENT,    // index: of the function's arguments
  OBJECT_RODATA,      // index
  OBJECT_VIEW,        // of: buffer
  OBJECT_BUFFER,
  OBJECT_COMMANDS,
  OBJECT_EXECUTABLE,  // of: rodata of the image
  OBJECT_LOOKUP,      // of: executable, name: rodata
  OBJECT_FILE,        // of: rodata
  OBJECT_CHOICE,      // one of a few
  OBJECT_OTHER,
} inspect_object_kind_t;

typedef enum inspect_origin_e {
  ORIGIN_UNKNOWN,
  ORIGIN_VIEW,       // of: the view
  ORIGIN_TRANSIENT,  // allocated and freed in queue order
  ORIGIN_ALLOCATED,
  ORIGIN_CONSTANT,   // of: rodata
  ORIGIN_SUBSPAN,    // of: buffer
} inspect_origin_t;

enum { INSPECT_MAX_CHOICES = 4 };
struct inspect_command_t;
typedef struct inspect_object_t {
  inspect_object_kind_t kind;
  inspect_origin_t origin;
  uint32_t function, pc;  // where it is made
  uint32_t of, name, index;
  inspect_amount_t offset, size;
  uint32_t choices[INSPECT_MAX_CHOICES], n_choices;
  // Commands.
  bool is_one_shot;
  inspect_amount_t capacity;
  struct inspect_command_t *commands;
  uint32_t n_commands, cap_commands, n_waves;
  bool wave_is_open;  // something was recorded since the last barrier
} inspect_object_t;

// A range of a buffer or of what a slot is bound to.
typedef struct inspect_use_t {
  uint32_t buffer;  // object; OBJECT_NULL: the slot's
  inspect_amount_t slot, offset, length;
  uint32_t access;  // 0: not said
} inspect_use_t;

typedef enum inspect_command_kind_e {
  COMMAND_DISPATCH,
  COMMAND_COPY,
  COMMAND_FILL,
  COMMAND_UPDATE,
  COMMAND_COLLECTIVE,
} inspect_command_kind_t;

// Control flow around what happens.
#define INSPECT_IN_LOOP 1u
#define INSPECT_ON_SOME_PATHS 2u

typedef struct inspect_command_t {
  inspect_command_kind_t kind;
  uint32_t function, pc, flow, wave;
  uint32_t executable;       // object
  uint32_t lookup;           // object, or 0 and then |ordinal|
  inspect_amount_t ordinal;
  bool is_indirect;          // workgroup counts are read from a buffer
  inspect_amount_t grid[3];
  inspect_amount_t *constants;
  uint32_t n_constants;
  inspect_use_t *uses;
  uint32_t n_uses;
} inspect_command_t;

typedef enum inspect_step_kind_e {
  STEP_ALLOCA,
  STEP_DEALLOCA,
  STEP_ALLOCATE,
  STEP_IMPORT,
  STEP_EXECUTE,
  STEP_COMMAND,  // one command without command buffer
  STEP_READ,
  STEP_WRITE,
  STEP_HOST_READ,
  STEP_HOST_WRITE,
  STEP_WAIT,
  STEP_CALL,
  STEP_OTHER,    // of another module
} inspect_step_kind_t;

typedef struct inspect_step_t {
  inspect_step_kind_t kind;
  uint32_t pc, flow;
  uint32_t buffer;              // object
  inspect_amount_t bytes;
  bool is_host;                 // memory of the host that devices see: staging
  uint32_t commands;            // object
  inspect_use_t *table;         // the binding table
  uint32_t n_table;
  inspect_command_t command;
  uint32_t callee;              // function
  iree_string_view_t import;
} inspect_step_t;

typedef struct inspect_function_t {
  iree_string_view_t name;
  uint32_t bytes;
  bool is_exported;
  bool is_followed;             // within the budget
  inspect_step_t *steps;
  uint32_t n_steps, cap_steps;
  uint32_t *results;            // objects returned
  uint32_t n_results;
} inspect_function_t;

typedef struct inspect_t inspect_t;

// ---- memory over time --------------------------------------------------------------------------

// Bytes of a buffer that hold a value from one tick to another, both included.
typedef struct inspect_piece_t {
  uint64_t offset, length;
  uint32_t first, last;
} inspect_piece_t;

typedef struct inspect_tenant_t {
  uint32_t object;
  inspect_amount_t bytes;
  bool is_allocated;     // by this function, so it counts
  bool is_host;          // and so it doesn't
  bool is_vague;         // some uses do not say whether they read or write: pieces are what each tick touches
  uint32_t first, last;  // ticks
  inspect_piece_t *pieces;
  uint32_t n_pieces, cap_pieces;
  uint32_t n_unplaced;   // uses at offsets that only running tells
} inspect_tenant_t;

// A wave of a command buffer, or one command without.
typedef struct inspect_tick_t {
  uint32_t function, step, wave;
  uint64_t allocated_bytes;  // by the function
  uint64_t live_bytes;       // of those, that hold a value
} inspect_tick_t;

typedef struct inspect_timeline_t {
  inspect_tick_t *ticks;
  uint32_t n_ticks, cap_ticks;
  inspect_tenant_t *tenants;
  uint32_t n_tenants, cap_tenants;
  uint64_t peak_bytes;
  const char *inexact;  // why the peak is a lower bound only, or NULL
  bool is_vague;        // live bytes are not known, as some tenant is vague
} inspect_timeline_t;

// What a call of a function does to memory, calls of other functions included.
void inspect_timeline(const inspect_t *self, uint32_t function, iree_arena_t *arena,
                      inspect_timeline_t *out);

// ---- bytes of the file -------------------------------------------------------------------------

typedef struct inspect_size_t {
  iree_string_view_t name;
  const char *cause;  // "code", "kernel", "constant", "table", "container"; NULL: of its children
  uint64_t bytes;     // all children together for an inner node
  struct inspect_size_t *children;
  uint32_t n_children, cap_children;
} inspect_size_t;

struct inspect_t {
  iree_arena_t *arena;
  const vmfb_archive_t *archive;
  iree_vm_module_t *module;
  iree_string_view_t file_name;
  inspect_object_t *objects;
  uint32_t n_objects, cap_objects;
  inspect_function_t *functions;
  uint32_t n_functions;
  inspect_image_t *images;
  uint32_t n_images;
  inspect_size_t sizes;
  const char *stopped;  // why following the program stopped early, or NULL
};

// Reads everything. |module| is the archive's, loaded: its functions are verified.
//   owns:   |out| borrows all arguments; what it holds lives in |arena|
//   errors: INVALID_ARGUMENT  not a bytecode module;  RESOURCE_EXHAUSTED  no memory
iree_status_t inspect_module(const vmfb_archive_t *archive, iree_vm_module_t *module,
                             iree_string_view_t file_name, iree_arena_t *arena, inspect_t *out);

// Parts of it.
iree_status_t inspect_flow(inspect_t *self);
iree_status_t inspect_sizes(inspect_t *self);

// The object of |kind| that |object| is for certain, or 0.
uint32_t inspect_resolve(const inspect_t *self, uint32_t object, inspect_object_kind_t kind);
// The image of an executable and the kernel that a dispatch runs; NULL where it is not known.
const inspect_image_t *inspect_image_of(const inspect_t *self, uint32_t executable);
const inspect_kernel_t *inspect_kernel_of(const inspect_t *self, const inspect_command_t *command);
iree_string_view_t inspect_rodata_text(const inspect_t *self, uint32_t object);

// Fills in the assembly of kernels by way of |tool|, an iree-compile; "auto" looks beside this program
// and on PATH, "none" does nothing. What the tool cannot do is left out and said in the images.
//   errors: NOT_FOUND  a tool that was named is not there;  UNKNOWN  it fails
iree_status_t inspect_disassemble(inspect_t *self, iree_string_view_t tool);

// ---- output ------------------------------------------------------------------------------------

iree_status_t inspect_append_json(const inspect_t *self, iree_string_view_t source,
                                  iree_string_builder_t *builder);
// A page that needs nothing but itself. |source| is the program's text, for the lines it names.
iree_status_t inspect_append_page(const inspect_t *self, iree_string_view_t source,
                                  iree_string_builder_t *builder);

#endif  // TOOLING_INSPECT_INSPECT_H_
