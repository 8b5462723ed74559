"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  // ---- small things -----------------------------------------------------------------------------
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "on") node.addEventListener(value[0], value[1]);
      else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    for (const child of children.flat(3)) if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  function svg(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  const exact = (n) => n === null || n === undefined ? "unknown" : n.toLocaleString("en-US");
  function bytes(n) {
    if (n === null || n === undefined) return "unknown";
    if (n < 10000) return exact(n) + " B";
    const units = ["KiB", "MiB", "GiB", "TiB"];
    let u = -1;
    do { n /= 1024; ++u; } while (n >= 1024 && u < units.length - 1);
    return n.toFixed(n < 100 ? 1 : 0) + " " + units[u];
  }
  const share = (part, whole) => whole ? (100 * part / whole).toFixed(1) + " %" : "";
  const plural = (n, word) => exact(n) + " " + word + (n === 1 ? "" : word.endsWith("ch") ? "es" : "s");
  const color = (kind) => "var(--" + ({ dispatch: "dispatch", copy: "copy", fill: "fill", transient: "transient", allocated: "transient",
    result: "result", input: "input", constant: "constant", variable: "several", several: "several", code: "code", kernel: "kernel",
    table: "table", container: "container" }[kind] || "fill") + ")";
  const swatch = (kind) => el("span", { class: "swatch", style: "background:" + color(kind), "aria-hidden": "true" });
  function table(columns, rows, caption) {
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", {}, el("thead", {}, el("tr", {}, columns.map((c) => el("th", { scope: "col", class: c.num ? "num" : undefined }, c.name)))),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) =>
          el("td", { class: (columns[i].num ? "num " : "") + (columns[i].wrap ? "wrap " : "") + (columns[i].bar ? "barcell" : "") }, cell)))))));
  }

  // ---- the model --------------------------------------------------------------------------------
  const functions = data.functions, buffers = new Map(data.command_buffers.map((b) => [b.id, b]));
  const exported = data.exports.filter((e) => !e.name.startsWith("__"));
  const choices = (exported.length ? exported : data.exports).map((e) => functions[e.function]).filter((f, i, all) => f && all.indexOf(f) === i);
  const images = new Map(data.executables.map((x) => [x.rodata, x]));
  const commandsOf = (step) => step.step === "command" ? [step.command] :
    step.step === "execute" && buffers.has(step.command_buffer) ? buffers.get(step.command_buffer).commands : [];
  const kernelUses = new Map();
  for (const list of [...data.command_buffers.map((b) => b.commands), ...functions.map((f) => f.steps.filter((s) => s.step === "command").map((s) => s.command))])
    for (const c of list) if (c.op === "dispatch") {
      const key = c.executable + "/" + c.ordinal;
      kernelUses.set(key, (kernelUses.get(key) || 0) + 1);
    }
  const kernelOf = (c) => c.executable !== null && images.has(c.executable) && c.ordinal !== null ? images.get(c.executable).kernels[c.ordinal] : undefined;
  const kernelId = (rodata, i) => "kernel-" + rodata + "-" + i;
  // What a use of a command touches: the slot's buffer through the binding table.
  function place(use, step) {
    if (use.kind !== "slot") return { buffer: use.buffer, kind: use.kind, offset: use.offset };
    const entry = step && step.bindings && use.slot !== null ? step.bindings[use.slot] : undefined;
    if (!entry) return { buffer: use.slot === null ? "unknown" : "slot " + use.slot, kind: "unknown", offset: use.offset };
    return { buffer: entry.buffer || "null", kind: entry.kind, slot: use.slot,
             offset: entry.offset === null || use.offset === null ? null : entry.offset + use.offset };
  }
  function flat(f, depth, out) {  // steps with those of called functions in their place
    for (const step of f.steps) {
      if (out.length > 50000) break;
      out.push({ f, step });
      if (step.step === "call" && depth < 8 && functions[step.callee]) flat(functions[step.callee], depth + 1, out);
    }
    return out;
  }

  // "transient @254" by its place in the bytecode reads worse than "transient A".
  const letters = new Map();
  function called(name) {
    return name.replace(/\b(transient|buffer) @(\d+)/g, (all, what, pc) => {
      if (!letters.has(all)) { const n = letters.size; letters.set(all, what + " " + String.fromCharCode(65 + n % 26) + (n >= 26 ? Math.floor(n / 26) : "")); }
      return letters.get(all);
    });
  }

  // ---- overview ---------------------------------------------------------------------------------
  const attribute = (list, name) => (list.find((a) => a[0] === name) || [])[1];
  function overview() {
    const name = data.file.name.replace(/^.*\//, "");
    document.title = name + " \u2013 module report";
    $("title").textContent = name;
    $("subtitle").textContent = "module @" + data.module.name;
    if (data.stopped) { $("alert").hidden = false; $("alert").textContent = "Incomplete: " + data.stopped + "."; }
    const kernels = data.executables.reduce((n, x) => n + x.kernels.length, 0);
    const sum = (cause, node) => node.children ? node.children.reduce((n, c) => n + sum(cause, c), 0) : node.cause === cause ? node.bytes : 0;
    let dispatches = 0, waves = 0;
    for (const b of data.command_buffers) { dispatches += b.commands.filter((c) => c.op === "dispatch").length; waves += b.waves; }
    for (const f of functions) for (const s of f.steps) if (s.step === "command") { dispatches += s.command.op === "dispatch"; ++waves; }
    const peak = choices.reduce((best, f) => f.memory && (!best || f.memory.peak_bytes > best.peak_bytes) ? f.memory : best, null);
    const card = (value, label, id) => el("div", { class: "card" }, el("b", { id }, value), el("span", {}, label));
    $("cards").append(
      card(bytes(data.file.bytes), exact(data.file.bytes) + " bytes of file", "card-file"),
      card(exact(dispatches), "dispatches recorded", "card-dispatches"),
      card(exact(waves), "waves between barriers", "card-waves"),
      card(exact(kernels), (kernels === 1 ? "kernel, " : "kernels, ") + bytes(sum("kernel", data.sizes)), "card-kernels"),
      card(bytes(sum("constant", data.sizes)), "constant data", "card-constants"),
      card(peak ? (peak.inexact ? "\u2265 " : "") + bytes(peak.peak_bytes) : "none", peak && peak.inexact ? "peak memory of a call, at least" : "peak memory of a call", "card-peak"));
    const target = attribute(data.module.attributes, "target") || data.executables.map((x) => x.machine || "unknown machine").filter((m, i, all) => all.indexOf(m) === i).join(", ");
    const facts = [["Target", target || "none: no executables"], ["Bytecode", data.module.bytecode], ["Needs modules", data.module.dependencies.join(", ") || "none"],
      ["State", exact(data.module.globals.bytes) + " bytes and " + plural(data.module.globals.refs, "object")],
      ...data.module.attributes.filter((a) => a[0] !== "target")];
    const rows = data.exports.filter((e) => !e.name.startsWith("__") || !exported.length).map((e) => {
      const f = functions[e.function];
      return [el("code", {}, e.name), el("span", { class: "wrap" }, attribute(e.attributes, "iree.abi.declaration") || e.calling_convention || "no signature"),
        f && f.memory ? (f.memory.inexact ? "\u2265 " : "") + exact(f.memory.peak_bytes) : "", f ? exact(f.bytes) : ""];
    });
    $("facts").append(table([{ name: "Entry point" }, { name: "Signature", wrap: true }, { name: "Peak bytes", num: true }, { name: "Bytecode bytes", num: true }], rows, "Entry points"),
      el("h3", {}, "File"), el("dl", { class: "facts" }, facts.map(([a, b]) => el("div", {}, el("dt", {}, a), el("dd", {}, b)))));
  }

  // ---- schedule ---------------------------------------------------------------------------------
  let selected = null;
  const tags = (x) => [x.loop ? el("span", { class: "tag" }, "in a loop") : null, x.conditional && !x.loop ? el("span", { class: "tag" }, "on some paths") : null];
  const short = (name) => name ? name.replace(/^.*?dispatch_/, "").replace(/^async_/, "") : "unknown kernel";
  const grid = (c) => c.workgroups ? c.workgroups.map((n) => n === null ? "?" : n).join("\u00d7") : "counts from a buffer";
  const moved = (c) => c.uses.reduce((n, u) => n + (u.length || 0), 0);
  function chip(command, step, wave) {
    const label = command.op === "dispatch" ? short(command.kernel) : command.op;
    const more = command.op === "dispatch" ? grid(command) : bytes(command.uses.length ? command.uses[command.uses.length - 1].length : null);
    const button = el("button", { type: "button", class: "chip " + command.op, "aria-pressed": "false",
      title: (command.kernel || command.op), on: ["click", () => select(button, command, step, wave)] },
      el("span", { class: "name" }, label), el("span", { class: "more" }, more), ...tags(command));
    return button;
  }
  function sourceNodes(kernel, command) {
    const places = [];
    let file = "";
    for (const token of (kernel && kernel.sources ? kernel.sources.split(" ") : [])) {
      const m = token.match(/^(.*?):(\d+)(?::(\d+))?$/);
      if (!m) { if (token) places.push({ text: token + " more" }); continue; }
      file = m[1] || file;
      places.push({ text: file.replace(/^.*\//, "") + ":" + m[2] + (m[3] ? ":" + m[3] : ""), line: +m[2] });
    }
    if (!places.length && command && command.source) places.push({ text: command.source });
    if (!places.length) return [el("p", { class: "muted" }, "The file does not say where this comes from.")];
    const nodes = [];
    for (const p of places) {
      const line = data.source && p.line ? data.source[p.line - 1] : undefined;
      nodes.push(el("div", { class: "mono", title: p.text }, p.text));
      if (line !== undefined) nodes.push(el("div", { class: "src", tabindex: "0" }, line.trim()));
    }
    return nodes;
  }
  function select(button, command, step, wave) {
    if (selected) selected.setAttribute("aria-pressed", "false");
    selected = button;
    button.setAttribute("aria-pressed", "true");
    const kernel = kernelOf(command), detail = $("detail");
    detail.replaceChildren(el("h3", {}, command.kernel || command.op));
    const facts = [["Wave", exact(wave)]];
    if (command.op === "dispatch") {
      facts.push(["Workgroups", grid(command)]);
      if (command.constants.length) facts.push(["Constants", command.constants.map((c) => c === null ? "?" : c).join(", ")]);
      if (kernel) facts.push(["Kernel", el("a", { href: "#" + kernelId(command.executable, command.ordinal), on: ["click", () => openKernel(command)] }, bytes(kernel.bytes) + " of code")]);
    }
    detail.append(el("dl", {}, facts.flatMap(([a, b]) => [el("dt", {}, a), el("dd", {}, b)])), el("h3", {}, "Reads and writes"));
    for (const use of command.uses) {
      const at = place(use, step);
      detail.append(el("div", { class: "use" },
        el("span", { class: "access " + ({ read: "read", unknown: "muted" }[use.access] || "written") }, use.access === "unknown" ? "not said" : use.access),
        el("span", { class: "what" }, swatch(at.kind), called(at.buffer), el("br"),
          el("span", { class: "mono muted" }, at.offset === null || use.length === null ?
            (use.length === null ? "a range known at run time" : exact(use.length) + " bytes, at an offset known at run time") :
            "[" + exact(at.offset) + ", " + exact(at.offset + use.length) + ")  " + exact(use.length) + " bytes"))));
    }
    if (!command.uses.length) detail.append(el("p", { class: "muted" }, "Nothing."));
    if (command.op === "dispatch") detail.append(el("h3", {}, "Source"), ...sourceNodes(kernel, command));
  }
  function stepRow(step) {
    const what = { alloca: "allocate", allocate: "allocate", dealloca: "free", import: "use constant data", read: "read from file into", write: "write to file from",
      "host read": "host reads", "host write": "host writes", wait: "host waits", call: "call", other: "call" }[step.step] || step.step;
    const subject = step.step === "call" ? "@" + (functions[step.callee] && functions[step.callee].name || "fn" + step.callee) :
      step.step === "other" ? "@" + step.import : called(step.buffer || "");
    return el("div", { class: "step" }, el("b", {}, what), " ", subject, step.bytes !== undefined && step.step !== "dealloca" ? ", " + (step.bytes === null ? "size known at run time" : exact(step.bytes) + " bytes") : "", ...tags(step));
  }
  function schedule(f) {
    const list = $("waves");
    list.replaceChildren();
    selected = null;
    let n = 0, dispatches = 0, first = null, firstIsDispatch = false;
    const columns = [];
    for (const { step } of flat(f, 0, [])) {
      const commands = commandsOf(step);
      if (step.step === "execute") {
        const cb = buffers.get(step.command_buffer);
        list.append(el("div", { class: "step" }, el("b", {}, "submit"), cb ? " commands recorded " + cb.recorded + ", " + plural(cb.waves, "wave") : " commands that cannot be told statically", ...tags(step)));
      } else if (step.step !== "command") {
        list.append(stepRow(step));
        continue;
      }
      const byWave = [];
      for (const c of commands) (byWave[c.wave] = byWave[c.wave] || []).push(c);
      for (const group of byWave) {
        if (!group) continue;
        const wave = n;
        const row = el("div", { class: "wave" }, el("div", { class: "n" }, "wave " + n),
          el("div", { class: "c" }, group.map((c) => { const b = chip(c, step, wave); if (!first || (c.op === "dispatch" && !firstIsDispatch)) { first = b; firstIsDispatch = c.op === "dispatch"; } return b; })));
        list.append(row);
        columns.push({ row, n, count: group.length, bytes: group.reduce((s, c) => s + moved(c), 0), op: group.some((c) => c.op === "dispatch") ? "dispatch" : group[0].op });
        dispatches += group.filter((c) => c.op === "dispatch").length;
        ++n;
      }
    }
    if (!list.children.length) list.append(el("div", { class: "step" }, "No commands: everything happens on the host."));
    $("schedule-lead").textContent = "@" + f.name + " runs " + plural(dispatches, "dispatch") + " in " + plural(n, "wave") +
      ". Commands of one wave may run side by side; a wave starts when the one before has ended." + (f.followed ? "" : " This function is too large to be followed.");
    strip(columns);
    if (first) first.click();
    else $("detail").replaceChildren(el("p", { class: "muted" }, "Nothing to show."));
  }
  function strip(columns) {
    const box = $("strip");
    box.replaceChildren();
    if (columns.length < 2) return;
    const w = 1000, h = 58, top = Math.max(1, ...columns.map((c) => c.bytes)), step = w / columns.length;
    const picture = svg("svg", { viewBox: "0 0 " + w + " " + h, preserveAspectRatio: "none", role: "img", "aria-label": "Bytes touched by each of " + columns.length + " waves" });
    columns.forEach((c, i) => {
      const size = 3 + (h - 8) * Math.sqrt(c.bytes / top);
      picture.append(svg("rect", { x: i * step + Math.min(step * 0.1, 1.5), y: h - size, width: Math.max(step - Math.min(step * 0.2, 3), 0.5), height: size, fill: color(c.op) },
        svg("title", {}, "wave " + c.n + ": " + plural(c.count, "command") + ", " + exact(c.bytes) + " bytes touched")));
    });
    picture.addEventListener("click", (e) => {
      const r = picture.getBoundingClientRect(), c = columns[Math.min(columns.length - 1, Math.floor((e.clientX - r.left) / r.width * columns.length))];
      $("waves").scrollTop = c.row.offsetTop - $("waves").offsetTop;
      c.row.querySelector("button").click();
    });
    box.append(picture);
  }

  // ---- memory -----------------------------------------------------------------------------------
  const axisStep = (n) => { let s = 1; for (const m of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) { s = m; if (n / m <= 20) break; } return s; };
  function xAxis(picture, n, left, w, y) {
    const s = axisStep(n);
    for (let i = 0; i < n; i += s) picture.append(svg("text", { x: left + (i + 0.5) * w / n, y, "text-anchor": "middle" }, String(i)));
  }
  function memoryChart(m, width) {
    const n = m.ticks.length, left = 74, right = 12, h = 150, top = 18, w = width - left - right;
    const peak = Math.max(1, m.peak_bytes, ...m.ticks.map((t) => t[3]));
    const x = (i) => left + i * w / n, y = (v) => top + h - h * v / peak;
    const area = (k) => { let d = "M" + x(0) + "," + y(0); m.ticks.forEach((t, i) => { d += "V" + y(t[k]) + "H" + x(i + 1); }); return d + "V" + y(0) + "Z"; };
    const picture = svg("svg", { viewBox: "0 0 " + width + " " + (h + top + 22), height: h + top + 22, role: "img", id: "memory-svg",
      "aria-label": "Memory over " + n + " waves, peak " + m.peak_bytes + " bytes" });
    picture.append(...[svg("path", { d: area(3), fill: "var(--alloc)" }), m.vague ? null : svg("path", { d: area(4), fill: "var(--live)" }),
      svg("line", { x1: left, x2: width - right, y1: y(m.peak_bytes), y2: y(m.peak_bytes), stroke: "var(--several)", "stroke-dasharray": "5 4" }),
      svg("text", { x: left - 6, y: y(m.peak_bytes) + 4, "text-anchor": "end" }, bytes(m.peak_bytes)),
      svg("text", { x: left - 6, y: y(0) + 1, "text-anchor": "end" }, "0"),
      svg("text", { x: left - 6, y: top + h + 18, "text-anchor": "end" }, "wave")].filter((x) => x));
    m.ticks.forEach((t, i) => picture.append(svg("rect", { x: x(i), y: top, width: Math.max(w / n, 0.5), height: h, fill: "transparent" },
      svg("title", {}, "wave " + i + ": " + exact(t[3]) + " bytes allocated" + (m.vague ? "" : ", " + exact(t[4]) + " of them hold values")))));
    xAxis(picture, n, left, w, top + h + 18);
    return el("div", { class: "chart" }, picture);
  }
  function slab(b, n, width) {
    const left = 74, right = 12, size = b.bytes || Math.max(1, ...b.pieces.map((p) => p[0] + p[1]));
    const h = Math.min(320, Math.max(56, 18 * new Set(b.pieces.map((p) => p[0])).size + 20)), top = 6, w = width - left - right;
    const picture = svg("svg", { viewBox: "0 0 " + width + " " + (h + top + 22), height: h + top + 22, role: "img",
      "aria-label": called(b.buffer) + ": " + b.pieces.length + (b.vague ? " uses over " : " values over ") + n + " waves; the table below lists them" });
    picture.append(svg("rect", { x: left, y: top, width: w, height: h, fill: "var(--soft)" }));
    for (const [offset, length, t0, t1] of b.pieces) {
      const x = left + t0 * w / n, y = top + h * offset / size, pw = Math.max((t1 - t0 + 1) * w / n - 1, 1), ph = Math.max(h * length / size - 1, 1);
      picture.append(svg("rect", { x, y, width: pw, height: ph, fill: color(b.kind), rx: Math.min(3, ph / 3) },
        svg("title", {}, "bytes " + exact(offset) + " to " + exact(offset + length) + " (" + exact(length) + "), waves " + t0 + " to " + t1)));
      const label = bytes(length);
      if (ph >= 14 && pw >= 7 * label.length + 6) picture.append(svg("text", { class: "tile", x: x + pw / 2, y: y + ph / 2 + 4, "text-anchor": "middle", "pointer-events": "none" }, label));
    }
    picture.append(svg("text", { x: left - 6, y: top + 10, "text-anchor": "end" }, "0"), svg("text", { x: left - 6, y: top + h, "text-anchor": "end" }, bytes(size)),
      svg("text", { x: left - 6, y: top + h + 17, "text-anchor": "end" }, "wave"));
    xAxis(picture, n, left, w, top + h + 17);
    const rows = () => table([{ name: "Offset", num: true }, { name: "Bytes", num: true }, { name: "Waves", num: true }],
      b.pieces.slice(0, 2000).map((p) => [exact(p[0]), exact(p[1]), p[2] === p[3] ? String(p[2]) : p[2] + "\u2013" + p[3]]), "Values in " + called(b.buffer));
    return el("div", { class: "slab" },
      el("div", { class: "slab-head" }, el("h3", { style: "margin:0" }, swatch(b.kind), called(b.buffer)), el("span", { class: "muted" },
        (b.bytes === null ? "size known at run time" : exact(b.bytes) + " bytes") + ", " + (b.vague ? "bytes touched in each wave, as the file does not say what is read and what written" : plural(b.pieces.length, "value")) + (b.unplaced ? ", " + plural(b.unplaced, "use") + " at places known at run time" : ""))),
      el("div", { class: "chart" }, picture), lazy("As a table", rows));
  }
  function lazy(title, make) {
    const box = el("div", { class: "body" });
    return el("details", { on: ["toggle", (e) => { if (e.target.open && !box.children.length) box.append(make()); }] }, el("summary", {}, title), box);
  }
  function memory(f) {
    const m = f.memory, chart = $("memory-chart"), list = $("slabs");
    chart.replaceChildren();
    list.replaceChildren();
    if (!m || (!m.ticks.length && !m.buffers.length)) { $("memory-lead").textContent = "@" + f.name + " uses no device memory."; return; }
    const width = Math.max(420, Math.min(1440, chart.clientWidth - 22));
    $("memory-lead").textContent = m.inexact ? "@" + f.name + " allocates at least " + exact(m.peak_bytes) + " bytes at once: " + m.inexact + "." :
      "@" + f.name + " allocates exactly " + exact(m.peak_bytes) + " bytes at its peak, results included; inputs, constants and staging on the host are not counted.";
    if (m.ticks.length) {
      chart.append(memoryChart(m, width), el("div", { class: "legend" }, el("span", {}, el("span", { class: "swatch", style: "background:var(--alloc)" }), "allocated"),
        m.vague ? el("span", {}, "what holds a value is not known: the file does not say what its kernels read and write") :
          el("span", {}, el("span", { class: "swatch", style: "background:var(--live)" }), "holds a value that is still needed"), el("span", {}, el("span", { class: "swatch", style: "background:var(--several)" }), "peak")));
    }
    list.append(table([{ name: "Buffer", wrap: true }, { name: "Kind" }, { name: "Bytes", num: true }, { name: "Waves", num: true }, { name: "Values", num: true }],
      m.buffers.map((b) => [el("span", {}, swatch(b.kind), called(b.buffer)), (b.host ? "staging on the host" : b.kind) + (b.allocated && !b.host ? "" : ", not counted"),
        b.bytes === null ? (b.pieces.length ? "\u2265 " + exact(Math.max(...b.pieces.map((p) => p[0] + p[1]))) : "unknown") : exact(b.bytes), b.first + "\u2013" + b.last, b.vague ? "unknown" : exact(b.pieces.length)]), "Buffers"));
    for (const b of m.buffers.filter((x) => x.allocated && x.pieces.length)) list.append(slab(b, m.ticks.length, width));
  }

  // ---- size -------------------------------------------------------------------------------------
  function leaves(node, path) {
    if (!node.children) return node.bytes ? [{ name: node.name, bytes: node.bytes, cause: node.cause, path }] : [];
    return node.children.flatMap((c) => leaves(c, node === data.sizes ? [] : [...path, node.name]));
  }
  // Squarified: rows along the shorter side, each extended while its worst proportion improves.
  function squarify(items, x, y, w, h, out) {
    items = items.filter((i) => i.bytes > 0);
    let total = items.reduce((s, i) => s + i.bytes, 0), at = 0;
    while (at < items.length) {
      const side = Math.min(w, h), scale = w * h / total;
      let n = 1, sum = items[at].bytes * scale;
      const worst = (s, count) => { const a = items[at].bytes * scale, b = items[at + count - 1].bytes * scale; return Math.max(side * side * a / (s * s), s * s / (side * side * b)); };
      while (at + n < items.length) {
        const next = sum + items[at + n].bytes * scale;
        if (worst(next, n + 1) > worst(sum, n)) break;
        sum = next;
        ++n;
      }
      const thick = sum / side;
      let along = 0;
      for (let i = 0; i < n; ++i) {
        const item = items[at + i], length = item.bytes * scale / thick;
        out.push(w <= h ? { item, x: x + along, y, w: length, h: thick } : { item, x, y: y + along, w: thick, h: length });
        along += length;
        total -= item.bytes;
      }
      if (w <= h) { y += thick; h -= thick; } else { x += thick; w -= thick; }
      at += n;
    }
  }
  function size() {
    const all = leaves(data.sizes, []).sort((a, b) => b.bytes - a.bytes), total = data.file.bytes;
    const sum = all.reduce((s, l) => s + l.bytes, 0);
    $("size-lead").textContent = exact(total) + " bytes in " + plural(all.length, "part") + (sum === total ? ", which add up to the size of the file." : "; parts add up to " + exact(sum) + ".");
    const box = $("treemap"), W = box.clientWidth, H = box.clientHeight, groups = new Map();
    box.replaceChildren();
    box.setAttribute("aria-label", "Bytes of the file by part; the table below has the same numbers");
    for (const l of all) { if (!groups.has(l.cause)) groups.set(l.cause, []); groups.get(l.cause).push(l); }
    const tops = [...groups].map(([cause, items]) => ({ cause, items, bytes: items.reduce((s, i) => s + i.bytes, 0) })).sort((a, b) => b.bytes - a.bytes);
    const outer = [];
    squarify(tops, 0, 0, W, H, outer);
    for (const o of outer) {
      const cells = [];
      squarify(o.item.items, o.x, o.y, o.w, o.h, cells);
      for (const c of cells) {
        const text = c.w > 54 && c.h > 22, two = c.h > 40;
        box.append(el("div", { class: "cell", style: "left:" + c.x + "px;top:" + c.y + "px;width:" + c.w + "px;height:" + c.h + "px;background:" + color(c.item.cause) + (text ? "" : ";padding:0;border-width:0.5px"),
          title: [...c.item.path, c.item.name].join(" / ") + ": " + exact(c.item.bytes) + " bytes, " + share(c.item.bytes, total) }, text ? el("b", {}, c.item.name) : null, text && two ? el("span", {}, bytes(c.item.bytes)) : null));
      }
    }
    const words = { code: "bytecode", kernel: "kernels", constant: "constants", table: "tables", container: "zip and alignment" };
    $("size-legend").replaceChildren(...tops.map((t) => el("span", {}, swatch(t.cause), (words[t.cause] || t.cause) + " " + bytes(t.bytes) + ", " + share(t.bytes, total))));
    const draw = (n) => {
      const rows = all.slice(0, n).map((l) => [el("span", {}, swatch(l.cause), l.name), l.path.join(" / "), exact(l.bytes), share(l.bytes, total),
        el("div", { class: "bar", style: "width:" + 100 * l.bytes / all[0].bytes + "%;background:" + color(l.cause) })]);
      $("size-table").replaceChildren(table([{ name: "Part", wrap: true }, { name: "In" , wrap: true }, { name: "Bytes", num: true }, { name: "Share", num: true }, { name: "", bar: true }], rows, "Bytes by part"),
        n < all.length ? el("p", {}, el("button", { type: "button", on: ["click", () => draw(all.length)] }, "Show all " + exact(all.length) + " parts")) : "");
    };
    draw(15);
  }

  // ---- kernels ----------------------------------------------------------------------------------
  function hexLines(hex) {
    const lines = [];
    for (let i = 0; i < hex.length; i += 64) lines.push((i / 2).toString(16).padStart(5, "0") + "  " + hex.slice(i, i + 64).replace(/(..)/g, "$1 "));
    return lines.join("\n");
  }
  function kernelBody(image, kernel) {
    const body = [el("h3", {}, "Source"), ...sourceNodes(kernel), el("h3", {}, kernel.assembly ? "Disassembly" : "Code")];
    if (kernel.assembly) body.push(el("pre", { tabindex: "0" }, kernel.assembly));
    else if (kernel.hex) body.push(el("p", { class: "muted" }, image.disassembly || "Bytes only: no disassembler was there when this report was made."), el("pre", { tabindex: "0" }, hexLines(kernel.hex)));
    else body.push(el("p", { class: "muted" }, "No code in this image."));
    return el("div", {}, body);
  }
  function openKernel(command) {
    const node = document.getElementById(kernelId(command.executable, command.ordinal));
    if (node) node.open = true;
  }
  function kernels() {
    const count = data.executables.reduce((n, x) => n + x.kernels.length, 0);
    $("kernels-lead").textContent = count ? plural(count, "kernel") + ", largest first. Each runs once per workgroup of its dispatches." :
      data.executables.length ? "The executables do not say where their kernels are." : "No executables: nothing runs on a device.";
    for (const image of data.executables) {
      const list = image.kernels.map((kernel, i) => ({ kernel, i })).sort((a, b) => b.kernel.bytes - a.kernel.bytes);
      $("kernel-list").append(el("h3", {}, "Executable in rodata " + image.rodata, " ", el("span", { class: "muted", style: "font-weight:400" }, (image.machine || "not ELF") + ", " + exact(image.bytes) + " bytes")));
      if (image.note) $("kernel-list").append(el("p", { class: "muted" }, image.note));
      if (!list.length) continue;
      $("kernel-list").append(el("div", { class: "scroll" }, list.map(({ kernel, i }) => {
        const uses = kernelUses.get(image.rodata + "/" + i) || 0, box = el("div", { class: "body" });
        return el("details", { id: kernelId(image.rodata, i), on: ["toggle", (e) => { if (e.target.open && !box.children.length) box.append(kernelBody(image, kernel)); }] },
          el("summary", {}, el("span", { class: "name" }, kernel.name || "kernel " + i), el("span", { class: "muted" }, exact(kernel.bytes) + " bytes, " +
            (kernel.bindings === null ? "" : plural(kernel.bindings, "binding") + ", ") + plural(uses, "dispatch"))), box);
      })));
    }
  }

  // ---- theme, function, start -------------------------------------------------------------------
  const root = document.documentElement;
  function theme(dark) {
    root.setAttribute("data-theme", dark ? "dark" : "light");
    root.style.colorScheme = dark ? "dark" : "light";
    $("theme").textContent = dark ? "Light" : "Dark";
    $("theme").setAttribute("aria-label", "Use " + (dark ? "light" : "dark") + " colours");
  }
  const wanted = /theme=(dark|light)/.exec(location.search + location.hash);
  theme(wanted ? wanted[1] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  $("theme").addEventListener("click", () => theme(root.getAttribute("data-theme") !== "dark"));
  const busiest = choices.reduce((best, f, i) => (f.memory ? f.memory.ticks.length : 0) > (choices[best].memory ? choices[best].memory.ticks.length : 0) ? i : best, 0);
  choices.forEach((f, i) => $("picker").append(el("option", { value: String(i), selected: i === busiest }, f.name || "fn" + f.ordinal)));
  if (choices.length < 2) $("picker-label").hidden = true;
  const show = () => { const f = choices[+$("picker").value] || choices[0]; if (f) { schedule(f); memory(f); } };
  $("picker").addEventListener("change", show);
  overview();
  show();
  size();
  kernels();
  let timer = 0, seen = innerWidth;
  addEventListener("resize", () => { clearTimeout(timer); if (innerWidth !== seen) timer = setTimeout(() => { seen = innerWidth; const f = choices[+$("picker").value] || choices[0]; if (f) memory(f); size(); }, 150); });
})();
