# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nanoseconds of one call of `add` from Python: `bench_python.py add.vmfb DRIVER`, with the iree.runtime that is found.

The least of many short batches: on a shared machine most of them are disturbed, few are not.
"""
import sys
import time

import numpy as np

import iree.runtime as rt

BATCHES, CALLS = 400, 100


def main():
    config = rt.Config(sys.argv[2])
    context = rt.SystemContext(config=config)
    context.add_vm_module(rt.VmModule.mmap(config.vm_instance, sys.argv[1]))
    add, a, b = context.modules.module["add"], np.array([1, 2, 3, 4], np.float32), np.array([5, 6, 7, 8], np.float32)
    assert np.array_equal(add(a, b).to_host(), a + b)
    best = None
    for _ in range(BATCHES):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            add(a, b)
        batch = (time.perf_counter_ns() - start) / CALLS
        best = batch if best is None else min(best, batch)
    print(best)


if __name__ == "__main__":
    main()
