// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every instruction is executed at least once, from assembly, against values worked out by hand.
// The last case compares the rows of abi/isa.def with the instructions that the cases here contain.
#include <math.h>

#include "runtime/vm/test/vm_env.h"

// Functions take nothing and return values; |expected| are their bits, wide ones as they are.
typedef struct isa_case_t {
  const char *results;  // letters
  const char *text;
  double expected[4];
} isa_case_t;

// clang-format off
#define I32_BINARY(op, a, b, r) {"i", "const.i32 " #a " i0; const.i32 " #b " i1; " op " i0 i1 i2; return [i2]", {r}}
#define I64_BINARY(op, a, b, r) {"I", "const.i64 " #a " i0; const.i64 " #b " i2; " op " i0 i2 i4; return [i4]", {r}}
#define I64_COMPARE(op, a, b, r) {"i", "const.i64 " #a " i0; const.i64 " #b " i2; " op " i0 i2 i4; return [i4]", {r}}
#define I64_SHIFT(op, a, b, r) {"I", "const.i64 " #a " i0; const.i32 " #b " i2; " op " i0 i2 i4; return [i4]", {r}}
#define I32_UNARY(op, a, r) {"i", "const.i32 " #a " i0; " op " i0 i1; return [i1]", {r}}
#define I64_UNARY(op, a, r) {"I", "const.i64 " #a " i0; " op " i0 i2; return [i2]", {r}}
#define F32_UNARY(op, a, r) {"f", "const.f32 " #a " i0; " op " i0 i1; return [i1]", {r}}
#define F64_UNARY(op, a, r) {"F", "const.f64 " #a " i0; " op " i0 i2; return [i2]", {r}}
#define F32_BINARY(op, a, b, r) {"f", "const.f32 " #a " i0; const.f32 " #b " i1; " op " i0 i1 i2; return [i2]", {r}}
#define F64_BINARY(op, a, b, r) {"F", "const.f64 " #a " i0; const.f64 " #b " i2; " op " i0 i2 i4; return [i4]", {r}}
#define F32_COMPARE(op, a, b, r) {"i", "const.f32 " #a " i0; const.f32 " #b " i1; " op " i0 i1 i2; return [i2]", {r}}
#define F64_COMPARE(op, a, b, r) {"i", "const.f64 " #a " i0; const.f64 " #b " i2; " op " i0 i2 i4; return [i4]", {r}}
#define CONVERT(from, width, op, a, to, r) {#to, "const." #from " " #a " i0; " op " i0 i2; return [i2]", {r}}

static const isa_case_t k_cases[] = {
    // Globals: 4 and 8 byte slots in one bank, and refs.
    {"i", "const.i32 7 i0; global.store.i32 4 i0; global.load.i32 4 i1; return [i1]", {7}},
    {"i", "const.i32 8 i0; const.i32 9 i1; global.store.indirect.i32 i0 i1;"
          "global.load.indirect.i32 i0 i2; return [i2]", {9}},
    {"I", "const.i64 -7 i0; global.store.i64 8 i0; global.load.i64 8 i2; return [i2]", {-7}},
    {"I", "const.i32 16 i0; const.i64 77 i2; global.store.indirect.i64 i0 i2;"
          "global.load.indirect.i64 i0 i4; return [i4]", {77}},
    {"f", "const.f32 1.5 i0; global.store.f32 4 i0; global.load.f32 4 i1; return [i1]", {1.5}},
    {"f", "const.i32 4 i0; const.f32 2.5 i1; global.store.indirect.f32 i0 i1;"
          "global.load.indirect.f32 i0 i2; return [i2]", {2.5}},
    {"F", "const.f64 3.5 i0; global.store.f64 8 i0; global.load.f64 8 i2; return [i2]", {3.5}},
    {"F", "const.i32 8 i0; const.f64 4.5 i2; global.store.indirect.f64 i0 i2;"
          "global.load.indirect.f64 i0 i4; return [i4]", {4.5}},
    {"ii", "const.ref.rodata 0 r0; global.store.ref 0 0 R0; cmp.nz.ref r0 i0;"
           "global.load.ref 0 0 r1; cmp.nz.ref r1 i1; return [i0 i1]", {0, 1}},
    {"ii", "const.i32 1 i2; const.ref.rodata 0 r0; global.store.indirect.ref i2 0 r0;"
           "global.load.indirect.ref i2 0 R1; global.load.indirect.ref i2 0 r2;"
           "cmp.nz.ref r1 i0; cmp.nz.ref r2 i1; return [i0 i1]", {1, 0}},
    // Constants.
    {"iIfF", "const.i32.zero i0; const.i64.zero i2; const.f32.zero i1; const.f64.zero i4;"
             "return [i0 i2 i1 i4]", {0, 0, 0, 0}},
    {"i", "const.ref.rodata 0 r0; const.ref.zero r0; cmp.nz.ref r0 i0; return [i0]", {0}},
    // Lists, typed and variant.
    {"ii", "const.i32 2 i0; const.i32 1 i1; list.alloc 1 i0 r0; list.resize r0 i0;"
           "const.i32 -7 i2; list.set.i32 r0 i1 i2; list.get.i32 r0 i1 i3; list.size r0 i4;"
           "return [i3 i4]", {-7, 2}},
    {"Ii", "const.i32 4 i0; const.i32.zero i1; list.alloc 4 i0 r0; list.reserve r0 i0;"
           "list.resize r0 i0; const.i64 5000000000 i2; list.set.i64 r0 i1 i2;"
           "list.get.i64 r0 i1 i4; list.get.i32 r0 i1 i6; return [i4 i6]", {5000000000.0, 705032704}},
    {"I", "const.i32 1 i0; const.i32.zero i1; list.alloc 1 i0 r0; list.resize r0 i0;"
          "const.i32 -7 i2; list.set.i32 r0 i1 i2; list.get.i64 r0 i1 i4; return [i4]", {-7}},
    {"f", "const.i32 1 i0; const.i32.zero i1; list.alloc 2 i0 r0; list.resize r0 i0;"
          "const.f32 2.5 i2; list.set.f32 r0 i1 i2; list.get.f32 r0 i1 i3; return [i3]", {2.5}},
    {"F", "const.i32 1 i0; const.i32.zero i1; list.alloc 3 i0 r0; list.resize r0 i0;"
          "const.f64 2.25 i2; list.set.f64 r0 i1 i2; list.get.f64 r0 i1 i4; return [i4]", {2.25}},
    {"iii", "const.i32 1 i0; const.i32.zero i1; list.alloc 0 i0 r0; list.resize r0 i0;"
            "const.ref.rodata 0 r1; list.set.ref r0 i1 R1; list.get.ref r0 i1 5 r2;"
            "cmp.nz.ref r2 i2; list.get.ref r0 i1 0 R3; cmp.nz.ref r3 i3;"
            "list.get.ref r0 i1 0 r4; cmp.nz.ref r4 i4; return [i2 i3 i4]", {0, 1, 0}},
    // Selection.
    {"ii", "const.i32 3 i0; const.i32 4 i1; select.i32 i0 i0 i1 i2; const.i32.zero i3;"
           "select.i32 i3 i0 i1 i4; return [i2 i4]", {3, 4}},
    {"I", "const.i64 3 i0; const.i64 4 i2; const.i32.zero i4; select.i64 i4 i0 i2 i6;"
          "return [i6]", {4}},
    {"f", "const.f32 3 i0; const.f32 4 i1; select.f32 i0 i0 i1 i2; return [i2]", {3}},
    {"F", "const.f64 3 i0; const.f64 4 i2; const.i32 1 i4; select.f64 i4 i0 i2 i6; return [i6]",
     {3}},
    {"ii", "const.i32.zero i0; const.ref.rodata 0 r0; select.ref i0 0 R0 r1 r2;"
           "cmp.nz.ref r2 i1; cmp.nz.ref r0 i2; return [i1 i2]", {0, 0}},
    {"iii", "const.i32 1 i0; const.i32 5 i1; const.i32 6 i2; const.i32 7 i3;"
            "switch.i32 i0 i1 [i2 i3] i4; switch.i32 i3 i1 [i2 i3] i5; const.i32 -1 i6;"
            "switch.i32 i6 i1 [i2 i3] i7; return [i4 i5 i7]", {7, 5, 5}},
    {"I", "const.i32.zero i0; const.i64 5 i2; const.i64 -6000000000 i4;"
          "switch.i64 i0 i2 [i4] i6; return [i6]", {-6000000000.0}},
    {"f", "const.i32 9 i0; const.f32 5 i1; const.f32 6 i2; switch.f32 i0 i1 [i2] i3; return [i3]",
     {5}},
    {"F", "const.i32.zero i0; const.f64 5 i2; const.f64 6 i4; switch.f64 i0 i2 [i4] i6;"
          "return [i6]", {6}},
    {"ii", "const.i32.zero i0; const.ref.rodata 0 r0; switch.ref i0 0 r1 [R0] r2;"
           "cmp.nz.ref r2 i1; cmp.nz.ref r0 i2; return [i1 i2]", {1, 0}},
    {"ii", "const.ref.rodata 0 r0; cast.any.ref r0 0 r1; assign.ref R1 r2; cmp.eq.ref r0 r2 i0;"
           "cmp.ne.ref r0 r1 i1; discard.refs [r0 R2]; return [i0 i1]", {1, 1}},
    // Integer arithmetic.
    I32_BINARY("add.i32", 2147483647, 1, -2147483648.0), I32_BINARY("sub.i32", 3, 5, -2),
    I32_BINARY("mul.i32", 65536, 65537, 65536), I32_BINARY("div.i32.s", -7, 2, -3),
    I32_BINARY("div.i32.s", -2147483648, -1, -2147483648.0),
    I32_BINARY("div.i32.u", -2, 2, 2147483647), I32_BINARY("rem.i32.s", -7, 2, -1),
    I32_BINARY("rem.i32.s", -2147483648, -1, 0), I32_BINARY("rem.i32.u", -1, 10, 5),
    {"i", "const.i32 3 i0; const.i32 4 i1; const.i32 5 i2; fma.i32 i0 i1 i2 i3; return [i3]", {17}},
    I64_BINARY("add.i64", 9223372036854775807, 1, -9223372036854775808.0),
    I64_BINARY("sub.i64", 3, 5, -2), I64_BINARY("mul.i64", 4294967296, 3, 12884901888.0),
    I64_BINARY("div.i64.s", -7, 2, -3), I64_BINARY("div.i64.u", 7, 2, 3),
    I64_BINARY("rem.i64.s", -7, 2, -1), I64_BINARY("rem.i64.u", 7, 4, 3),
    {"I", "const.i64 3 i0; const.i64 4 i2; const.i64 5 i4; fma.i64 i0 i2 i4 i6; return [i6]", {17}},
    I32_UNARY("abs.i32", -5, 5), I64_UNARY("abs.i64", -5, 5), I32_UNARY("not.i32", 0, -1),
    I64_UNARY("not.i64", 1, -2), I32_UNARY("ctlz.i32", 0, 32), I32_UNARY("ctlz.i32", 1, 31),
    I64_UNARY("ctlz.i64", 0, 64), I64_UNARY("ctlz.i64", 4294967296, 31),
    I32_BINARY("and.i32", 12, 10, 8), I32_BINARY("or.i32", 12, 10, 14),
    I32_BINARY("xor.i32", 12, 10, 6), I64_BINARY("and.i64", 12, 10, 8),
    I64_BINARY("or.i64", 12, 10, 14), I64_BINARY("xor.i64", 12, 10, 6),
    I32_BINARY("shl.i32", 1, 33, 2), I32_BINARY("shr.i32.s", -8, 1, -4),
    I32_BINARY("shr.i32.u", -8, 28, 15), I64_SHIFT("shl.i64", 1, 65, 2),
    I64_SHIFT("shr.i64.s", -8, 1, -4), I64_SHIFT("shr.i64.u", -8, 60, 15),
    I32_BINARY("min.i32.s", -1, 1, -1), I32_BINARY("min.i32.u", -1, 1, 1),
    I32_BINARY("max.i32.s", -1, 1, 1), I32_BINARY("max.i32.u", -1, 1, -1),
    I64_BINARY("min.i64.s", -1, 1, -1), I64_BINARY("min.i64.u", -1, 1, 1),
    I64_BINARY("max.i64.s", -1, 1, 1), I64_BINARY("max.i64.u", -1, 1, -1),
    I32_UNARY("trunc.i32.i8", -1, 255), I32_UNARY("trunc.i32.i16", -1, 65535),
    CONVERT(i64, 2, "trunc.i64.i32", 4294967297, i, 1), I32_UNARY("ext.i8.i32.s", 0x1FF, -1),
    I32_UNARY("ext.i8.i32.u", 0x1FF, 255), I32_UNARY("ext.i16.i32.s", 0x1FFFF, -1),
    I32_UNARY("ext.i16.i32.u", 0x1FFFF, 65535), CONVERT(i32, 1, "ext.i32.i64.s", -1, I, -1),
    CONVERT(i32, 1, "ext.i32.i64.u", -1, I, 4294967295.0),
    I32_BINARY("cmp.eq.i32", 1, 1, 1), I32_BINARY("cmp.ne.i32", 1, 1, 0),
    I32_BINARY("cmp.lt.i32.s", -1, 1, 1), I32_BINARY("cmp.lt.i32.u", -1, 1, 0),
    I32_UNARY("cmp.nz.i32", 5, 1), I64_COMPARE("cmp.eq.i64", 4294967296, 0, 0),
    I64_COMPARE("cmp.ne.i64", 4294967296, 0, 1), I64_COMPARE("cmp.lt.i64.s", -1, 1, 1),
    I64_COMPARE("cmp.lt.i64.u", -1, 1, 0), CONVERT(i64, 2, "cmp.nz.i64", 4294967296, i, 1),
    // Control.
    {"i", "const.i32 5 i0; br :x {i0>i1}; x: return [i1]", {5}},
    {"i", "const.i32 5 i0; break :x {i0>i1}; x: return [i1]", {5}},
    {"i", "cond_break i0 :x {}; x: const.i32 6 i1; return [i1]", {6}},
    {"ii", "const.i32 10 i0; const.i32 1 i3; br :loop {}; loop: cmp.nz.i32 i0 i2;"
           "cond_br i2 :body {} :end {i1>i4}; body: add.i32 i1 i0 i1; sub.i32 i0 i3 i0;"
           "br :loop {}; end: return [i4 i0]", {55, 0}},
    {"ii", "const.i32 1 i0; const.i32 7 i1; br_table i0 :d {} (:a {} :b {i1>i2} :a {}); d:"
           "br :a {}; a: return [i0 i0]; b: return [i2 i1]", {7, 7}},
    {"i", "const.i32 -1 i0; const.i32 7 i1; br_table i0 :d {i1>i2} (:a {} :a {});"
          "d: return [i2]; a: return [i0]", {7}},
    {"ii", "const.ref.rodata 0 r0; assign.ref r0 r1; trace \"t\" [r0 R1]; print \"p\" [i0];"
           "cmp.nz.ref r0 i0; cmp.nz.ref r1 i1; return [i0 i1]", {1, 0}},
    {"i", "import.resolved !0 i0; return [i0]", {0}},
    {"I", "const.i32 5 i0; const.i64 -9 i2; call @0 [i2 i0] [i4 i1]; return [i4]", {-9}},
    {"i", "const.i32 5 i0; const.i64 -9 i2; call.yieldable @0 [i2 i0] :x [i4 i1];"
          "x: return [i1]", {5}},
    // Buffers: offsets and lengths of typed accesses count elements.
    {"ii", "const.i64 16 i0; const.i32 64 i2; buffer.alloc i0 i2 r0; const.i64 3 i4;"
           "const.i32 -2 i3; buffer.store.i8 r0 i4 i3; buffer.load.i8.u r0 i4 i6;"
           "buffer.load.i8.s r0 i4 i7; return [i6 i7]", {254, -2}},
    {"ii", "const.i64 16 i0; buffer.alloc i0 i2 r0; const.i64 3 i4; const.i32 -2 i3;"
           "buffer.store.i16 r0 i4 i3; buffer.load.i16.u r0 i4 i6; buffer.load.i16.s r0 i4 i7;"
           "return [i6 i7]", {65534, -2}},
    {"iI", "const.i64 16 i0; buffer.alloc i0 i2 r0; const.i64 3 i4; const.i32 -2 i3;"
           "buffer.store.i32 r0 i4 i3; buffer.load.i32 r0 i4 i6; const.i64 1 i4;"
           "buffer.load.i64 r0 i4 i8; return [i6 i8]", {-2, -8589934592.0}},
    {"IfF", "const.i64 24 i0; buffer.alloc i0 i2 r0; const.i64.zero i4; const.i64 -3 i6;"
            "buffer.store.i64 r0 i4 i6; buffer.load.i64 r0 i4 i8; const.i64 2 i4;"
            "const.f32 1.5 i10; buffer.store.f32 r0 i4 i10; buffer.load.f32 r0 i4 i11;"
            "const.f64 2.5 i12; buffer.store.f64 r0 i4 i12; buffer.load.f64 r0 i4 i14;"
            "return [i8 i11 i14]", {-3, 1.5, 2.5}},
    {"iii", "const.i64 16 i0; buffer.alloc i0 i2 r0; const.i64 2 i4; const.i32 0x01020304 i6;"
            "buffer.fill.i8 r0 i4 i4 i6; const.i64.zero i8; buffer.load.i32 r0 i8 i7;"
            "buffer.fill.i16 r0 i4 i4 i6; const.i64 1 i8; buffer.load.i32 r0 i8 i10;"
            "buffer.fill.i32 r0 i4 i4 i6; const.i64 3 i8; buffer.load.i32 r0 i8 i11;"
            "return [i7 i10 i11]", {0x04040000, 0x03040304, 0x01020304}},
    {"IfF", "const.i64 32 i0; buffer.alloc i0 i2 r0; const.i64 1 i4; const.i64 -3 i6;"
            "buffer.fill.i64 r0 i4 i4 i6; buffer.load.i64 r0 i4 i8; const.f32 1.5 i10;"
            "buffer.fill.f32 r0 i4 i4 i10; buffer.load.f32 r0 i4 i11; const.f64 2.5 i12;"
            "buffer.fill.f64 r0 i4 i4 i12; buffer.load.f64 r0 i4 i14; return [i8 i11 i14]",
     {-3, 1.5, 2.5}},
    {"Iii", "const.ref.rodata 0 r0; buffer.length r0 i0; const.i64 1 i2; const.i64 4 i4;"
            "buffer.clone r0 i2 i4 i6 r1; const.i64.zero i8; buffer.load.i8.u r1 i8 i7;"
            "buffer.compare r0 i2 r1 i8 i4 i10; return [i0 i7 i10]", {10, 'e', 1}},
    {"i", "const.ref.rodata 0 r0; const.i64 4 i0; buffer.alloc i0 i2 r1; const.i64.zero i4;"
          "const.i64 2 i6; buffer.copy r0 i6 r1 i4 i0; buffer.load.i8.u r1 i4 i8; return [i8]",
     {'l'}},
    {"i", "const.ref.rodata 0 r0; const.i64.zero i0; buffer.length r0 i2; buffer.hash r0 i0 i2 i4;"
          "const.i64 0x21 i6; cmp.ne.i64 i4 i0 i8; return [i8]", {1}},
    // Floats.
    F32_BINARY("add.f32", 1.5, 2.25, 3.75), F32_BINARY("sub.f32", 1.5, 2.25, -0.75),
    F32_BINARY("mul.f32", 1.5, 2, 3), F32_BINARY("div.f32", 3, 2, 1.5),
    F32_BINARY("rem.f32", 5, 3, -1), F32_BINARY("min.f32", 1, 2, 1),
    F32_BINARY("max.f32", 1, 2, 2), F32_BINARY("min.f32", 1, nan, 1),
    F32_BINARY("pow.f32", 2, 10, 1024), F32_BINARY("atan2.f32", 1, 1, 0.7853982),
    {"f", "const.f32 2 i0; const.f32 3 i1; const.f32 4 i2; fma.f32 i0 i1 i2 i3; return [i3]", {10}},
    {"ff", "const.f32 2 i0; const.i32 10 i1; fpowi.f32 i0 i1 i2; const.i32 -1 i1;"
           "fpowi.f32 i0 i1 i3; return [i2 i3]", {1024, 0.5}},
    F32_UNARY("abs.f32", -1.5, 1.5), F32_UNARY("neg.f32", 1.5, -1.5),
    F32_UNARY("ceil.f32", 1.2, 2), F32_UNARY("floor.f32", -1.2, -2),
    F32_UNARY("round.f32", 2.5, 3), F32_UNARY("round.f32.even", 2.5, 2),
    F32_UNARY("sqrt.f32", 9, 3), F32_UNARY("rsqrt.f32", 4, 0.5), F32_UNARY("exp.f32", 0, 1),
    F32_UNARY("exp2.f32", 3, 8), F32_UNARY("expm1.f32", 0, 0), F32_UNARY("log.f32", 1, 0),
    F32_UNARY("log10.f32", 1000, 3), F32_UNARY("log1p.f32", 0, 0), F32_UNARY("log2.f32", 8, 3),
    F32_UNARY("sin.f32", 0, 0), F32_UNARY("cos.f32", 0, 1), F32_UNARY("tanh.f32", 0, 0),
    F32_UNARY("atan.f32", 1, 0.7853982), F32_UNARY("erf.f32", 0, 0),
    F32_COMPARE("cmp.eq.f32.o", nan, nan, 0), F32_COMPARE("cmp.eq.f32.u", nan, 1, 1),
    F32_COMPARE("cmp.ne.f32.o", nan, 1, 0), F32_COMPARE("cmp.ne.f32.u", nan, 1, 1),
    F32_COMPARE("cmp.lt.f32.o", 1, 2, 1), F32_COMPARE("cmp.lt.f32.u", nan, 2, 1),
    F32_COMPARE("cmp.lte.f32.o", 2, 2, 1), F32_COMPARE("cmp.lte.f32.u", 3, 2, 0),
    CONVERT(f32, 1, "cmp.nan.f32", nan, i, 1), CONVERT(i32, 1, "cast.si32.f32", -3, f, -3),
    CONVERT(i32, 1, "cast.ui32.f32", -1, f, 4294967296.0),
    CONVERT(i64, 2, "cast.si64.f32", -3, f, -3),
    CONVERT(i64, 2, "cast.ui64.f32", -1, f, 18446744073709551616.0),
    CONVERT(f32, 1, "cast.f32.si32", -2.5, i, -3), CONVERT(f32, 1, "cast.f32.ui32", 2.5, i, 3),
    CONVERT(f32, 1, "cast.f32.si64", 2.5, I, 3), CONVERT(f32, 1, "cast.f32.ui64", -1, I, 0),
    CONVERT(f32, 1, "cast.f32.si32", 1e20, i, 2147483647),
    CONVERT(i32, 1, "bitcast.i32.f32", 0x40400000, f, 3),
    CONVERT(f32, 1, "bitcast.f32.i32", 3, i, 0x40400000),
    F64_BINARY("add.f64", 1.5, 2.25, 3.75), F64_BINARY("sub.f64", 1.5, 2.25, -0.75),
    F64_BINARY("mul.f64", 1.5, 2, 3), F64_BINARY("div.f64", 3, 2, 1.5),
    F64_BINARY("rem.f64", 5, 3, -1), F64_BINARY("min.f64", 1, 2, 1),
    F64_BINARY("max.f64", 1, 2, 2), F64_BINARY("pow.f64", 2, 10, 1024),
    F64_BINARY("atan2.f64", 0, 1, 0),
    {"F", "const.f64 2 i0; const.f64 3 i2; const.f64 4 i4; fma.f64 i0 i2 i4 i6; return [i6]", {10}},
    {"F", "const.f64 2 i0; const.i64 -2 i2; fpowi.f64 i0 i2 i4; return [i4]", {0.25}},
    F64_UNARY("abs.f64", -1.5, 1.5), F64_UNARY("neg.f64", 1.5, -1.5),
    F64_UNARY("ceil.f64", 1.2, 2), F64_UNARY("floor.f64", -1.2, -2),
    F64_UNARY("round.f64", 2.5, 3), F64_UNARY("round.f64.even", 2.5, 2),
    F64_UNARY("sqrt.f64", 9, 3), F64_UNARY("rsqrt.f64", 4, 0.5), F64_UNARY("exp.f64", 0, 1),
    F64_UNARY("exp2.f64", 3, 8), F64_UNARY("expm1.f64", 0, 0), F64_UNARY("log.f64", 1, 0),
    F64_UNARY("log10.f64", 1000, 3), F64_UNARY("log1p.f64", 0, 0), F64_UNARY("log2.f64", 8, 3),
    F64_UNARY("sin.f64", 0, 0), F64_UNARY("cos.f64", 0, 1), F64_UNARY("tanh.f64", 0, 0),
    F64_UNARY("atan.f64", 0, 0), F64_UNARY("erf.f64", 0, 0),
    F64_COMPARE("cmp.eq.f64.o", 1, 1, 1), F64_COMPARE("cmp.eq.f64.u", nan, 1, 1),
    F64_COMPARE("cmp.ne.f64.o", nan, 1, 0), F64_COMPARE("cmp.ne.f64.u", nan, 1, 1),
    F64_COMPARE("cmp.lt.f64.o", nan, 2, 0), F64_COMPARE("cmp.lt.f64.u", 3, 2, 0),
    F64_COMPARE("cmp.lte.f64.o", 2, 2, 1), F64_COMPARE("cmp.lte.f64.u", nan, 2, 1),
    CONVERT(f64, 2, "cmp.nan.f64", 1, i, 0), CONVERT(f64, 2, "trunc.f64.f32", 1.5, f, 1.5),
    CONVERT(f32, 1, "ext.f32.f64", 1.5, F, 1.5), CONVERT(i32, 1, "cast.si32.f64", -3, F, -3),
    CONVERT(i32, 1, "cast.ui32.f64", -1, F, 4294967295.0),
    CONVERT(i64, 2, "cast.si64.f64", -3, F, -3),
    CONVERT(i64, 2, "cast.ui64.f64", -1, F, 18446744073709551616.0),
    CONVERT(f64, 2, "cast.f64.si32", -2.5, i, -3), CONVERT(f64, 2, "cast.f64.ui32", 2.5, i, 3),
    CONVERT(f64, 2, "cast.f64.si64", 2.5, I, 3), CONVERT(f64, 2, "cast.f64.ui64", 2.5, I, 3),
    CONVERT(i64, 2, "bitcast.i64.f64", 0x4008000000000000, F, 3),
    CONVERT(f64, 2, "bitcast.f64.i64", 0, I, 0),
};
// clang-format on

static const char *const k_types[] = {"!vm.buffer", "i32",        "f32",
                                      "f64",        "!vm.opaque", "!vm.list<i32>"};
static const char *const k_rodata[] = {"hello text"};
static const test_import_t k_imports[] = {
    {"absent.nothing", "0v_v", VMFB_FLAG_OPTIONAL},
    {"native.wait", "0i_i", VMFB_FLAG_OPTIONAL},
    {"native.many", "0iCID_I", VMFB_FLAG_OPTIONAL},
};

static double as_double(iree_vm_value_t value, char letter) {
  return letter == 'i'   ? (double)value.i32
         : letter == 'I' ? (double)value.i64
         : letter == 'f' ? (double)value.f32
                         : value.f64;
}

static void run_case(test_t *test, const isa_case_t *c, file_writer_t *w) {
  char cconv[16] = "0v_";
  strcat(cconv, c->results);
  test_function_t functions[] = {
      {.cconv = "0Ii_Ii", .text = "return [i0 i2]"},
      {.export_name = "f", .cconv = cconv, .text = c->text},
  };
  test_module_t m = {"isa", functions, 2, k_imports, 3, k_types, 6, k_rodata, 1, 24, 2, NULL, 0, 0};
  env_t env;
  env_init(&env);
  int before = test->failures;
  if (EXPECT_OK(env_load(&env, test_module_file(&m, w), NULL)) && EXPECT_OK(env_call(&env, "f"))) {
    for (size_t i = 0; c->results[i]; ++i) {
      double actual = as_double(env_out(&env, i), c->results[i]), expected = c->expected[i];
      double tolerance = c->results[i] == 'f' ? 1e-6 : 0.0;
      if (fabs(actual - expected) <= tolerance * fabs(expected)) continue;
      printf("  result %zu: %.17g, expected %.17g\n", i, actual, expected);
      EXPECT(false);
    }
  }
  EXPECT_EQ(env_deinit(&env), 0);
  if (test->failures != before) printf("  in: %s\n", c->text);
}

TEST(instructions_compute) {
  file_writer_t *w = malloc(sizeof(*w));
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) run_case(test, &k_cases[i], w);
  free(w);
}

// Instructions that other tests of this folder execute.
static const char *const k_elsewhere[] = {"fail", "yield", "call.variadic",
                                          "call.variadic.yieldable"};

TEST(every_row_is_covered) {
  for (uint32_t number = 0; number < 0xE200; ++number) {
    const isa_row_t *row = isa_row(number);
    if (!row || !row->mnemonic[0]) continue;
    bool found = false;
    size_t length = strlen(row->mnemonic);
    for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases) && !found; ++i) {
      for (const char *s = k_cases[i].text; (s = strstr(s, row->mnemonic)); s += length) {
        bool starts = s == k_cases[i].text || s[-1] == ' ' || s[-1] == ';';
        if (starts && (s[length] == ' ' || s[length] == 0)) found = true;
      }
    }
    for (size_t i = 0; i < IREE_ARRAYSIZE(k_elsewhere); ++i) {
      if (strcmp(row->mnemonic, k_elsewhere[i]) == 0) found = true;
    }
    if (!EXPECT(found)) printf("  no case for %s\n", row->mnemonic);
  }
}

// Failing at run time: what the verifier cannot know.
// clang-format off
static const struct {
  iree_status_code_t code;
  const char *text;
} k_failures[] = {
    {IREE_STATUS_INVALID_ARGUMENT, "const.i32 1 i0; div.i32.s i0 i1 i2; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "const.i64 1 i0; rem.i64.u i0 i2 i4; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.i32 24 i0; global.load.indirect.i32 i0 i1; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.i32 20 i0; global.store.indirect.i64 i0 i2; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.i32 2 i0; global.load.indirect.ref i0 0 r0; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "list.size r0 i0; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "const.ref.rodata 0 r0; list.size r0 i0; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "const.ref.rodata 0 r0; cast.any.ref r0 5 r1; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "list.alloc 1 i0 r0; global.store.ref 0 0 r0; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "list.alloc 1 i0 r0; list.get.i32 r0 i0 i1; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.i32 -1 i0; list.alloc 1 i1 r0; list.set.i32 r0 i0 i1; return []"},
    {IREE_STATUS_PERMISSION_DENIED, "const.ref.rodata 0 r0; buffer.store.i8 r0 i0 i0; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.ref.rodata 0 r0; const.i64 10 i0; buffer.load.i8.u r0 i0 i2; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.ref.rodata 0 r0; const.i64 -1 i0; buffer.load.i64 r0 i0 i2; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.i64 16 i0; buffer.alloc i0 i2 r0; const.i64 12 i4; const.i64 4 i6; buffer.fill.i32 r0 i4 i6 i2; return []"},
    {IREE_STATUS_OUT_OF_RANGE, "const.ref.rodata 0 r0; const.i64 -1 i0; buffer.clone r0 i2 i0 i4 r1; return []"},
    {IREE_STATUS_RESOURCE_EXHAUSTED, "const.i64 -1 i0; buffer.alloc i0 i2 r0; return []"},
    {IREE_STATUS_INVALID_ARGUMENT, "const.i64 8 i0; const.i32 3 i2; buffer.alloc i0 i2 r0; return []"},
    {IREE_STATUS_NOT_FOUND, "call !0 [] []; return []"},
    {IREE_STATUS_ABORTED, "const.i32 10 i0; fail i0 \"on purpose\""},
    {IREE_STATUS_UNKNOWN, "fail i0 \"no code\""},
    {IREE_STATUS_RESOURCE_EXHAUSTED, "call @1 [] []; return []"},
};
// clang-format on

TEST(failures_are_statuses) {
  file_writer_t *w = malloc(sizeof(*w));
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_failures); ++i) {
    test_function_t functions[] = {
        {.cconv = "0v_v", .text = "return []"},
        {.export_name = "f", .cconv = "0v_v", .text = k_failures[i].text}};
    test_module_t m = {"isa",    functions, 2,  k_imports, 1,    k_types, 6,
                       k_rodata, 1,         24, 2,         NULL, 0,       0};
    env_t env;
    env_init(&env);
    if (EXPECT_OK(env_load(&env, test_module_file(&m, w), NULL))) {
      iree_status_t status = env_call(&env, "f");
      if (!EXPECT_EQ(iree_status_code(status), k_failures[i].code)) {
        iree_status_fprint(stdout, status);
        printf("  in: %s\n", k_failures[i].text);
      }
      iree_status_free(status);
    }
    EXPECT_EQ(env_deinit(&env), 0);
  }
  free(w);
}

TEST(rows_and_fields_are_well_formed) {
  EXPECT(isa_row(0xE0) && isa_row(0x89) == NULL && isa_row(0xE03F) == NULL);
  for (uint32_t number = 0; number < 0xE200; ++number) {
    const isa_row_t *row = isa_row(number);
    if (!row) continue;
    EXPECT_EQ(row->number, number);
    isa_field_t field;
    for (const char *s = row->fields; (s = isa_field_next(s, &field));) {
      EXPECT(strchr("rwm#@>~[]$=!", field.kind));
      if (strchr("rwm", field.kind)) EXPECT(strchr("iIfFr", field.bank) && field.name.size);
    }
  }
  EXPECT_EQ(isa_row_by_mnemonic(IREE_SV("fpowi.f64"))->number, 0xE140);
}

TEST_MAIN(CASE(rows_and_fields_are_well_formed) CASE(instructions_compute)
              CASE(every_row_is_covered) CASE(failures_are_statuses))
