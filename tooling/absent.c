// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows: name, upstream's default, why there is no other value (absent.h).

#include "tooling/absent.h"

#define CUDA "this build has no CUDA driver; --list_drivers shows what there is"
#define HIP "this build has no HIP driver; --list_drivers shows what there is"
#define VULKAN "this build has no Vulkan driver; --list_drivers shows what there is"
#define ABORT "failures are statuses that reach the caller; run under a debugger with a breakpoint on iree_status_allocate"
#define LOCAL_MEMORY "workers grow their local memory to what a kernel declares; leave the flag out"
#define TOPOLOGY "choose workers with --task_topology_cpu_ids=, or cores with --task_topology_nodes="
#define DUMP "--dump_devices shows the devices and their workers"
#define ALLOCATOR "devices keep freed memory for reuse by themselves; leave the flag out"
#define PROFILING "no profiling bundles in this build; --trace=FILE writes a timeline"
#define CAPTURE "no GPU capture tools in this build; --trace=FILE writes a timeline"
#define LEAD "every device allocates its own memory; leave the flag out"
#define REPLAY "calls cannot be recorded for replay; --trace=FILE writes a timeline"
#define INSTRUMENT "kernels are not instrumented; --trace=FILE writes a timeline"
#define GUIDE "--help says what there is"
#define COUNTERS "hardware counters are not read; run under `perf stat`"
#define STATISTICS "no counters in devices; --trace=FILE has every dispatch"

static const flag_t k_device_flags[] = {
    FLAG_ABSENT("cuda_use_streams", "true", CUDA),
    FLAG_ABSENT("cuda_allow_inline_execution", "false", CUDA),
    FLAG_ABSENT("cuda_async_allocations", "true", CUDA),
    FLAG_ABSENT("cuda_tracing", "2", CUDA),
    FLAG_ABSENT("cuda_default_index", "0", CUDA),
    FLAG_ABSENT("cuda_default_index_from_mpi", "true", CUDA),
    FLAG_ABSENT("hip_dylib_path", "", HIP),
    FLAG_ABSENT("hip_use_streams", "true", HIP),
    FLAG_ABSENT("hip_allow_inline_execution", "false", HIP),
    FLAG_ABSENT("hip_async_allocations", "true", HIP),
    FLAG_ABSENT("hip_async_caching", "true", HIP),
    FLAG_ABSENT("hip_tracing", "2", HIP),
    FLAG_ABSENT("hip_default_index", "0", HIP),
    FLAG_ABSENT("vulkan_libvulkan_search_path", "", VULKAN),
    FLAG_ABSENT("vulkan_validation_layers", "false", VULKAN),
    FLAG_ABSENT("vulkan_debug_utils", "false", VULKAN),
    FLAG_ABSENT("vulkan_debug_verbosity", "2", VULKAN),
    FLAG_ABSENT("vulkan_tracing", "true", VULKAN),
    FLAG_ABSENT("vulkan_robust_buffer_access", "false", VULKAN),
    FLAG_ABSENT("vulkan_sparse_binding", "false", VULKAN),
    FLAG_ABSENT("vulkan_sparse_residency", "false", VULKAN),
    FLAG_ABSENT("vulkan_buffer_device_addresses", "true", VULKAN),
    FLAG_ABSENT("vulkan_dispatch_abi", "all", VULKAN),
    FLAG_ABSENT("vulkan_cached_bda_replay_instances", "16", VULKAN),
    FLAG_ABSENT("vulkan_cached_bda_replay_publication_bytes", "67108864", VULKAN),
    FLAG_ABSENT("vulkan_retained_cached_bda_replay_instances", "1", VULKAN),
    FLAG_ABSENT("vulkan_dedicated_compute_queue", "true", VULKAN),
    FLAG_ABSENT("task_abort_on_failure", "false", ABORT),
    FLAG_ABSENT("task_worker_local_memory", "0", LOCAL_MEMORY),
    FLAG_ABSENT("task_topology_snapshot", "", TOPOLOGY),
    FLAG_ABSENT("task_topology_distribution", "scatter", TOPOLOGY),
    FLAG_ABSENT("task_topology_favor", "", TOPOLOGY),
    FLAG_ABSENT("dump_task_topologies", "", DUMP),
    FLAG_ABSENT("device_allocator", "", ALLOCATOR),
    FLAG_ABSENT("device_profiling_mode", "", PROFILING),
    FLAG_ABSENT("device_profiling_output", "", PROFILING),
    FLAG_ABSENT("device_profiling_filter_function", "", PROFILING),
    FLAG_ABSENT("device_profiling_filter_command_buffer", "-1", PROFILING),
    FLAG_ABSENT("device_profiling_filter_command_index", "-1", PROFILING),
    FLAG_ABSENT("device_profiling_filter_physical_device", "-1", PROFILING),
    FLAG_ABSENT("device_profiling_filter_queue", "-1", PROFILING),
    FLAG_ABSENT("device_profiling_counter", "", PROFILING),
    FLAG_ABSENT("device_profiling_flush_interval_ms", "0", PROFILING),
    FLAG_ABSENT("print_device_statistics", "false", PROFILING),
    FLAG_ABSENT("device_capture_tool", "", CAPTURE),
    FLAG_ABSENT("device_capture_file", "", CAPTURE),
    FLAG_ABSENT("device_capture_label", "", CAPTURE),
};
const flag_group_t absent_device_flag_group = FLAG_GROUP("Absent", k_device_flags);

static const flag_t k_program_flags[] = {
    FLAG_ABSENT("device_lead_allocator", "0", LEAD),
    FLAG_ABSENT("device_replay_output", "", REPLAY),
    FLAG_ABSENT("device_replay_file_policy", "reference", REPLAY),
    FLAG_ABSENT("device_replay_file_validation", "identity", REPLAY),
    FLAG_ABSENT("instrument_file", "", INSTRUMENT),
    FLAG_ABSENT("agents_md", "false", GUIDE),
};
const flag_group_t absent_program_flag_group = FLAG_GROUP("Absent", k_program_flags);

static const flag_t k_benchmark_flags[] = {
    FLAG_ABSENT("dispatch_statistics", "false", STATISTICS),
    FLAG_ABSENT("benchmark_perf_counters", "", COUNTERS),
};
const flag_group_t absent_benchmark_flag_group = FLAG_GROUP("Absent", k_benchmark_flags);
