// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor under its public names.
#include "iree/task/api.h"

#include <inttypes.h>
#include <stdio.h>

#include "runtime/task/executor.h"

static_assert(IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT == TASK_TOPOLOGY_MAX_GROUP_COUNT, "one limit, two names");
static_assert(IREE_TASK_TOPOLOGY_ANY_PROCESSOR == TASK_TOPOLOGY_ANY_PROCESSOR, "one value, two names");

void iree_task_topology_initialize(iree_task_topology_t *out_topology) { memset(out_topology, 0, sizeof(*out_topology)); }
void iree_task_topology_deinitialize(iree_task_topology_t *topology) { (void)topology; }

void iree_task_topology_initialize_from_group_count(iree_host_size_t group_count, iree_task_topology_t *out_topology) {
  out_topology->group_count = iree_min(group_count, (iree_host_size_t)IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT);
  for (iree_host_size_t i = 0; i < IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT; ++i)
    out_topology->processor_ids[i] = IREE_TASK_TOPOLOGY_ANY_PROCESSOR;
}

iree_status_t iree_task_topology_initialize_from_physical_cores(iree_task_topology_node_id_t node_id,
                                                                iree_host_size_t max_core_count,
                                                                iree_task_topology_t *out_topology) {
  task_topology_choice_t choice = task_topology_choice_default();
  char node[16];
  snprintf(node, sizeof(node), "%" PRIu32, node_id);
  choice.nodes = node_id == IREE_TASK_TOPOLOGY_NODE_ID_ANY ? IREE_SV("all") : iree_make_cstring_view(node);
  choice.max_group_count = iree_min(max_core_count, choice.max_group_count);
  task_topology_t cores;
  IREE_RETURN_IF_ERROR(task_topology_from_machine(&choice, &cores));
  out_topology->group_count = cores.group_count;
  memcpy(out_topology->processor_ids, cores.processor_ids, sizeof(cores.processor_ids));
  return iree_ok_status();
}

void iree_task_executor_options_initialize(iree_task_executor_options_t *out_options) {
  task_executor_options_t options;
  task_executor_options_initialize(&options);
  out_options->worker_spin_ns = options.worker_spin_ns;
}

iree_status_t iree_task_executor_create(const iree_task_executor_options_t options, const iree_task_topology_t *topology,
                                        iree_allocator_t allocator, iree_task_executor_t **out_executor) {
  *out_executor = NULL;
  if (!topology->group_count || topology->group_count > TASK_TOPOLOGY_MAX_GROUP_COUNT)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "a topology of %zu groups; there must be 1 to %d",
                            topology->group_count, TASK_TOPOLOGY_MAX_GROUP_COUNT);
  task_topology_t workers = {.group_count = topology->group_count};
  memcpy(workers.processor_ids, topology->processor_ids, sizeof(workers.processor_ids));
  const task_executor_options_t how = {.worker_spin_ns = options.worker_spin_ns};
  return task_executor_create(&workers, &how, allocator, out_executor);
}

void iree_task_executor_retain(iree_task_executor_t *executor) {
  if (executor) task_executor_retain(executor);
}
void iree_task_executor_release(iree_task_executor_t *executor) {
  if (executor) task_executor_release(executor);
}
iree_host_size_t iree_task_executor_worker_count(iree_task_executor_t *executor) {
  return task_executor_worker_count(executor);
}

iree_status_t iree_task_executors_create_from_flags(iree_allocator_t host_allocator, iree_host_size_t executor_capacity,
                                                    iree_task_executor_t **executors,
                                                    iree_host_size_t *out_executor_count) {
  *out_executor_count = 0;
  if (!executor_capacity) return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no room for the one executor");
  iree_task_executor_options_t options;
  iree_task_executor_options_initialize(&options);
  iree_task_topology_t topology;
  IREE_RETURN_IF_ERROR(iree_task_topology_initialize_from_physical_cores(IREE_TASK_TOPOLOGY_NODE_ID_ANY,
                                                                         IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT, &topology));
  IREE_RETURN_IF_ERROR(iree_task_executor_create(options, &topology, host_allocator, &executors[0]));
  *out_executor_count = 1;
  return iree_ok_status();
}
