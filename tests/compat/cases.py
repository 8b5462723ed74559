# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each case as upstream's compiler makes it, with synchronous and with asynchronous calls, and for the ways to run of program.MODELS:
our runtime gives the bytes that upstream's does, on both drivers. What upstream's compiler refuses or does not end on is a skip, as is
what its own runtime then refuses. Minutes long: part of `make compat`, not of `make check`."""
import json
import pathlib

import cases
import harness
import program

RUNS = (("upstream", "local-sync", "upstream"), ("local-sync", "local-sync", "ours"), ("local-task", "local-task", "ours"))


def tests(options):
    manifest = pathlib.Path(options.cases) / "manifest.json"
    if not manifest.exists():
        yield "all", lambda: harness.skip("no folder of cases at %s" % options.cases)
        return
    for case in json.loads(manifest.read_text()):
        for model in (*cases.MODELS, *program.MODELS):
            yield "%s/%s" % (case["name"], model), lambda case=case, model=model: equal(manifest.parent, case, model)


def compiled(folder, case, model, work):
    """The module, and who runs it where: (name, device, whose runtime)."""
    try:
        if model in program.MODELS:
            flags, devices = program.MODELS[model]
            runs = [("upstream", "local-sync", "upstream")] + [(d or "inline", d or "local-sync", "ours") for d in devices]
            return program.by_upstream(folder / case["name"] / case["module"], flags), runs
        module = work / "module.vmfb"
        if cases.compile_case(folder, case, module, "upstream", model)[0] == "pass":
            return module, RUNS
    except harness.Fail:
        pass
    raise harness.Skip("upstream's compiler does not take the case")


def equal(folder, case, model):
    work = harness.scratch("compat-cases", model, case["name"])
    module, runs = compiled(folder, case, model, work)
    wanted = None
    for name, device, runtime in runs:
        outs, (status, text) = cases.call(folder, case, work, module, device, runtime)
        found = status, [out.read_bytes() for out in outs] if status == "pass" else None
        wanted = wanted or found
        if wanted[0] != "pass" and model in program.MODELS:
            raise harness.Skip("upstream's runtime does not run the case: %s" % text[:80])
        if found != wanted and not flushed(case, wanted, found):
            raise harness.Fail("%s: %s %s, upstream's runtime: %s" % (name, status, text, wanted[0]))


def flushed(case, wanted, found):
    """Whether all that differs is that upstream's runtime takes denormals for zero."""
    if (wanted[0], found[0]) != ("pass", "pass"):
        return False
    tiny = {"atol": 1.2e-38, "rtol": 0.0}
    return not any(cases.far(cases.shape_of(rec["type"])[1], a, b, tiny)
                   for rec, a, b in zip(case["outputs"], wanted[1], found[1]) if a != b)
