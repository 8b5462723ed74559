// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs made by hand: when bytes are live, and what the peak is.
#include "base/test.h"
#include "tooling/inspect/inspect.h"

enum { SLAB = OBJECT_ANY + 1, COMMANDS, N_OBJECTS };

static inspect_amount_t known(uint64_t value) { return (inspect_amount_t){true, value}; }
static inspect_use_t use(uint64_t offset, uint64_t length, uint32_t access) {
  return (inspect_use_t){SLAB, {false, 0}, known(offset), known(length), access};
}

// A slab of 96 bytes and one submission of |n| commands, one use each; the wave is the command's.
typedef struct program_t {
  iree_arena_t arena;
  inspect_object_t objects[N_OBJECTS];
  inspect_command_t commands[8];
  inspect_use_t uses[8];
  inspect_step_t steps[3];
  inspect_function_t function;
  inspect_t self;
} program_t;
static void make(program_t *p, const inspect_use_t *uses, const uint32_t *waves, uint32_t n) {
  *p = (program_t){0};
  iree_arena_init(&p->arena);
  for (uint32_t i = 0; i < n; ++i) {
    p->uses[i] = uses[i];
    p->commands[i] = (inspect_command_t){.kind = COMMAND_FILL, .wave = waves[i], .uses = &p->uses[i], .n_uses = 1};
  }
  for (uint32_t i = 0; i <= OBJECT_ANY; ++i) p->objects[i].kind = (inspect_object_kind_t)i;
  p->objects[SLAB] = (inspect_object_t){.kind = OBJECT_BUFFER, .origin = ORIGIN_TRANSIENT, .size = known(96)};
  p->objects[COMMANDS] = (inspect_object_t){.kind = OBJECT_COMMANDS, .commands = p->commands, .n_commands = n, .n_waves = waves[n - 1] + 1};
  p->steps[0] = (inspect_step_t){.kind = STEP_ALLOCA, .buffer = SLAB, .bytes = known(96)};
  p->steps[1] = (inspect_step_t){.kind = STEP_EXECUTE, .commands = COMMANDS};
  p->steps[2] = (inspect_step_t){.kind = STEP_DEALLOCA, .buffer = SLAB};
  p->function = (inspect_function_t){.steps = p->steps, .n_steps = 3, .is_followed = true};
  p->self = (inspect_t){.arena = &p->arena, .objects = p->objects, .n_objects = N_OBJECTS, .functions = &p->function, .n_functions = 1};
}

TEST(bytes_live_from_a_write_to_the_last_read) {
  program_t p;
  inspect_timeline_t t;
  const inspect_use_t uses[] = {use(0, 32, INSPECT_WRITES), use(32, 32, INSPECT_WRITES), use(0, 32, INSPECT_READS), use(32, 32, INSPECT_READS)};
  const uint32_t waves[] = {0, 1, 1, 3};
  make(&p, uses, waves, 4);
  inspect_timeline(&p.self, 0, &p.arena, &t);
  ASSERT_EQ(t.n_ticks, 4u);
  ASSERT_EQ(t.peak_bytes, 96u);
  ASSERT(t.inexact == NULL);
  const uint64_t live[] = {32, 64, 32, 32};
  for (int i = 0; i < 4; ++i) ASSERT_EQ(t.ticks[i].live_bytes, live[i]);
  ASSERT_EQ(t.tenants[0].n_pieces, 2u);
  iree_arena_deinit(&p.arena);
}

TEST(a_second_write_is_a_second_value) {
  program_t p;
  inspect_timeline_t t;
  const inspect_use_t uses[] = {use(0, 16, INSPECT_WRITES), use(0, 16, INSPECT_READS), use(0, 16, INSPECT_WRITES), use(0, 16, INSPECT_READS)};
  const uint32_t waves[] = {0, 1, 3, 4};
  make(&p, uses, waves, 4);
  inspect_timeline(&p.self, 0, &p.arena, &t);
  ASSERT_EQ(t.tenants[0].n_pieces, 2u);
  ASSERT_EQ(t.ticks[2].live_bytes, 0u);
  ASSERT_EQ(t.ticks[3].live_bytes, 16u);
  iree_arena_deinit(&p.arena);
}

TEST(what_is_updated_in_place_lives_on) {
  program_t p;
  inspect_timeline_t t;
  const inspect_use_t uses[] = {use(0, 64, INSPECT_WRITES), use(16, 16, INSPECT_READS | INSPECT_WRITES), use(0, 64, INSPECT_READS)};
  const uint32_t waves[] = {0, 1, 2};
  make(&p, uses, waves, 3);
  inspect_timeline(&p.self, 0, &p.arena, &t);
  ASSERT_EQ(t.tenants[0].n_pieces, 1u);
  ASSERT_EQ(t.tenants[0].pieces[0].length, 64u);
  iree_arena_deinit(&p.arena);
}

TEST(uses_that_do_not_say_what_they_do_make_no_values) {
  program_t p;
  inspect_timeline_t t;
  const inspect_use_t uses[] = {use(0, 16, INSPECT_WRITES), use(0, 16, 0)};
  const uint32_t waves[] = {0, 0};
  make(&p, uses, waves, 2);
  inspect_timeline(&p.self, 0, &p.arena, &t);
  ASSERT(t.is_vague && t.tenants[0].is_vague);
  ASSERT_EQ(t.ticks[0].live_bytes, 0u);
  iree_arena_deinit(&p.arena);
}

TEST(unknown_sizes_make_a_lower_bound) {
  program_t p;
  inspect_timeline_t t;
  const inspect_use_t uses[] = {use(0, 16, INSPECT_WRITES)};
  const uint32_t waves[] = {0};
  make(&p, uses, waves, 1);
  p.steps[0].bytes.is_known = false;
  p.uses[0].offset.is_known = false;
  inspect_timeline(&p.self, 0, &p.arena, &t);
  ASSERT(t.inexact != NULL);
  ASSERT_EQ(t.tenants[0].n_unplaced, 1u);
  iree_arena_deinit(&p.arena);
}

TEST(images_that_lie_have_no_kernels) {
  iree_arena_t arena;
  iree_arena_init(&arena);
  uint8_t bytes[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  bytes[54] = 56, bytes[56] = 0xFF, bytes[57] = 0xFF;  // program headers far beyond the end
  inspect_image_t image = {0};
  inspect_image_read(iree_make_const_byte_span(bytes, sizeof(bytes)), &arena, &image);
  ASSERT(image.note != NULL);
  ASSERT_EQ(image.n_kernels, 0u);
  iree_arena_deinit(&arena);
}

TEST_MAIN(
    CASE(bytes_live_from_a_write_to_the_last_read)
    CASE(a_second_write_is_a_second_value)
    CASE(what_is_updated_in_place_lives_on)
    CASE(uses_that_do_not_say_what_they_do_make_no_values)
    CASE(unknown_sizes_make_a_lower_bound)
    CASE(images_that_lie_have_no_kernels))
