# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that upstream compiles for other ways to run (program.MODELS): kernels for the virtual machine, with and without its
microkernels, and programs that run all work in the calling thread. Our runtime gives the stored values, or what upstream's
runtime gives for the same file. compat.cases does the same for the cases.
"""
import harness
import program

# What the kept selection has to cover: control flow, constants, state, shapes, types, kernels of several workgroups.
KEPT = ("add", "branch", "dynamic_batch", "elementwise_int", "many_kernels", "mlp", "softmax", "two_functions", "while_nested")


def tests(options):
    for p in program.programs():
        if p.name not in KEPT:
            continue
        for model in program.MODELS:
            yield "%s/%s" % (model, p.name), lambda p=p, model=model: runs(p, model)


def runs(p, model):
    flags, devices = program.MODELS[model]
    try:
        module = program.by_upstream(p.source_path(), flags)
    except harness.Fail as why:
        raise harness.Skip("upstream's compiler refuses it: %s" % str(why)[:100])
    for i, call in enumerate(p.calls):
        for device in devices:
            check(p, module, call, device, "-%d%s" % (i, device))


def check(p, module, call, device, tag):
    device = device or "local-sync"
    try:
        ours = program.call("ours", module, call, device, tag=tag)
    except harness.Fail:
        upstream_fails(module, call, device, tag)
        raise
    try:
        program.check(call, ours)
    except harness.Fail:
        program.check(dict(call, ulp=0, atol=0), ours, program.call("upstream", module, call, device, tag=tag))


def upstream_fails(module, call, device, tag):
    """Constants of programs without devices, for one, are not there when upstream's compiler is done."""
    try:
        program.call("upstream", module, call, device, tag=tag)
    except harness.Fail:
        raise harness.Skip("upstream's runtime fails on this file, too")
