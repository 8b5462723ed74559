# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports of iree-dump-module: JSON against the program, the tools and the allocator; the page in a browser.

Chromium draws the page of each program once; what it shows is read from the DOM that results. Without it those tests
are skipped. REPORT_SHOTS=DIR keeps pictures there, to be looked at.
"""
import html.parser
import json
import os
import re
import shutil

import harness
import program

# Name, inputs of the first call as flags; None: the report alone.
PROGRAMS = {"add": ["--function=add"], "mlp": [], "ds_cnn": [], "many_kernels": [], "while_count": [], "two_functions": None, "dynamic_batch": None}
CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)


def tests(options):
    for name in PROGRAMS:
        yield "json/" + name, lambda name=name: report_json(name)
        yield "page/" + name, lambda name=name: page(name)
    for name in ("add", "mlp", "ds_cnn", "many_kernels", "softmax", "two_functions", "two_results", "chain_1m"):
        yield "peak/" + name, lambda name=name: peak(name)
    for name in ("mlp", "dynamic_batch"):
        yield "upstream/" + name, lambda name=name: upstream(name)
    yield "kernels/x86-64", lambda: kernels("x86_64", r"\bret\b")
    yield "kernels/aarch64", lambda: kernels("aarch64", r"\bret\b")
    yield "no-debug-data", no_debug_data
    yield "output", output


def load(name):
    return program.Program(program.FOLDER / (name + ".json"))


def dump(module, tag, *flags, kind="json"):
    path = harness.scratch("report") / ("%s.%s" % (tag, kind))
    harness.must([harness.ours("iree-dump-module"), "--output=%s" % path, *flags, module])
    text = path.read_text(encoding="utf8")
    return json.loads(text) if kind == "json" else path


def expect(what, got, wanted):
    if got != wanted:
        raise harness.Fail("%s: %r, expected %r" % (what, got, wanted))


def leaves(node):
    children = node.get("children")
    if children is None:
        return node["bytes"]
    total = sum(leaves(c) for c in children)
    expect("children of " + node["name"], total, node["bytes"])
    return total


def commands(report):
    for buffer in report["command_buffers"]:
        yield from buffer["commands"]
    for function in report["functions"]:
        yield from (s["command"] for s in function["steps"] if s["step"] == "command")


def check_sums(report, size):
    expect("file bytes", report["file"]["bytes"], size)
    expect("sum of all parts", leaves(report["sizes"]), size)
    for function in report["functions"]:
        for tick in function.get("memory", {}).get("ticks", []):
            if tick[4] > tick[3]:
                raise harness.Fail("%s: %d bytes live of %d allocated" % (function["name"], tick[4], tick[3]))


def report_json(name):
    p = load(name)
    module = p.compiled("ours")
    report = dump(module, name)
    check_sums(report, module.stat().st_size)
    dispatches = [c for c in commands(report) if c["op"] == "dispatch"]
    if p.dispatches is not None:
        expect("dispatches", len(dispatches), p.dispatches)
    for c in dispatches:
        if not c["kernel"] or any(u["access"] == "unknown" for u in c["uses"]):
            raise harness.Fail("a dispatch whose kernel or accesses are not known: %s" % c)
    for kernel in (k for x in report["executables"] for k in x["kernels"]):
        if not kernel["sources"] or not kernel["bytes"]:
            raise harness.Fail("a kernel without sources or code: %s" % kernel["name"])


# What the text says a call allocates is what the allocator measures, but for the inputs.
def peak(name):
    p = load(name)
    module = p.compiled("ours")
    call = p.calls[0]
    function = next(f for f in dump(module, name)["functions"] if f["name"] == call["function"])
    expect("reason of an inexact peak", function["memory"]["inexact"], None)
    told = re.search(r"iree\.memory\.peak: (\d+)", harness.must([harness.ours("iree-dump-module"), "--output=metadata", module]).out.decode())
    expect("peak that the module states", told and int(told[1]), function["memory"]["peak_bytes"])
    command = [harness.ours("iree-run-module"), "--module=%s" % module, "--function=" + call["function"], "--print_statistics"]
    inputs, total = [], 0
    for text in call["inputs"]:
        shape, kind = re.fullmatch(r"((?:\d+x)*)([a-z]+\d+)", text.split("=")[0]).groups()
        count = 1
        for extent in shape.split("x")[:-1]:
            count *= int(extent)
        total += count * int(re.search(r"\d+", kind)[0]) // 8
        inputs.append("--input=%s%s=1" % (shape, kind))
    for device in ("local-sync", "local-task"):
        result = harness.must(command + inputs + ["--device=" + device])
        if "%d bytes" % function["memory"]["peak_bytes"] not in result.err:
            raise harness.Fail("statistics do not tell the peak: %s" % result.err)
        measured = int(re.search(r"DEVICE_LOCAL:\s*(\d+)B peak", result.err)[1])
        expect("peak on " + device, measured - total, function["memory"]["peak_bytes"])


def upstream(name):
    module = load(name).compiled("upstream")
    report = dump(module, name + ".upstream")
    check_sums(report, module.stat().st_size)
    dispatches = [c for c in commands(report) if c["op"] == "dispatch"]
    for f in report["functions"]:  # what is not said is not made up
        for b in f.get("memory", {}).get("buffers", []):
            if b["allocated"] and b["pieces"] and not b["vague"]:
                raise harness.Fail("lives of %s are claimed to be known" % b["buffer"])
    page_of(module, name + ".upstream")
    if not dispatches or not all(c["kernel"] for c in dispatches):
        raise harness.Fail("dispatches without kernels: %s" % dispatches)


def kernels(architecture, wanted):
    out = harness.scratch("report") / (architecture + ".vmfb")
    harness.must([harness.ours("iree-compile"), load("mlp").source_path(), "--iree-hal-target-backends=llvm-cpu",
                  "--iree-llvmcpu-target-triple=%s-unknown-linux-gnu" % architecture, "-o", out])
    for kernel in dump(out, architecture)["executables"][0]["kernels"]:
        if not re.search(wanted, kernel.get("assembly", "")):
            raise harness.Fail("no assembly of %s" % kernel["name"])
    for kernel in dump(out, architecture, "--disassembler=none")["executables"][0]["kernels"]:
        expect("hexadecimal digits", len(kernel["hex"]), 2 * kernel["bytes"])


def no_debug_data():
    out = harness.scratch("report") / "plain.vmfb"
    harness.must([harness.ours("iree-compile"), load("add").source_path(), *program.FLAGS, "--iree-hal-executable-debug-level=0", "-o", out])
    report = dump(out, "plain")
    check_sums(report, out.stat().st_size)
    (image,) = report["executables"]
    if image["kernels"] or "debug-level" not in image["note"]:
        raise harness.Fail("kernels without debug data: %s" % image)


def output():
    module = load("add").compiled("ours")
    result = harness.run([harness.ours("iree-dump-module"), "--output=%s/no/such.html" % harness.scratch("report"), module])
    if result.code != 1 or "such.html" not in result.err:
        raise harness.Fail("a file that cannot be written: %s" % result.err)
    result = harness.run([harness.ours("iree-dump-module"), "--output=r.json", "--disassembler=/no/such", module], cwd=harness.scratch("report"))
    if result.code != 1 or "/no/such" not in result.err:
        raise harness.Fail("a disassembler that is not there: %s" % result.err)


# ---- in a browser

class Dom(html.parser.HTMLParser):
    """Texts by id, and how often each class occurs."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.texts, self.classes, self.open = {}, {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for word in (attributes.get("class") or "").split():
            self.classes[word] = self.classes.get(word, 0) + 1
        if tag not in ("meta", "br", "link", "rect", "path", "line"):
            self.open.append((tag, attributes.get("id")))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, name in self.open:
            if name:
                self.texts[name] = self.texts.get(name, "") + data


def browse(path, *flags):
    if not CHROMIUM:
        raise harness.Skip("no chromium here to draw pages")
    profile = harness.scratch("report", "chromium", path.stem)
    result = harness.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=%s" % profile, "--virtual-time-budget=4000",
                          "--enable-logging=stderr", *flags, path.as_uri()], timeout=60)
    told = [line for line in result.err.splitlines() if "CONSOLE" in line]
    if told:
        raise harness.Fail("the page complains: %s" % told[0])
    return result.out.decode("utf8")


def page_of(module, name):
    """The page draws without complaint."""
    if CHROMIUM:
        return browse(dump(module, name, kind="html"), "--dump-dom", "--window-size=1366,900")


def page(name):
    p = load(name)
    module = p.compiled("ours")
    report = dump(module, name + ".page")
    path = dump(module, name, "--source=%s" % p.source_path(), kind="html")
    text = path.read_text(encoding="utf8")
    if re.search(r"""(?:src|href)=["'](?!#)|https?://(?!www\.w3\.org/)|@import|url\(""", re.sub(r'(?s)<script type="application/json".*?</script>', "", text)):
        raise harness.Fail("the page refers to something outside of itself")
    dom = Dom(browse(path, "--dump-dom", "--window-size=1366,900"))
    listed = list(commands(report))
    digits = lambda key: int(re.sub(r"\D", "", dom.texts[key]))
    expect("title", dom.texts["title"], module.name)
    expect("dispatches", digits("card-dispatches"), sum(c["op"] == "dispatch" for c in listed))
    expect("kernels", digits("card-kernels"), sum(len(x["kernels"]) for x in report["executables"]))
    expect("waves", digits("card-waves"), sum(b["waves"] for b in report["command_buffers"]) +
           sum(s["step"] == "command" for f in report["functions"] for s in f["steps"]))
    busiest = max((f for f in report["functions"] if f["exported"]), key=lambda f: len(f["memory"]["ticks"]))
    expect("rows of waves", dom.classes.get("wave", 0), len(busiest["memory"]["ticks"]))
    if "{:,}".format(busiest["memory"]["peak_bytes"]) not in dom.texts["memory-lead"]:
        raise harness.Fail("the peak is not told: %s" % dom.texts["memory-lead"])
    if "add up to the size of the file" not in dom.texts["size-lead"] or "{:,}".format(module.stat().st_size) not in dom.texts["size-lead"]:
        raise harness.Fail("sizes: %s" % dom.texts["size-lead"])
    if "Reads and writes" not in dom.texts["detail"] or "written" not in dom.texts["detail"]:
        raise harness.Fail("no command is shown: %s" % dom.texts["detail"])
    shots = os.environ.get("REPORT_SHOTS")
    for tag, size, theme in (("wide", "1920,2600", "dark"), ("laptop", "1366,2600", "light"), ("narrow", "420,3600", "light")) if shots else ():
        shutil.copy(path, os.path.join(shots, name + ".html"))
        harness.must([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000", "--window-size=" + size,
                      "--screenshot=%s" % os.path.join(shots, "%s.%s.png" % (name, tag)), path.as_uri() + "?theme=" + theme])
