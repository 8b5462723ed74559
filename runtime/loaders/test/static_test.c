// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are linked in, and where they get functions from.
#include "base/test.h"
#include "iree/hal/api.h"
#include "iree/hal/local/loaders/static_library_loader.h"
#include "runtime/hal/local/executable.h"

//===-- a library -----------------------------------------------------------------------------===//

// target[id] = import(id), or id + 1 where nothing provides it
static int import_kernel(const iree_hal_executable_environment_v0_t *environment,
                         const iree_hal_executable_dispatch_state_v0_t *dispatch,
                         const iree_hal_executable_workgroup_state_v0_t *group) {
  uint32_t *target = (uint32_t *)dispatch->binding_ptrs[0];
  uint32_t value = group->workgroup_id_x;
  if (environment->import_funcs[0]) {
    int result =
        environment->import_thunk(environment->import_funcs[0], &value,
                                  (void *)(uintptr_t)environment->import_contexts[0], NULL);
    if (result) return result;
  } else {
    ++value;
  }
  target[group->workgroup_id_x] = value;
  return 0;
}

static const iree_hal_executable_library_header_t header = {
    .version = IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, .name = "a_library"};
static const iree_hal_executable_dispatch_v0_t functions[] = {import_kernel};
static const iree_hal_executable_dispatch_attrs_v0_t attrs[] = {{.binding_count = 1}};
static const char *const names[] = {"kernel"};
static const char *imports[] = {"?scale"};
static iree_hal_executable_library_v0_t library = {
    .header = &header,
    .imports = {1, imports},
    .exports = {.count = 1, .ptrs = functions, .attrs = attrs, .names = names},
};

static const iree_hal_executable_library_header_t **query(
    iree_hal_executable_library_version_t max_version,
    const iree_hal_executable_environment_v0_t *environment) {
  (void)environment;
  return max_version == IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST
             ? (const iree_hal_executable_library_header_t **)(uintptr_t)&library
             : NULL;
}
static const iree_hal_executable_library_header_t **query_nothing(
    iree_hal_executable_library_version_t max_version,
    const iree_hal_executable_environment_v0_t *environment) {
  (void)max_version, (void)environment;
  return NULL;
}

//===-- a provider ----------------------------------------------------------------------------===//

static int scale(void *params, void *context, void *reserved) {
  (void)reserved;
  *(uint32_t *)params *= *(const uint32_t *)context;
  return 0;
}
static iree_status_t resolve(void *self, iree_host_size_t count, const char *const *symbol_names,
                             void **out_fn_ptrs, void **out_fn_contexts,
                             iree_hal_executable_import_resolution_t *out_resolution) {
  for (iree_host_size_t i = 0; i < count; ++i) {
    const char *name = symbol_names[i] + iree_hal_executable_import_is_optional(symbol_names[i]);
    if (strcmp(name, "scale") != 0) return iree_make_status(IREE_STATUS_NOT_FOUND, "no %s", name);
    out_fn_ptrs[i] = (void *)(uintptr_t)&scale;
    out_fn_contexts[i] = self;
  }
  if (out_resolution) *out_resolution = 0;
  return iree_ok_status();
}

//===-- cases ---------------------------------------------------------------------------------===//

static iree_status_t load(iree_hal_executable_import_provider_t provider, const char *name,
                          iree_hal_executable_t **out_executable) {
  static const iree_hal_executable_library_query_fn_t queries[] = {query};
  iree_hal_executable_loader_t *loader = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_static_library_loader_create(1, queries, provider,
                                                             iree_allocator_system(), &loader));
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  params.executable_format = IREE_SV("static");
  params.executable_data = iree_make_const_byte_span(name, strlen(name));
  iree_status_t status =
      iree_hal_executable_loader_query_support(loader, 0, params.executable_format)
          ? iree_hal_executable_loader_try_load(loader, &params, 1, out_executable)
          : iree_status_from_code(IREE_STATUS_INCOMPATIBLE);
  iree_hal_executable_loader_release(loader);
  return status;
}

static void run_kernel(test_t *test, iree_hal_executable_t *base, uint32_t target[3]) {
  local_executable_t *executable = NULL;
  ASSERT_OK(local_executable_cast(base, &executable));
  void *pointers[] = {target};
  size_t lengths[] = {3 * sizeof(uint32_t)};
  const iree_hal_executable_dispatch_state_v0_t dispatch = {.workgroup_count_x = 3,
                                                            .workgroup_count_y = 1,
                                                            .workgroup_count_z = 1,
                                                            .binding_count = 1,
                                                            .binding_ptrs = pointers,
                                                            .binding_lengths = lengths};
  const workgroup_range_t range = {.dispatch = &dispatch, .end = 3};
  EXPECT_OK(executable->run(executable, &range));
}

TEST(imports_come_from_the_provider) {
  uint32_t factor = 10, target[3] = {0};
  iree_hal_executable_t *executable = NULL;
  ASSERT_OK(
      load((iree_hal_executable_import_provider_t){&factor, resolve}, "a_library", &executable));
  run_kernel(test, executable, target);
  EXPECT(target[0] == 0 && target[1] == 10 && target[2] == 20);
  iree_hal_executable_release(executable);
}

TEST(optional_imports_may_be_absent) {
  uint32_t target[3] = {0};
  iree_hal_executable_t *executable = NULL;
  ASSERT_OK(load(iree_hal_executable_import_provider_null(), "a_library", &executable));
  run_kernel(test, executable, target);
  EXPECT(target[0] == 1 && target[1] == 2 && target[2] == 3);
  iree_hal_executable_release(executable);
}

TEST(required_imports_must_be_there) {
  iree_hal_executable_t *executable = NULL;
  imports[0] = "scale";
  EXPECT_STATUS(NOT_FOUND,
                load(iree_hal_executable_import_provider_null(), "a_library", &executable));
  imports[0] = "other";
  uint32_t factor = 1;
  EXPECT_STATUS(NOT_FOUND, load((iree_hal_executable_import_provider_t){&factor, resolve},
                                "a_library", &executable));
  imports[0] = "?scale";
  EXPECT(!executable);
}

TEST(libraries_are_found_by_name) {
  iree_hal_executable_t *executable = NULL;
  EXPECT_STATUS(NOT_FOUND,
                load(iree_hal_executable_import_provider_null(), "a_librar", &executable));
  EXPECT_STATUS(NOT_FOUND, load(iree_hal_executable_import_provider_null(), "", &executable));
  static const iree_hal_executable_library_query_fn_t queries[] = {query, query_nothing};
  iree_hal_executable_loader_t *loader = NULL;
  EXPECT_STATUS(UNAVAILABLE, iree_hal_static_library_loader_create(
                                 2, queries, iree_hal_executable_import_provider_null(),
                                 iree_allocator_system(), &loader));
  EXPECT(!loader);
}

TEST_MAIN(CASE(imports_come_from_the_provider) CASE(optional_imports_may_be_absent)
              CASE(required_imports_must_be_there) CASE(libraries_are_found_by_name))
