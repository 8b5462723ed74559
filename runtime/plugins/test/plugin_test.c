// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins that are linked in: what is checked, the order in which they are asked, lifetimes.
#include "base/test.h"
#include "iree/hal/local/executable_plugin_manager.h"
#include "iree/hal/local/loaders/static_library_loader.h"
#include "iree/hal/local/plugins/embedded_elf_plugin.h"
#include "iree/hal/local/plugins/registration/init.h"
#include "iree/hal/local/plugins/static_plugin.h"
#include "iree/hal/local/plugins/system_library_plugin.h"
#include "runtime/loaders/loader.h"

//===-- a plugin ------------------------------------------------------------------------------===//

// Its state: parameter "name" says which function it has, and it counts the objects that live.
typedef struct state_t {
  iree_hal_executable_plugin_allocator_t allocator;
  char name[16];
} state_t;
static int live_count = 0;

static int function(void *params, void *context, void *reserved) {
  (void)params, (void)context, (void)reserved;
  return 0;
}

static iree_hal_executable_plugin_status_t load(
    const iree_hal_executable_plugin_environment_v0_t *environment, size_t param_count,
    const iree_hal_executable_plugin_string_pair_t *params, void **out_self) {
  if (param_count != 1) {
    return iree_hal_executable_plugin_status_from_code(
        IREE_HAL_EXECUTABLE_PLUGIN_STATUS_INVALID_ARGUMENT);
  }
  void *memory = NULL;
  iree_hal_executable_plugin_status_t status = iree_hal_executable_plugin_allocator_malloc(
      environment->host_allocator, sizeof(state_t), &memory);
  if (!iree_hal_executable_plugin_status_is_ok(status)) return status;
  state_t *state = memory;
  state->allocator = environment->host_allocator;
  snprintf(state->name, sizeof(state->name), "%.*s", (int)params[0].value.size,
           params[0].value.data);
  ++live_count;
  *out_self = state;
  return iree_hal_executable_plugin_ok_status();
}

static void unload(void *self) {
  --live_count;
  iree_hal_executable_plugin_allocator_free(((state_t *)self)->allocator, self);
}

static iree_hal_executable_plugin_status_t resolve(
    void *self, const iree_hal_executable_plugin_resolve_params_v0_t *params,
    iree_hal_executable_plugin_resolution_t *out_resolution) {
  bool lacks_required = false;
  *out_resolution = 0;
  for (size_t i = 0; i < params->count; ++i) {
    const char *name = params->symbol_names[i];
    const bool is_optional = iree_hal_executable_plugin_import_is_optional(name);
    if (params->out_fn_ptrs[i]) continue;
    if (!iree_hal_executable_plugin_strcmp(name + is_optional, ((state_t *)self)->name)) {
      params->out_fn_ptrs[i] = (void *)(uintptr_t)&function;
      params->out_fn_contexts[i] = self;
    } else if (is_optional) {
      *out_resolution |= IREE_HAL_EXECUTABLE_PLUGIN_RESOLUTION_MISSING_OPTIONAL;
    } else {
      lacks_required = true;
    }
  }
  return iree_hal_executable_plugin_status_from_code(
      lacks_required ? IREE_HAL_EXECUTABLE_PLUGIN_STATUS_NOT_FOUND
                     : IREE_HAL_EXECUTABLE_PLUGIN_STATUS_OK);
}

static const iree_hal_executable_plugin_header_t good_header = {
    .version = IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST, .name = "a_plugin"};
static iree_hal_executable_plugin_header_t header;
static iree_hal_executable_plugin_v0_t table;
static bool is_newer;

static const iree_hal_executable_plugin_header_t **query(
    iree_hal_executable_plugin_version_t max_version, void *reserved) {
  (void)max_version, (void)reserved;
  return is_newer ? NULL : (const iree_hal_executable_plugin_header_t **)(uintptr_t)&table;
}

static void reset(void) {
  header = good_header;
  table = (iree_hal_executable_plugin_v0_t){&header, load, unload, resolve};
  is_newer = false;
}

static iree_status_t create_in(iree_allocator_t allocator, const char *name,
                               iree_hal_executable_plugin_t **out_plugin) {
  iree_string_pair_t param;
  param.key = IREE_SV("name");
  param.value = iree_make_cstring_view(name);
  return iree_hal_static_executable_plugin_create(query, 1, &param, allocator, out_plugin);
}

static iree_status_t create(const char *name, iree_hal_executable_plugin_t **out_plugin) {
  return create_in(iree_allocator_system(), name, out_plugin);
}

static iree_status_t add(iree_hal_executable_plugin_manager_t *manager, const char *name) {
  iree_hal_executable_plugin_t *plugin = NULL;
  IREE_RETURN_IF_ERROR(create(name, &plugin));
  iree_status_t status = iree_hal_executable_plugin_manager_register_plugin(manager, plugin);
  iree_hal_executable_plugin_release(plugin);
  return status;
}

//===-- cases ---------------------------------------------------------------------------------===//

TEST(tables_are_checked) {
  iree_hal_executable_plugin_t *plugin = NULL;
  reset();
  ASSERT_OK(create("f", &plugin));
  EXPECT(live_count == 1 && iree_string_view_equal(plugin->identifier, IREE_SV("a_plugin")));
  iree_hal_executable_plugin_release(plugin);
  is_newer = true;
  EXPECT_STATUS(FAILED_PRECONDITION, create("f", &plugin));
  reset();
  header.version = 0x80000000u;
  EXPECT_STATUS(FAILED_PRECONDITION, create("f", &plugin));
  reset();
  header.sanitizer = IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_MEMORY;
  EXPECT_STATUS(UNAVAILABLE, create("f", &plugin));
  reset();
  table.resolve = NULL;
  EXPECT_STATUS(INVALID_ARGUMENT, create("f", &plugin));
  reset();
  header.name = NULL;
  table.header = NULL;
  EXPECT_STATUS(FAILED_PRECONDITION, create("f", &plugin));
  reset();
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_static_executable_plugin_create(
                                      query, 0, NULL, iree_allocator_system(), &plugin));
  EXPECT(!plugin && live_count == 0);
}

TEST(each_provider_fills_what_it_has) {
  reset();
  iree_hal_executable_plugin_manager_t *manager = NULL;
  ASSERT_OK(iree_hal_executable_plugin_manager_create(3, iree_allocator_system(), &manager));
  EXPECT_OK(iree_hal_executable_plugin_manager_register_provider(
      manager, iree_hal_executable_import_provider_null()));
  EXPECT_OK(add(manager, "f"));
  EXPECT_OK(add(manager, "g"));
  EXPECT_OK(add(manager, "f"));
  EXPECT_STATUS(RESOURCE_EXHAUSTED, add(manager, "h"));
  EXPECT(live_count == 3);
  static const char *const names[] = {"?g", "?h", "f"};
  void *functions[3] = {NULL}, *contexts[3] = {NULL};
  iree_hal_executable_import_resolution_t resolution = 0;
  EXPECT_OK(iree_hal_executable_import_provider_try_resolve(
      iree_hal_executable_plugin_manager_provider(manager), 3, names, functions, contexts,
      &resolution));
  EXPECT(resolution == IREE_HAL_EXECUTABLE_IMPORT_RESOLUTION_MISSING_OPTIONAL);
  EXPECT(functions[0] && !functions[1] && functions[2] && contexts[0] != contexts[2]);
  EXPECT_OK(iree_hal_executable_import_provider_try_resolve(
      iree_hal_executable_plugin_manager_provider(manager), 1, &names[2], functions, contexts,
      NULL));
  EXPECT(contexts[0] == contexts[2]);
  iree_hal_executable_plugin_manager_release(manager);
  EXPECT(live_count == 0);
}

TEST(managers_without_flags_have_room) {
  reset();
  iree_hal_executable_plugin_manager_t *manager = NULL;
  ASSERT_OK(
      iree_hal_executable_plugin_manager_create_from_flags(iree_allocator_system(), &manager));
  EXPECT_OK(iree_hal_register_executable_plugins_from_flags(manager, iree_allocator_system()));
  EXPECT_OK(add(manager, "f"));
  iree_hal_executable_plugin_manager_release(manager);
  EXPECT(live_count == 0);
}

TEST(missing_functions_are_named) {
  reset();
  iree_hal_executable_plugin_manager_t *manager = NULL;
  ASSERT_OK(iree_hal_executable_plugin_manager_create(1, iree_allocator_system(), &manager));
  EXPECT_OK(add(manager, "f"));
  static const char *const names[] = {"?g", "f", "h", "k"};
  void *functions[4] = {NULL}, *contexts[4] = {NULL};
  iree_status_t status = iree_hal_executable_import_provider_try_resolve(
      iree_hal_executable_plugin_manager_provider(manager), 4, names, functions, contexts, NULL);
  EXPECT(iree_status_is_not_found(status));
  char text[1024] = {0};
  iree_host_size_t length = 0;
  iree_status_format(status, sizeof(text), text, &length);
  EXPECT(strstr(text, "missing 2") && strstr(text, "'h', 'k'") &&
         strstr(text, "--executable_plugin="));
  iree_status_ignore(status);
  iree_hal_executable_plugin_manager_release(manager);
}

TEST(loaders_keep_their_manager) {
  reset();
  iree_hal_executable_plugin_manager_t *manager = NULL;
  ASSERT_OK(iree_hal_executable_plugin_manager_create(1, iree_allocator_system(), &manager));
  EXPECT_OK(add(manager, "f"));
  iree_hal_executable_loader_t *loader = NULL;
  static const iree_hal_executable_loader_vtable_t vtable = {.destroy = native_loader_destroy};
  ASSERT_OK(native_loader_create(&vtable, manager, iree_allocator_system(), &loader));
  iree_hal_executable_plugin_manager_release(manager);
  static const char *const names[] = {"f"};
  void *functions[1] = {NULL}, *contexts[1] = {NULL};
  EXPECT_OK(iree_hal_executable_import_provider_try_resolve(loader->import_provider, 1, names,
                                                            functions, contexts, NULL));
  EXPECT(functions[0] && live_count == 1);
  iree_hal_executable_loader_release(loader);
  EXPECT(live_count == 0);
}

TEST(files_that_are_no_plugins) {
  iree_hal_executable_plugin_manager_t *manager = NULL;
  ASSERT_OK(iree_hal_executable_plugin_manager_create(1, iree_allocator_system(), &manager));
  static const char *const absent[] = {"/no/such.so",          "system:/no/such.so", "/no/such.sos",
                                       "embedded:/no/such.so", "no_such_plugin.so",  "libm.so.6"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(absent); ++i) {
    EXPECT_STATUS(NOT_FOUND,
                  iree_hal_register_executable_plugin_from_spec(
                      manager, iree_make_cstring_view(absent[i]), iree_allocator_system()));
  }
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_register_executable_plugin_from_spec(
                                      manager, IREE_SV(""), iree_allocator_system()));
  const iree_const_byte_span_t bytes = iree_make_const_byte_span("\177ELF junk", 9);
  iree_hal_executable_plugin_t *plugin = NULL;
  EXPECT_STATUS(INVALID_ARGUMENT, iree_hal_embedded_elf_executable_plugin_load_from_memory(
                                      bytes, 0, NULL, iree_allocator_system(), &plugin));
  EXPECT_STATUS(INVALID_ARGUMENT,
                iree_hal_system_library_executable_plugin_load_from_memory(
                    IREE_SV("junk"), bytes, 0, NULL, iree_allocator_system(), &plugin));
  EXPECT(!plugin);
  iree_hal_executable_plugin_manager_release(manager);
}

// Fails the allocation whose turn it is.
static iree_status_t failing(void *self, iree_allocator_command_t command, const void *params,
                             void **inout_ptr) {
  int *left = self;
  if (command != IREE_ALLOCATOR_COMMAND_FREE && (*left)-- == 0) {
    return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  }
  iree_allocator_t system = iree_allocator_system();
  return system.ctl(system.self, command, params, inout_ptr);
}

TEST(every_allocation_may_fail) {
  reset();
  int failures = 0;
  for (int n = 0; n < 8; ++n) {
    int left = n;
    iree_hal_executable_plugin_t *plugin = NULL;
    iree_status_t status = create_in((iree_allocator_t){&left, failing}, "f", &plugin);
    if (iree_status_is_ok(status)) {
      iree_hal_executable_plugin_release(plugin);
      break;
    }
    ++failures;
    EXPECT(iree_status_is_resource_exhausted(status) && !plugin);
    iree_status_ignore(status);
  }
  EXPECT(failures == 2 && live_count == 0);
}

TEST_MAIN(CASE(tables_are_checked) CASE(each_provider_fills_what_it_has)
              CASE(managers_without_flags_have_room) CASE(missing_functions_are_named)
                  CASE(loaders_keep_their_manager) CASE(files_that_are_no_plugins)
                      CASE(every_allocation_may_fail))
