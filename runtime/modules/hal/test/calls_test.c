// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the hal module with the arguments that programs pass, on buffers, views, queues,
// command buffers and fences. Kernels are the matter of tests that have a compiler.
#include "iree/modules/hal/types.h"
#include "runtime/modules/hal/test/hal_env.h"
#include "runtime/vm/cconv.h"

#define AREA_BYTES 512
#define HOST_USAGE (IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_MAPPING)

// An argument or result by its letter; before the members of a group comes the number of tuples.
typedef struct value_t {
  int64_t i;
  iree_vm_ref_t r;
} value_t;
#define NUMBER(value) ((value_t){.i = (int64_t)(value)})
#define REF(value) ((value_t){.r = (value)})
#define NONE_REF ((value_t){.i = 0})
#define LIST(...) ((const value_t[]){__VA_ARGS__})
#define NOTHING ((const value_t[]){{0}})

typedef struct packer_t {
  uint8_t *area;
  iree_host_size_t offset;
} packer_t;

static void pack_value(packer_t *packer, char letter, const value_t *value) {
  packer->offset = iree_host_align(packer->offset, cconv_alignment(letter));
  const void *source = letter == 'r' ? (const void *)&value->r : (const void *)&value->i;
  memcpy(packer->area + packer->offset, source, cconv_size(letter));
  packer->offset += cconv_size(letter);
}

static iree_host_size_t pack_values(iree_string_view_t letters, const value_t *values,
                                    uint8_t *area) {
  packer_t packer = {area, 0};
  for (iree_host_size_t i = 0; i < letters.size;) {
    if (letters.data[i] != IREE_VM_CCONV_TYPE_SPAN_START) {
      pack_value(&packer, letters.data[i++], values++);
      continue;
    }
    iree_string_view_t group = cconv_take_group(letters, &i);
    int64_t count = values->i;
    pack_value(&packer, 'i', values++);
    if (count) packer.offset = iree_host_align(packer.offset, cconv_group_alignment(group));
    for (int64_t t = 0; t < count; ++t) {
      for (iree_host_size_t k = 0; k < group.size; ++k)
        pack_value(&packer, group.data[k], values++);
    }
  }
  return iree_host_align(packer.offset, CCONV_AREA_ALIGNMENT);
}

// Calls a function; its results are the caller's.
static iree_status_t run(fixture_t *fixture, iree_vm_stack_t *stack, const char *name,
                         const value_t *values, value_t *results) {
  iree_vm_function_call_t request;
  IREE_RETURN_IF_ERROR(
      iree_vm_module_lookup_function_by_name(fixture->module, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                             iree_make_cstring_view(name), &request.function));
  iree_vm_function_signature_t signature = iree_vm_function_signature(&request.function);
  iree_string_view_t arguments, returns;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &returns));
  iree_alignas(16) uint8_t area[AREA_BYTES] = {0}, result_area[64] = {0};
  request.arguments = iree_make_byte_span(area, pack_values(arguments, values, area));
  request.results = iree_make_byte_span(result_area, sizeof(result_area));
  iree_status_t status = fixture->module->begin_call(fixture->module->self, stack, request);
  if (!iree_status_is_ok(status)) {
    iree_vm_stack_reset(stack);
    return status;
  }
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < returns.size; ++i) {
    char letter = returns.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    int32_t narrow = 0;
    if (letter == 'r') memcpy(&results[i].r, result_area + offset, sizeof(iree_vm_ref_t));
    if (letter == 'I') memcpy(&results[i].i, result_area + offset, 8);
    if (letter == 'i') memcpy(&narrow, result_area + offset, 4), results[i].i = narrow;
    offset += cconv_size(letter);
  }
  return iree_ok_status();
}

// A number or ref that a call gives, and what it is expected to be.
#define RUN(name, values, results) EXPECT_OK(run(&f, stack, name, values, results))
#define NUMBER_OF(name, values)                       \
  __extension__({                                     \
    value_t result_[2] = {{0}};                       \
    EXPECT_OK(run(&f, stack, name, values, result_)); \
    result_[0].i;                                     \
  })
#define REF_OF(name, values)                          \
  __extension__({                                     \
    value_t result_[2] = {{0}};                       \
    EXPECT_OK(run(&f, stack, name, values, result_)); \
    EXPECT(!iree_vm_ref_is_null(&result_[0].r));      \
    result_[0].r;                                     \
  })

static iree_vm_ref_t text_ref(test_t *test, const char *text) {
  iree_vm_buffer_t *buffer = NULL;
  EXPECT_OK(iree_vm_buffer_create(IREE_VM_BUFFER_ACCESS_MUTABLE | IREE_VM_BUFFER_ACCESS_ORIGIN_HOST,
                                  strlen(text), 64, iree_allocator_system(), &buffer));
  memcpy(iree_vm_buffer_data(buffer), text, strlen(text));
  return iree_vm_buffer_move_ref(buffer);
}

static iree_vm_ref_t allocate(test_t *test, fixture_t *fixture, iree_vm_stack_t *stack,
                              int64_t bytes) {
  fixture_t f = *fixture;
  iree_vm_ref_t device = iree_hal_device_retain_ref(f.device);
  iree_vm_ref_t allocator = REF_OF("device.allocator", LIST(REF(device)));
  iree_vm_ref_t buffer =
      REF_OF("allocator.allocate",
             LIST(REF(allocator), NUMBER(-1),
                  NUMBER(IREE_HAL_MEMORY_TYPE_HOST_LOCAL | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE),
                  NUMBER(HOST_USAGE), NUMBER(bytes)));
  iree_vm_ref_release(&allocator);
  iree_vm_ref_release(&device);
  return buffer;
}

static void release_all(iree_vm_ref_t *refs, size_t count) {
  while (count-- > 0) iree_vm_ref_release(&refs[count]);
}
#define RELEASE(...)                           \
  do {                                         \
    iree_vm_ref_t refs_[] = {__VA_ARGS__};     \
    release_all(refs_, IREE_ARRAYSIZE(refs_)); \
  } while (0)

#define BEGIN(flags)             \
  fixture_t f;                   \
  fixture_open(test, flags, &f); \
  OPEN_STACK(f, stack);          \
  iree_vm_ref_t device = iree_hal_device_retain_ref(f.device)
#define END()                        \
  iree_vm_ref_release(&device);      \
  iree_vm_stack_deinitialize(stack); \
  fixture_close(&f)

TEST(buffers) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t allocator = REF_OF("device.allocator", LIST(REF(device)));
  iree_vm_ref_t buffer = allocate(test, &f, stack, 32), name = text_ref(test, "tensor");
  EXPECT_EQ(NUMBER_OF("buffer.length", LIST(REF(buffer))), 32);
  RUN("buffer.store", LIST(NUMBER(0x11223344), REF(buffer), NUMBER(4), NUMBER(4)), NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(4), NUMBER(2))), 0x3344);
  EXPECT_STATUS(OUT_OF_RANGE, run(&f, stack, "buffer.load",
                                  LIST(REF(buffer), NUMBER(30), NUMBER(4)), (value_t[1]){{0}}));
  iree_vm_ref_t part = REF_OF("buffer.subspan", LIST(REF(buffer), NUMBER(4), NUMBER(8)));
  EXPECT_EQ(NUMBER_OF("buffer.length", LIST(REF(part))), 8);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(part), NUMBER(0), NUMBER(1))), 0x44);
  RUN("buffer.assert",
      LIST(REF(buffer), REF(name), REF(allocator), NUMBER(32), NUMBER(0), NUMBER(0)), NULL);
  EXPECT_STATUS(
      INVALID_ARGUMENT,
      run(&f, stack, "buffer.assert",
          LIST(REF(buffer), REF(name), REF(allocator), NUMBER(33), NUMBER(0), NUMBER(0)), NULL));
  RUN("buffer.allocation.preserve", LIST(REF(buffer)), NULL);
  EXPECT_EQ(NUMBER_OF("buffer.allocation.is_terminal", LIST(REF(buffer))), 0);
  EXPECT_EQ(NUMBER_OF("buffer.allocation.discard", LIST(REF(buffer))), 0);
  EXPECT_EQ(NUMBER_OF("buffer.allocation.is_terminal", LIST(REF(buffer))), 1);
  RELEASE(allocator, buffer, name, part);
  END();
}

TEST(imported_memory_and_the_choice_of_an_allocator) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t allocator = REF_OF("device.allocator", LIST(REF(device)));
  iree_vm_ref_t bytes = text_ref(test, "0123456789abcdef");
  iree_vm_ref_t buffer =
      REF_OF("allocator.import",
             LIST(REF(allocator), NUMBER(1), NUMBER(-1),
                  NUMBER(IREE_HAL_MEMORY_TYPE_HOST_LOCAL | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE),
                  NUMBER(HOST_USAGE), REF(bytes), NUMBER(0), NUMBER(-1)));
  EXPECT_EQ(NUMBER_OF("buffer.length", LIST(REF(buffer))), 16);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(10), NUMBER(1))), 'a');
  value_t chosen[2] = {{0}};
  RUN("allocator.select", LIST(NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(1), REF(device), NUMBER(3)),
      chosen);
  EXPECT(chosen[0].r.ptr == f.device);
  EXPECT_EQ(chosen[1].i, 3);
  RELEASE(allocator, bytes, buffer, chosen[0].r);
  END();
}

TEST(views) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t buffer = allocate(test, &f, stack, 24), name = text_ref(test, "input0");
  int64_t type = IREE_HAL_ELEMENT_TYPE_FLOAT_32, encoding = IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR;
  iree_vm_ref_t view =
      REF_OF("buffer_view.create", LIST(REF(buffer), NUMBER(0), NUMBER(24), NUMBER(type),
                                        NUMBER(encoding), NUMBER(2), NUMBER(2), NUMBER(3)));
  EXPECT_EQ(NUMBER_OF("buffer_view.rank", LIST(REF(view))), 2);
  EXPECT_EQ(NUMBER_OF("buffer_view.dim", LIST(REF(view), NUMBER(1))), 3);
  EXPECT_EQ(NUMBER_OF("buffer_view.element_type", LIST(REF(view))), type);
  EXPECT_EQ(NUMBER_OF("buffer_view.encoding_type", LIST(REF(view))), encoding);
  iree_vm_ref_t inside = REF_OF("buffer_view.buffer", LIST(REF(view)));
  EXPECT_EQ(NUMBER_OF("buffer.length", LIST(REF(inside))), 24);
  const value_t fits[] = {REF(view), REF(name), NUMBER(type), NUMBER(encoding),
                          NUMBER(2), NUMBER(2), NUMBER(3)};
  RUN("buffer_view.assert", fits, NULL);
  const value_t differs[] = {REF(view), REF(name), NUMBER(type), NUMBER(encoding),
                             NUMBER(2), NUMBER(2), NUMBER(4)};
  EXPECT_STATUS(INVALID_ARGUMENT, run(&f, stack, "buffer_view.assert", differs, NULL));
  RUN("buffer_view.trace", LIST(REF(name), NUMBER(1), REF(view)), NULL);
  RELEASE(buffer, name, view, inside);
  END();
}

TEST(devices) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  EXPECT_EQ(NUMBER_OF("devices.count", NOTHING), 1);
  iree_vm_ref_t same = REF_OF("devices.get", LIST(NUMBER(0)));
  EXPECT(same.ptr == f.device);
  iree_vm_ref_t category = text_ref(test, "hal.device.id"), key = text_ref(test, "local-*");
  value_t found[2] = {{0}};
  RUN("device.query.i64", LIST(REF(device), REF(category), REF(key)), found);
  EXPECT_EQ(found[0].i, 1);
  EXPECT_EQ(found[1].i, 1);
  RUN("device.query.i64", LIST(REF(device), REF(key), REF(key)), found);
  EXPECT_EQ(found[0].i, 0);
  RELEASE(same, category, key);
  END();
}

TEST(fences) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t one = REF_OF("fence.create", LIST(REF(device), NUMBER(0)));
  iree_vm_ref_t two = REF_OF("fence.create", LIST(REF(device), NUMBER(0)));
  iree_vm_ref_t both =
      REF_OF("fence.join", LIST(NUMBER(0), NUMBER(3), REF(one), NONE_REF, REF(two)));
  RUN("fence.signal", LIST(REF(one)), NULL);
  EXPECT_EQ(NUMBER_OF("fence.query", LIST(REF(one))), 0);
  EXPECT_EQ(NUMBER_OF("fence.query", LIST(REF(both))), IREE_STATUS_DEFERRED);
  EXPECT_EQ(NUMBER_OF("fence.await", LIST(NUMBER(1), NUMBER(0), NUMBER(1), REF(both))),
            IREE_STATUS_DEADLINE_EXCEEDED);
  RUN("fence.fail", LIST(REF(two), NUMBER(IREE_STATUS_ABORTED)), NULL);
  EXPECT_EQ(NUMBER_OF("fence.query", LIST(REF(both))), IREE_STATUS_ABORTED);
  EXPECT_STATUS(ABORTED,
                run(&f, stack, "fence.await",
                    LIST(NUMBER(-1), NUMBER(0), NUMBER(2), REF(one), REF(two)), (value_t[1]){{0}}));
  value_t none = {0};
  RUN("fence.join", LIST(NUMBER(0), NUMBER(1), NONE_REF), &none);
  EXPECT(iree_vm_ref_is_null(&none.r));
  RELEASE(one, two, both);
  END();
}

// device, affinity, wait fence, signal fence
#define QUEUE(wait, signal) REF(device), NUMBER(-1), REF(wait), REF(signal)

TEST(queues) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t null = iree_vm_ref_null(), bytes = text_ref(test, "0123456789abcdef");
  iree_vm_ref_t ready = REF_OF("fence.create", LIST(REF(device), NUMBER(0)));
  iree_vm_ref_t done = REF_OF("fence.create", LIST(REF(device), NUMBER(0)));
  iree_vm_ref_t host = allocate(test, &f, stack, 16);
  iree_vm_ref_t buffer =
      REF_OF("device.queue.alloca",
             LIST(QUEUE(null, ready), NUMBER(0),
                  NUMBER(IREE_HAL_MEMORY_TYPE_HOST_LOCAL | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE),
                  NUMBER(HOST_USAGE), NUMBER(16), NUMBER(0)));
  RUN("device.queue.fill",
      LIST(QUEUE(ready, null), REF(buffer), NUMBER(0), NUMBER(16), NUMBER(0x7A), NUMBER(1),
           NUMBER(0)),
      NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(15), NUMBER(1))), 'z');
  RUN("device.queue.update",
      LIST(QUEUE(null, null), REF(bytes), NUMBER(2), REF(buffer), NUMBER(4), NUMBER(4), NUMBER(0)),
      NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(4), NUMBER(1))), '2');
  RUN("device.queue.copy",
      LIST(QUEUE(null, null), REF(buffer), NUMBER(4), REF(host), NUMBER(0), NUMBER(4), NUMBER(0)),
      NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(host), NUMBER(3), NUMBER(1))), '5');
  iree_vm_ref_t file = REF_OF(
      "ex.file.from_memory",
      LIST(REF(device), NUMBER(-1), NUMBER(1), REF(bytes), NUMBER(0), NUMBER(16), NUMBER(0)));
  RUN("device.queue.read",
      LIST(QUEUE(null, null), REF(file), NUMBER(8), REF(host), NUMBER(0), NUMBER(8), NUMBER(0)),
      NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(host), NUMBER(2), NUMBER(1))), 'a');
  // Written files are read-only here: the failure arrives with the fence or at once.
  iree_vm_ref_t failed = REF_OF("fence.create", LIST(REF(device), NUMBER(0)));
  iree_status_t status = run(
      &f, stack, "device.queue.write",
      LIST(QUEUE(null, failed), REF(host), NUMBER(0), REF(file), NUMBER(0), NUMBER(8), NUMBER(0)),
      NULL);
  if (iree_status_is_ok(status)) {
    EXPECT(NUMBER_OF("fence.query", LIST(REF(failed))) != 0);
  }
  iree_status_free(status);
  RUN("device.queue.barrier", LIST(QUEUE(null, done), NUMBER(0)), NULL);
  EXPECT_EQ(NUMBER_OF("fence.query", LIST(REF(done))), 0);
  RUN("device.queue.execute", LIST(QUEUE(null, null), NONE_REF, NUMBER(0)), NULL);
  RUN("device.queue.flush", LIST(REF(device), NUMBER(-1)), NULL);
  RUN("device.queue.dealloca", LIST(QUEUE(null, null), REF(buffer), NUMBER(0)), NULL);
  RELEASE(bytes, ready, done, host, buffer, file, failed);
  END();
}

TEST(command_buffers) {
  BEGIN(IREE_HAL_MODULE_FLAG_SYNCHRONOUS);
  iree_vm_ref_t null = iree_vm_ref_null(), bytes = text_ref(test, "0123456789abcdef");
  iree_vm_ref_t buffer = allocate(test, &f, stack, 16), label = text_ref(test, "label");
  iree_vm_ref_t commands = REF_OF(
      "command_buffer.create",
      LIST(REF(device), NUMBER(0), NUMBER(IREE_HAL_COMMAND_CATEGORY_ANY), NUMBER(-1), NUMBER(1)));
  RUN("command_buffer.begin_debug_group", LIST(REF(commands), REF(label)), NULL);
  RUN("command_buffer.fill_buffer",
      LIST(REF(commands), REF(buffer), NUMBER(0), NUMBER(16), NUMBER(0), NUMBER(0x2E), NUMBER(1),
           NUMBER(0)),
      NULL);
  RUN("command_buffer.execution_barrier", LIST(REF(commands), NUMBER(28), NUMBER(13), NUMBER(0)),
      NULL);
  RUN("command_buffer.update_buffer",
      LIST(REF(commands), REF(bytes), NUMBER(4), NONE_REF, NUMBER(0), NUMBER(4), NUMBER(0),
           NUMBER(0)),
      NULL);
  RUN("command_buffer.advise_buffer",
      LIST(REF(commands), REF(buffer), NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(0)), NULL);
  RUN("command_buffer.flush_buffer",
      LIST(REF(commands), NUMBER(0), REF(buffer), NUMBER(0), NUMBER(16)), NULL);
  RUN("command_buffer.invalidate_buffer",
      LIST(REF(commands), NUMBER(0), REF(buffer), NUMBER(0), NUMBER(16)), NULL);
  RUN("command_buffer.execution_barrier", LIST(REF(commands), NUMBER(28), NUMBER(13), NUMBER(0)),
      NULL);
  RUN("command_buffer.copy_buffer",
      LIST(REF(commands), NUMBER(0), NUMBER(0), NONE_REF, NUMBER(0), REF(buffer), NUMBER(8),
           NUMBER(4), NUMBER(0)),
      NULL);
  RUN("command_buffer.end_debug_group", LIST(REF(commands)), NULL);
  RUN("command_buffer.finalize", LIST(REF(commands)), NULL);
  EXPECT_STATUS(FAILED_PRECONDITION,
                run(&f, stack, "command_buffer.finalize", LIST(REF(commands)), NULL));
  RUN("device.queue.execute.indirect",
      LIST(QUEUE(null, null), REF(commands), NUMBER(0), NUMBER(1), REF(buffer), NUMBER(0),
           NUMBER(-1)),
      NULL);
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(0), NUMBER(1))), '4');
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(9), NUMBER(1))), '5');
  EXPECT_EQ(NUMBER_OF("buffer.load", LIST(REF(buffer), NUMBER(15), NUMBER(1))), '.');
  RELEASE(bytes, buffer, label, commands);
  END();
}

TEST_MAIN(CASE(buffers) CASE(imported_memory_and_the_choice_of_an_allocator) CASE(views)
              CASE(devices) CASE(fences) CASE(queues) CASE(command_buffers))
