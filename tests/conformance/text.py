# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test files of StableHLO and IREE as cases: MLIR text with its checks taken out.

A suite checks inside a function, by ops of a `check` dialect or by custom calls of that name. Here the checked values become
results of the function, the constants that it starts from become arguments, and the comparison is the runner's.
"""
import collections
import re

# text: the module; function: its entry; arguments: [(literal, type)]; checks: [Check]; skip: why it cannot be run
Case = collections.namedtuple("Case", "name text function arguments checks results skip")
# kind: eq, near, ulp, true, false; got, want: result numbers (want may be None); literal: of the wanted constant
Check = collections.namedtuple("Check", "kind got want literal limit")

CHECK = re.compile(r"(?:%\w+\s*=\s*)?(?:stablehlo\.custom_call\s*@)?\"?check\.(\w+)")
OTHER = re.compile(r"check\.expect_serialized|interpreter\.")


def cases(text, name, inputs_as_arguments=True):
    """The cases of one file."""
    for n, chunk in enumerate(re.split(r"(?m)^// -----.*$", text)):
        chunk = without_comments(chunk)
        found = functions(chunk)
        for f in found:
            body = chunk[f.body:f.end - 1]
            if CHECK.search(body):
                yield case(chunk, f, found, "%s/%d.%s" % (name, n, f.name), inputs_as_arguments)


def without_comments(text):
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", text)


def balanced(text, at):
    """The index behind the bracket that closes the one at |at|; `->` and strings do not count."""
    pairs, stack, i = {"(": ")", "[": "]", "{": "}", "<": ">"}, [], at
    while i < len(text):
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c in pairs:
            stack.append(pairs[c])
        elif c in ")]}" or c == ">" and text[i - 1] != "-":
            while stack and stack[-1] == ">" and c != ">":  # a comparison sign, not a bracket
                stack.pop()
            if stack and stack[-1] == c:
                stack.pop()
            if not stack:
                return i + 1
        i += 1
    return len(text)


# start..end of the whole text; args: what stands between the parentheses; body..end: what stands between the braces
Function = collections.namedtuple("Function", "name start args body end")


def functions(text):
    out = []
    for m in re.finditer(r"\bfunc\.func\s+(?:public\s+|private\s+)?@([\w.$-]+|\"[^\"]*\")\s*\(", text):
        close = balanced(text, m.end() - 1)
        i = close
        while text[i] != "{":  # result types in parentheses may hold attributes
            i = balanced(text, i) if text[i] in "(<" else i + 1
            if re.match(r"attributes\s*\{", text[i:]):
                i = balanced(text, text.index("{", i))
        out.append(Function(m.group(1), m.start(), text[m.end():close - 1].strip(), i + 1, balanced(text, i)))
    return out


def tensor_type(text, at):
    """The type that begins at or behind |at|, and the index behind it."""
    m = re.compile(r"\s*((?:tensor|complex)(?=<)|[!\w.]+)").match(text, at)
    end = balanced(text, m.end()) if text[m.end():m.end() + 1] == "<" else m.end()
    return text[m.start(1):end], end


def statement_end(text, at):
    """The index behind the op that begins at |at|: a line's end with all brackets closed and no more of it following."""
    i = at
    while i < len(text) and text[i] != "\n":
        i = balanced(text, i) if text[i] in "([{" or text[i] == "<" and text[i - 1].isalnum() else i + 1
    follows = text[i:].lstrip()
    return statement_end(text, i + 1) if follows[:1] in (":", ",", "{") or text[at:i].rstrip().endswith((",", ":", "=")) else i


def case(chunk, f, found, name, inputs_as_arguments):
    body, checks, results, types = chunk[f.body:f.end - 1], [], [], []
    if OTHER.search(body):
        return Case(name, "", f.name, [], [], [], "several processes, probes or prints of the reference interpreter")
    if f.args:
        return Case(name, "", f.name, [], [], [], "the function takes arguments")
    constants = {m.group(1): (m.group(2), tensor_type(body, m.end())[0]) for m in CONSTANT.finditer(body)}
    expected, body = called(chunk, found, body, "expected")
    constants.update(expected)
    kept, at = "", 0
    for m in iter(lambda: CHECK.search(body, at), None):
        end = statement_end(body, m.end())
        checks.append(check(m.group(1), body[m.end():end], constants, results, types))
        kept, at = kept + body[at:m.start()], end
    body = kept + body[at:]
    arguments, parameters = [], []
    if inputs_as_arguments:
        arguments, parameters, body = as_arguments(chunk, found, body, results)
    body = re.sub(r"(?m)^\s*(?:func\.)?return\b.*$", "", body)
    body += "\n  return %s : %s\n" % (", ".join(results), ", ".join(types))
    text = "func.func @%s(%s) -> (%s) {%s}" % (f.name, ", ".join(parameters), ", ".join(types), body)
    kept = [g for g in found if not CHECK.search(chunk[g.body:g.end]) and (g.name not in ("inputs", "expected") or "@%s()" % g.name in text)]
    parts, at = [], 0
    for g in found:
        parts.append(chunk[at:g.start])
        parts.append(text if g == f else chunk[g.start:g.end] if g in kept else "")
        at = g.end
    return Case(name, "".join(parts) + chunk[at:], f.name, arguments, checks, types, None)


CONSTANT = re.compile(r"(?m)^\s*(%\w+)\s*=\s*(?:stablehlo\.constant|util\.unfoldable_constant)\s+dense<((?:[^<>\"]|\"[^\"]*\")*)>\s*:\s*")


def check(kind, text, constants, results, types):
    """One check as its result numbers; appends to results and types."""
    names = re.findall(r"%\w+(?:#\d+)?", text)
    literal = re.search(r"dense<((?:[^<>\"]|\"[^\"]*\")*)>", text)
    rest = text[literal.end():] if literal else text
    at = [m.start() for m in re.finditer(r"\btensor<", rest)] or [m.start() for m in re.finditer(r"\bi\d+\b", rest)]
    t = tensor_type(rest, at[-1] if not re.search(r":\s*\(", rest) else at[0])[0]
    limit = re.search(r"(?:tolerance|atol|max_ulp_difference)\s*=?\s*([\d.eE+-]+)", text)
    rtol = re.search(r"rtol\s*=?\s*([\d.eE+-]+)", text)
    if kind == "eq" or names[1:] and names[0] in constants and names[1] not in constants:
        names = names[::-1]  # the actual value second

    def result(n):
        results.append(n)
        types.append(t)
        return len(results) - 1

    got = result(names[0])
    if literal is None and names[1:] and names[1] in constants:
        wanted, want = constants[names[1]][0], None
    else:
        wanted, want = literal.group(1) if literal else None, result(names[1]) if names[1:] else None
    name = kind.replace("_const", "").replace("expect_", "")
    if name == "close":
        return Check("ulp", got, want, wanted, "parts:%s" % (limit.group(1) if limit else 3))
    if name in ("almost_eq", "eq") and (name != "eq" or kind == "eq"):
        return Check("near", got, want, wanted, "near:%s,%s" % (limit.group(1) if limit else "1e-4", rtol.group(1) if rtol else "0"))
    return Check(name, got, want, wanted, "value")


def called(chunk, found, body, name):
    """({value: (literal, type)} of the constants that a call of @name returns, the body without the call)"""
    f = next((f for f in found if f.name == name), None)
    call = re.search(r"(?m)^\s*(%%\w+)(?::\d+)?\s*=\s*(?:func\.)?call\s+@%s\(\).*$" % name, body)
    if not f or not call:
        return {}, body
    inside = chunk[f.body:f.end - 1]
    constants = {m.group(1): (m.group(2), tensor_type(inside, m.end())[0]) for m in CONSTANT.finditer(inside)}
    returned = re.findall(r"%\w+", re.search(r"(?m)^\s*(?:func\.)?return\s+([^:]*)", inside).group(1))
    if not all(r in constants for r in returned):
        return {}, body
    names = [call.group(1)] if len(returned) == 1 else ["%s#%d" % (call.group(1), i) for i in range(len(returned))]
    return {n: constants[r] for n, r in zip(names, returned)}, body.replace(call.group(0), "")


def as_arguments(chunk, found, body, results):
    """(arguments, parameters, body): the constants of @inputs, or those of the body's own block."""
    inputs, rest = called(chunk, found, body, "inputs")
    if inputs:
        parameters = []
        for i, (n, (_, t)) in enumerate(inputs.items()):
            parameters.append("%%input_%d: %s" % (i, t))
            rest = re.sub(re.escape(n) + r"(?![\w#])", "%%input_%d" % i, rest)
            results[:] = [("%%input_%d" % i if r == n else r) for r in results]
        return list(inputs.values()), parameters, rest
    arguments, parameters, out, at = [], [], "", 0
    for m in CONSTANT.finditer(body):
        t, end = tensor_type(body, m.end())
        if body[:m.start()].count("{") == body[:m.start()].count("}") and plain(t):
            arguments.append((m.group(2), t))
            parameters.append("%s: %s" % (m.group(1), t))
            out, at = out + body[at:m.start()], end
    return arguments, parameters, out + body[at:]


def plain(t):
    return re.fullmatch(r"tensor<(?:\d+x)*(?:[a-zA-Z0-9]+|complex<\w+>)>", t) is not None
