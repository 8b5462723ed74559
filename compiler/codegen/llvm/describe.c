// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a scheduled kernel for what the note of kernels says: which bindings its loads and stores
// touch, and the places of the source that its location names.
#include "compiler/codegen/llvm/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/elf_note.h"

enum { MAX_PLACES = 24, MAX_BINDINGS = 64, MAX_DEPTH = 64 };

//===-- bindings -----------------------------------------------------------------------------------

// What is done to a memref by those who use it; views of it count as itself.
static uint8_t access_of(const ir_value_t *memref, int depth) {
  uint8_t access = 0;
  for (const ir_use_t *use = memref->uses; use && depth < MAX_DEPTH; use = use->next) {
    const ir_op_t *user = use->user;
    bool is_view = false;
    for (uint32_t r = 0; r < user->n_results; ++r) {
      if (!ir_is(ir_result(user, r)->type, IR_T_MEMREF)) continue;
      is_view = true;
      access |= access_of(ir_result(user, r), depth + 1);
    }
    if (is_view) continue;
    if (!user->n_results) access |= IREE_ELF_NOTE_KERNEL_WRITES;
    else access |= IREE_ELF_NOTE_KERNEL_READS;
    if (!strncmp(ir_op_name(user), "memref.atomic", 13)) access |= IREE_ELF_NOTE_KERNEL_WRITES;
  }
  return access;
}

static iree_status_t visit_binding(ir_op_t *op, void *self) {
  uint8_t *access = self;
  if (strcmp(ir_op_name(op), "hal.interface.binding.subspan") != 0) return iree_ok_status();
  int64_t binding = ir_op_int(op, "binding", -1);
  if (binding >= 0 && binding < MAX_BINDINGS) access[binding] |= access_of(ir_result(op, 0), 0);
  return iree_ok_status();
}

//===-- sources ------------------------------------------------------------------------------------

typedef struct {
  ir_loc_t places[MAX_PLACES];
  uint32_t n, n_more, n_visits;
} places_t;

static void add_places(places_t *p, ir_loc_t loc, int depth) {
  if (!loc || depth > MAX_DEPTH || ++p->n_visits > 4096) return;
  if (loc->kind == IR_L_FUSED || loc->kind == IR_L_NAME || loc->kind == IR_L_CALLSITE) {
    for (uint32_t i = 0; i < loc->n_kids && (loc->kind != IR_L_CALLSITE || i == 0); ++i) {
      if (ir_kid(loc, i) && ir_kid(loc, i)->kind >= IR_L_UNKNOWN) add_places(p, ir_kid(loc, i), depth + 1);
    }
    return;
  }
  if (loc->kind != IR_L_FILE) return;
  for (uint32_t i = 0; i < p->n; ++i)
    if (p->places[i] == loc) return;
  if (p->n == MAX_PLACES) ++p->n_more;
  else p->places[p->n++] = loc;
}

static void append(char **text, size_t *n, const char *more, size_t n_more) {
  *text = realloc(*text, *n + n_more + 1);
  if (!*text) abort();
  memcpy(*text + *n, more, n_more);
  *n += n_more;
}

iree_const_byte_span_t kernel_describe(const ir_op_t *func, uint32_t binding_count,
                                       ir_loc_t *inout_file) {
  uint8_t access[MAX_BINDINGS] = {0};
  iree_status_ignore(ir_walk((ir_op_t *)func, visit_binding, access));
  if (binding_count > MAX_BINDINGS) binding_count = MAX_BINDINGS;
  // A kernel may load what it stored itself; whether it needs what was there before is noted.
  uint64_t in_place = (uint64_t)ir_op_int(func, "in_place_bindings", 0);
  for (uint32_t i = 0; i < binding_count; ++i) {
    if (!(access[i] & IREE_ELF_NOTE_KERNEL_WRITES)) continue;
    access[i] = IREE_ELF_NOTE_KERNEL_WRITES | (in_place >> i & 1 ? IREE_ELF_NOTE_KERNEL_READS : 0);
  }
  char *text = NULL;
  size_t n = 0;
  char head[1 + MAX_BINDINGS / 4] = {(char)binding_count};
  for (uint32_t i = 0; i < binding_count; ++i) head[1 + i / 4] |= (char)(access[i] << i % 4 * 2);
  append(&text, &n, head, 1 + (binding_count + 3) / 4);
  places_t places = {.n = 0};
  add_places(&places, func->loc, 0);
  for (uint32_t i = 0; i < places.n; ++i) {
    ir_loc_t place = places.places[i];
    bool same = *inout_file && !strcmp(ir_bytes(*inout_file), ir_bytes(place));
    if (i) append(&text, &n, " ", 1);
    if (!same) append(&text, &n, ir_bytes(place), strlen(ir_bytes(place)));
    *inout_file = place;
    char at[48];
    int size = snprintf(at, sizeof(at), ":%" PRId64 ":%" PRId64, ir_int(place, 0), ir_int(place, 1));
    append(&text, &n, at, (size_t)size);
  }
  char more[24];
  if (places.n_more) append(&text, &n, more, (size_t)snprintf(more, sizeof(more), " +%u", places.n_more));
  append(&text, &n, "", 1);
  return iree_make_const_byte_span((uint8_t *)text, n);
}
