# find_package(IREERuntime): the runtime as targets with the names they have upstream.
#   iree_runtime_unified   everything, static           iree_runtime_shared   libiree_runtime.so and _modules.so
# The finer names (iree_base_base, iree_hal_hal, ...) are the same as iree_runtime_unified.
get_filename_component(_iree_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)

if(NOT TARGET iree_runtime_unified)
  add_library(iree_runtime_unified STATIC IMPORTED)
  set_target_properties(iree_runtime_unified PROPERTIES
    IMPORTED_LOCATION "${_iree_prefix}/lib/libiree_runtime.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_iree_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
  foreach(_iree_name
      iree_base_base iree_hal_hal iree_vm_vm iree_vm_impl iree_vm_bytecode_module iree_vm_cc iree_runtime_runtime
      iree_runtime_impl iree_io_file_contents iree_io_parameter_index iree_io_formats_parser_registry iree_task_api
      iree_modules_hal_hal iree_modules_hal_types iree_modules_io_parameters_parameters
      iree_hal_local_executable_loader iree_hal_local_loaders_embedded_elf_loader
      iree_hal_local_loaders_static_library_loader iree_hal_local_loaders_system_library_loader
      iree_hal_local_loaders_vmvx_module_loader iree_hal_drivers_drivers
      iree_hal_drivers_local_sync_sync_driver iree_hal_drivers_local_task_task_driver)
    add_library(${_iree_name} INTERFACE IMPORTED)
    set_target_properties(${_iree_name} PROPERTIES INTERFACE_LINK_LIBRARIES iree_runtime_unified)
  endforeach()
endif()

if(NOT TARGET iree_runtime_shared)
  add_library(iree_modules_shared SHARED IMPORTED)
  set_target_properties(iree_modules_shared PROPERTIES
    IMPORTED_LOCATION "${_iree_prefix}/lib/libiree_modules.so")
  add_library(iree_runtime_shared SHARED IMPORTED)
  set_target_properties(iree_runtime_shared PROPERTIES
    IMPORTED_LOCATION "${_iree_prefix}/lib/libiree_runtime.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_iree_prefix}/include"
    INTERFACE_LINK_LIBRARIES iree_modules_shared)
endif()

unset(_iree_prefix)
unset(_iree_name)
