// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters from archives to devices and back: in memory, in files, on both drivers.
#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "iree/hal/api.h"
#include "iree/hal/drivers/init.h"
#include "iree/io/formats/irpa/irpa_builder.h"
#include "iree/io/formats/parser_registry.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/io/scope_map.h"

static iree_allocator_t allocator(void) { return iree_allocator_system(); }
static const char *const uris[] = {"local-sync", "local-task"};

//===-- files ---------------------------------------------------------------------------------===//

// A path of a file that goes away with the test.
typedef struct temporary_t {
  char path[64];
} temporary_t;

static iree_string_view_t temporary_path(temporary_t *temporary, const char *extension) {
  const char *folder = getenv("TMPDIR");
  snprintf(temporary->path, sizeof(temporary->path), "%.30s/iree-%ld.%.8s",
           folder ? folder : "/tmp", (long)getpid(), extension);
  return iree_make_cstring_view(temporary->path);
}

static iree_status_t open_temporary(void *user_data, iree_io_physical_offset_t offset,
                                    iree_io_physical_size_t length,
                                    iree_io_file_handle_t **out_handle) {
  return iree_io_file_handle_create(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_WRITE,
                                    temporary_path((temporary_t *)user_data, "irpa"),
                                    offset + length, allocator(), out_handle);
}

static iree_io_file_handle_t *wrap(test_t *test, const void *data, iree_host_size_t length) {
  iree_io_file_handle_t *handle = NULL;
  EXPECT_OK(iree_io_file_handle_wrap_host_allocation(
      IREE_IO_FILE_ACCESS_READ, iree_make_byte_span((void *)(uintptr_t)data, length),
      iree_io_file_handle_release_callback_null(), allocator(), &handle));
  return handle;
}

static void add_file(test_t *test, iree_io_parameter_index_t *index, const char *key,
                     iree_io_file_handle_t *handle, uint64_t offset, uint64_t length) {
  const iree_io_parameter_index_entry_t entry = {
      .key = iree_make_cstring_view(key),
      .length = length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE,
      .storage = {.file = {handle, offset}},
  };
  EXPECT_OK(iree_io_parameter_index_add(index, &entry));
}

static void add_splat(test_t *test, iree_io_parameter_index_t *index, const char *key,
                      const char *pattern, uint8_t pattern_length, uint64_t length) {
  iree_io_parameter_index_entry_t entry = {
      .key = iree_make_cstring_view(key),
      .length = length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT,
      .storage = {.splat = {.pattern_length = pattern_length}},
  };
  memcpy(entry.storage.splat.pattern, pattern, pattern_length);
  EXPECT_OK(iree_io_parameter_index_add(index, &entry));
}

//===-- devices -------------------------------------------------------------------------------===//

static iree_hal_device_t *make_device(test_t *test, const char *uri) {
  iree_hal_driver_registry_t *registry = NULL;
  iree_hal_device_t *device = NULL;
  EXPECT_OK(iree_hal_driver_registry_allocate(allocator(), &registry));
  EXPECT_OK(iree_hal_register_all_available_drivers(registry));
  EXPECT_OK(
      iree_hal_create_device(registry, iree_make_cstring_view(uri), NULL, allocator(), &device));
  iree_hal_driver_registry_free(registry);
  return device;
}

static const iree_hal_buffer_params_t variable_params = {
    .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL,
    .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_DISPATCH |
             IREE_HAL_BUFFER_USAGE_MAPPING,
};
static iree_hal_buffer_params_t constant_params(void) {
  iree_hal_buffer_params_t params = variable_params;
  params.usage |= IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE;
  return params;
}

// A provider of the scope "s" with a timeline, and the batch that it is asked for.
typedef struct rig_t {
  iree_hal_device_t *device;
  iree_io_parameter_index_t *index;
  iree_io_parameter_provider_t *provider;
  iree_hal_semaphore_t *semaphore;
  uint64_t value;
  const char *key;
  iree_io_parameter_span_t span;
  iree_hal_buffer_t *loaded;
} rig_t;

static rig_t make_rig(test_t *test, const char *uri) {
  rig_t rig = {.device = make_device(test, uri)};
  EXPECT_OK(iree_io_parameter_index_create(allocator(), &rig.index));
  EXPECT_OK(iree_io_parameter_index_provider_create(IREE_SV("s"), rig.index, 1, allocator(),
                                                    &rig.provider));
  EXPECT_OK(iree_hal_semaphore_create(rig.device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                      IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &rig.semaphore));
  return rig;
}

static void free_rig(rig_t *rig) {
  iree_io_parameter_provider_release(rig->provider);
  iree_io_parameter_index_release(rig->index);
  iree_hal_semaphore_release(rig->semaphore);
  iree_hal_device_release(rig->device);
}

static iree_status_t name_one(void *user_data, iree_host_size_t i, iree_string_view_t *out_key,
                              iree_io_parameter_span_t *out_span) {
  (void)i;
  *out_key = iree_make_cstring_view(((rig_t *)user_data)->key);
  *out_span = ((rig_t *)user_data)->span;
  return iree_ok_status();
}

static iree_status_t keep_one(void *user_data, iree_host_size_t i, iree_hal_buffer_t *buffer) {
  (void)i;
  ((rig_t *)user_data)->loaded = buffer;
  iree_hal_buffer_retain(buffer);
  return iree_ok_status();
}

static iree_status_t wait_for(rig_t *rig) {
  return iree_hal_semaphore_wait(rig->semaphore, rig->value, iree_infinite_timeout(), 0);
}
static iree_hal_semaphore_list_t next_point(rig_t *rig) {
  ++rig->value;
  return (iree_hal_semaphore_list_t){1, &rig->semaphore, &rig->value};
}

static iree_status_t load(rig_t *rig, const char *key, uint64_t offset, uint64_t length,
                          iree_hal_buffer_params_t params, iree_hal_buffer_t **out_buffer) {
  rig->key = key;
  rig->span = (iree_io_parameter_span_t){offset, 0, length};
  rig->loaded = NULL;
  *out_buffer = NULL;
  const iree_io_parameter_enumerator_t enumerator = {name_one, rig};
  const iree_io_parameter_emitter_t emitter = {keep_one, rig};
  IREE_RETURN_IF_ERROR(iree_io_parameter_provider_load(
      rig->provider, rig->device, IREE_HAL_QUEUE_AFFINITY_ANY, iree_hal_semaphore_list_empty(),
      next_point(rig), IREE_SV("s"), params, 1, enumerator, emitter));
  *out_buffer = rig->loaded;
  return wait_for(rig);
}

static iree_status_t transfer(rig_t *rig, const char *key, uint64_t offset, uint64_t length,
                              iree_hal_buffer_t *buffer, bool is_write) {
  const iree_string_view_t name = iree_make_cstring_view(key);
  const iree_hal_semaphore_list_t none = iree_hal_semaphore_list_empty(), next = next_point(rig);
  IREE_RETURN_IF_ERROR(
      is_write
          ? iree_io_parameter_provider_write(rig->provider, rig->device,
                                             IREE_HAL_QUEUE_AFFINITY_ANY, none, next, buffer, 0,
                                             IREE_SV("s"), name, offset, length)
          : iree_io_parameter_provider_read(rig->provider, rig->device, IREE_HAL_QUEUE_AFFINITY_ANY,
                                            none, next, IREE_SV("s"), name, offset, buffer, 0,
                                            length));
  return wait_for(rig);
}

static const uint8_t *address_of(test_t *test, iree_hal_buffer_t *buffer) {
  iree_hal_buffer_mapping_t mapping;
  EXPECT_OK(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                      IREE_HAL_MEMORY_ACCESS_READ, 0, IREE_HAL_WHOLE_BUFFER,
                                      &mapping));
  const uint8_t *data = mapping.contents.data;
  EXPECT_OK(iree_hal_buffer_unmap_range(&mapping));
  return data;
}

//===-- providers -----------------------------------------------------------------------------===//

static void use_in_place(test_t *test, const char *uri) {
  rig_t rig = make_rig(test, uri);
  iree_alignas(64) uint8_t data[256];
  for (int i = 0; i < 256; ++i) data[i] = (uint8_t)i;
  iree_io_file_handle_t *handle = wrap(test, data, sizeof(data));
  add_file(test, rig.index, "k", handle, 64, 128);
  iree_hal_buffer_t *buffer = NULL;
  ASSERT_OK(load(&rig, "k", 64, 16, constant_params(), &buffer));
  EXPECT(address_of(test, buffer) == data + 128);
  EXPECT_STATUS(PERMISSION_DENIED, iree_hal_buffer_map_zero(buffer, 0, 16));
  iree_hal_buffer_release(buffer);
  // Not at the alignment of buffers: a copy.
  ASSERT_OK(load(&rig, "k", 8, 16, constant_params(), &buffer));
  EXPECT(address_of(test, buffer) != data + 72);
  EXPECT_EQ(address_of(test, buffer)[3], 75);
  iree_hal_buffer_release(buffer);
  // May be written: a copy.
  ASSERT_OK(load(&rig, "k", 64, 16, variable_params, &buffer));
  EXPECT(address_of(test, buffer) != data + 128);
  EXPECT_OK(iree_hal_buffer_map_zero(buffer, 0, 16));
  EXPECT_EQ(data[128], 128);
  iree_hal_buffer_release(buffer);
  ASSERT_OK(load(&rig, "k", 128, 0, constant_params(), &buffer));  // nothing, at the end
  iree_hal_buffer_release(buffer);
  iree_io_file_handle_release(handle);
  free_rig(&rig);
}
TEST(constants_are_used_in_place) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(uris); ++i) use_in_place(test, uris[i]);
}

TEST(splats_have_patterns_of_any_length) {
  rig_t rig = make_rig(test, "local-sync");
  add_splat(test, rig.index, "p", "0123456789abcdef", 16, 1 << 20);
  add_splat(test, rig.index, "q", "xyz", 3, 100);
  iree_hal_buffer_t *buffer = NULL;
  ASSERT_OK(load(&rig, "p", 8, 24, constant_params(), &buffer));
  EXPECT(memcmp(address_of(test, buffer), "89abcdef0123456789abcdef", 24) == 0);
  EXPECT_OK(transfer(&rig, "q", 97, 3, buffer, false));
  EXPECT(memcmp(address_of(test, buffer), "yzxbcdef", 8) == 0);
  iree_hal_buffer_release(buffer);
  free_rig(&rig);
}

TEST(ranges_are_checked) {
  rig_t rig = make_rig(test, "local-sync");
  add_splat(test, rig.index, "q", "xyz", 3, 100);
  iree_hal_buffer_t *buffer = NULL;
  ASSERT_OK(load(&rig, "q", 8, 24, variable_params, &buffer));
  EXPECT_STATUS(PERMISSION_DENIED, transfer(&rig, "q", 0, 3, buffer, true));
  free_rig(&rig);
  rig = make_rig(test, "local-sync");  // a failed timeline stays failed
  add_splat(test, rig.index, "q", "xyz", 3, 100);
  EXPECT_STATUS(OUT_OF_RANGE, transfer(&rig, "q", 98, 3, buffer, false));
  EXPECT_STATUS(OUT_OF_RANGE, transfer(&rig, "q", UINT64_MAX, 2, buffer, false));
  EXPECT_STATUS(OUT_OF_RANGE, transfer(&rig, "q", 0, 25, buffer, false));  // of the buffer
  iree_hal_buffer_release(buffer);
  free_rig(&rig);
}

TEST(errors_name_the_parameter) {
  rig_t rig = make_rig(test, "local-sync");
  add_splat(test, rig.index, "known", "\1", 1, 4);
  iree_hal_buffer_t *buffer = NULL;
  iree_status_t status = load(&rig, "unknown", 0, 4, constant_params(), &buffer);
  char text[512] = "";
  iree_host_size_t length = 0;
  iree_status_format(status, sizeof(text), text, &length);
  EXPECT_EQ(iree_status_consume_code(status), IREE_STATUS_NOT_FOUND);
  EXPECT(strstr(text, "'s::unknown'") && strstr(text, "1 parameters ('known'"));
  EXPECT_STATUS(NOT_FOUND, wait_for(&rig));  // whoever waits learns of it, too
  free_rig(&rig);
}

// Beyond 4 GiB; the file is sparse.
static void write_and_read(test_t *test, const char *uri) {
  const uint64_t far_offset = ((uint64_t)5 << 30) + 4;
  rig_t rig = make_rig(test, uri);
  temporary_t temporary;
  iree_io_file_handle_t *handle = NULL, *read_only = NULL;
  ASSERT_OK(iree_io_file_handle_create(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_WRITE,
                                       temporary_path(&temporary, "bin"), far_offset + 64,
                                       allocator(), &handle));
  ASSERT_OK(iree_io_file_handle_open(IREE_IO_FILE_MODE_READ, temporary_path(&temporary, "bin"),
                                     allocator(), &read_only));
  add_file(test, rig.index, "w", handle, far_offset, 64);
  add_file(test, rig.index, "r", read_only, far_offset, 64);
  add_splat(test, rig.index, "p", "ABCD", 4, 64);
  iree_hal_buffer_t *buffer = NULL, *other = NULL, *mapped = NULL;
  EXPECT_OK(load(&rig, "p", 0, 16, variable_params, &buffer));
  EXPECT_OK(transfer(&rig, "w", 16, 16, buffer, true));
  EXPECT_OK(load(&rig, "r", 12, 8, variable_params, &other));
  EXPECT(memcmp(address_of(test, other), "\0\0\0\0ABCD", 8) == 0);
  EXPECT_OK(load(&rig, "r", 60, 4, constant_params(), &mapped));  // at a multiple of 64
  EXPECT_STATUS(PERMISSION_DENIED, iree_hal_buffer_map_zero(mapped, 0, 4));
  EXPECT_STATUS(PERMISSION_DENIED, transfer(&rig, "r", 0, 4, buffer, true));
  iree_hal_buffer_release(buffer);
  iree_hal_buffer_release(other);
  iree_hal_buffer_release(mapped);
  free_rig(&rig);
  iree_io_file_handle_release(handle);
  iree_io_file_handle_release(read_only);
  unlink(temporary.path);
}
TEST(writes_reach_the_file) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(uris); ++i) write_and_read(test, uris[i]);
}

//===-- files of parameters -------------------------------------------------------------------===//

// Two entries and a splat, as an archive in a file.
static iree_status_t write_archive(test_t *test, temporary_t *temporary, const uint8_t *data,
                                   iree_host_size_t length, iree_io_parameter_index_t *target) {
  iree_io_parameter_index_t *source = NULL;
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_create(allocator(), &source));
  iree_io_file_handle_t *handle = wrap(test, data, length);
  add_file(test, source, "first", handle, 1, length - 1);
  add_splat(test, source, "splat", "\0\0\x80\x3f", 4, 4096);
  add_file(test, source, "", handle, 0, 0);
  const iree_io_parameter_archive_file_open_callback_t open = {open_temporary, temporary};
  iree_status_t status = iree_io_build_parameter_archive(source, target, open, 0, allocator());
  iree_io_file_handle_release(handle);
  iree_io_parameter_index_release(source);
  return status;
}

static void compare_indices(test_t *test, iree_io_parameter_index_t *written,
                            iree_io_parameter_index_t *read) {
  const iree_io_parameter_index_entry_t *a = NULL, *b = NULL;
  ASSERT_EQ(iree_io_parameter_index_count(read), iree_io_parameter_index_count(written));
  for (iree_host_size_t i = 0; i < iree_io_parameter_index_count(read); ++i) {
    ASSERT_OK(iree_io_parameter_index_get(written, i, &a));
    ASSERT_OK(iree_io_parameter_index_get(read, i, &b));
    EXPECT(iree_string_view_equal(a->key, b->key));
    EXPECT_EQ(a->length, b->length);
    EXPECT_EQ(a->type, b->type);
  }
}

TEST(archives_round_trip) {
  temporary_t temporary;
  uint8_t data[1000];
  for (int i = 0; i < 1000; ++i) data[i] = (uint8_t)(i * 7);
  iree_io_scope_map_t map;
  iree_io_parameter_index_t *written = NULL, *read = NULL;
  iree_io_scope_map_initialize(allocator(), &map);
  ASSERT_OK(iree_io_scope_map_lookup(&map, IREE_SV(""), &written));
  ASSERT_OK(iree_io_scope_map_lookup(&map, IREE_SV("r"), &read));
  EXPECT_OK(write_archive(test, &temporary, data, sizeof(data), written));
  const iree_string_view_t path = iree_make_cstring_view(temporary.path);
  iree_io_file_handle_t *handle = NULL;
  ASSERT_OK(iree_io_file_handle_preload(IREE_IO_FILE_MODE_READ, path, allocator(), &handle));
  EXPECT_OK(iree_io_parse_file_index(path, handle, read, allocator()));
  compare_indices(test, written, read);
  const iree_io_parameter_index_entry_t *first = NULL;
  ASSERT_OK(iree_io_parameter_index_lookup(read, IREE_SV("first"), &first));
  EXPECT_EQ(first->storage.file.offset % 64, 0);
  const iree_byte_span_t contents = iree_io_file_handle_value(handle).host_allocation;
  EXPECT_EQ(contents.data_length % 4096, 0);
  EXPECT(memcmp(contents.data + first->storage.file.offset, data + 1, 999) == 0);
  iree_string_builder_t text;
  iree_string_builder_initialize(allocator(), &text);
  EXPECT_OK(iree_io_scope_map_dump(&map, &text));
  EXPECT(strstr(iree_string_builder_buffer(&text),
                "// Parameter scope `r` (3 entries, 5095 total bytes)\n") != NULL);
  iree_string_builder_deinitialize(&text);
  iree_io_scope_map_deinitialize(&map);
  iree_io_file_handle_release(handle);
  unlink(temporary.path);
}

TEST(indices_find_many_keys) {
  iree_io_parameter_index_t *index = NULL;
  ASSERT_OK(iree_io_parameter_index_create(allocator(), &index));
  char key[16];
  for (uint64_t i = 0; i < 1000; ++i) {
    snprintf(key, sizeof(key), "k%d", (int)i);
    add_splat(test, index, key, "\1", 1, i);
  }
  add_splat(test, index, "k7", "\1", 1, 5000);  // the first of a key is found
  const iree_io_parameter_index_entry_t *entry = NULL;
  for (uint64_t i = 0; i < 1000; ++i) {
    snprintf(key, sizeof(key), "k%d", (int)i);
    ASSERT_OK(iree_io_parameter_index_lookup(index, iree_make_cstring_view(key), &entry));
    EXPECT_EQ(entry->length, i);
  }
  EXPECT_STATUS(NOT_FOUND, iree_io_parameter_index_lookup(index, IREE_SV("k1000"), &entry));
  EXPECT_STATUS(OUT_OF_RANGE, iree_io_parameter_index_get(index, 1001, &entry));
  iree_io_parameter_index_release(index);
}

static iree_status_t parse(test_t *test, const char *format, const void *data,
                           iree_host_size_t length, iree_host_size_t *out_count) {
  iree_io_parameter_index_t *index = NULL;
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_create(allocator(), &index));
  iree_io_file_handle_t *handle = wrap(test, data, length);
  iree_status_t status =
      iree_io_parse_file_index(iree_make_cstring_view(format), handle, index, allocator());
  *out_count = iree_io_parameter_index_count(index);
  iree_io_file_handle_release(handle);
  iree_io_parameter_index_release(index);
  return status;
}

TEST(formats_refuse_what_they_cannot_hold) {
  iree_host_size_t count = 0;
  EXPECT_STATUS(UNIMPLEMENTED, parse(test, "a.b/model.onnx", "", 0, &count));
  EXPECT_STATUS(INVALID_ARGUMENT, parse(test, "x.irpa", "", 0, &count));
  EXPECT_STATUS(OUT_OF_RANGE, parse(test, "GGUF", "GG", 2, &count));
  EXPECT_STATUS(OUT_OF_RANGE, parse(test, "safetensors", "\x10\0\0\0\0\0\0\0{}", 10, &count));
  static const char head[] = "{\"a\\u00df\":{\"data_offsets\":[0,4]},\"__metadata__\":{\"x\":[{},1]}}";
  char file[8 + sizeof(head) - 1 + 4] = {(char)(sizeof(head) - 1)};
  memcpy(file + 8, head, sizeof(head) - 1);
  EXPECT_OK(parse(test, "safetensors", file, sizeof(file), &count));
  EXPECT_EQ(count, 1);
  EXPECT_STATUS(OUT_OF_RANGE, parse(test, "safetensors", file, sizeof(file) - 1, &count));
}

TEST_MAIN(CASE(constants_are_used_in_place) CASE(splats_have_patterns_of_any_length)
              CASE(ranges_are_checked) CASE(errors_name_the_parameter) CASE(writes_reach_the_file)
                  CASE(archives_round_trip) CASE(indices_find_many_keys)
                      CASE(formats_refuse_what_they_cannot_hold))
