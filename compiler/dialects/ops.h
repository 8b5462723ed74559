// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ops of all dialects: one enum, one table, built from the .def files beside this header.
//
// A row is OP(SYM, "name", OPERANDS, RESULTS, ATTRS, BLOCKS, FORM, TRAITS, LEVELS, HOOKS, "doc"):
//
//   SYM       enumerator: OP_<SYM>, dialect first (OP_ARITH_ADDF)
//   OPERANDS  "lhs rhs:=lhs mask? rest*:index": names in order; ? none or one, * any number.
//             After ':' what fixes the type where the text leaves it out: =x the type of x;
//             =elem(x) its element type; =i1(x) x with element i1; =attr(a) the type in or of
//             attribute a; else a type's text (index, i1, !hal.device)
//   RESULTS   likewise
//   ATTRS     "name:kind name?:kind name:kind=default": kinds any str sym symref type unit bool,
//             i32 i64 index f32 ... (a bare number of that type), i64s i32s bools (dense arrays,
//             written [1, 2]), enum(E) with E of enums.def. ? optional; a default implies it
//   BLOCKS    "body else*": region names (the last may be variadic), ">dest" successors;
//             "body:scf.yield" names the op that ends the region where the text leaves it out. The
//             operands of successors are the last operand groups, one per successor
//   FORM      the short text form after the op's name, elements separated by blanks:
//               word ( , ->      literals           $x          operands, attribute, region
//               type($x)         their types        functional  (in, in) -> (out)
//               operands         all operands       operand-types  result-types
//               succ($dest,$args)  ^bb1(%a : t)     attr-dict   attr-dict-with-keyword
//               (? a b ?)        optional; present if its anchor is: the first $x, or the one
//                                marked $x^. (? a (| b ?) with an alternative
//               name($x,$y)      a directive of directives.c
//             "" if only the generic form exists; unused where HOOKS parse and print
//   TRAITS    IR_PURE ... (ir.h)
//   LEVELS    where the op may stand, L_... below; checked after each phase
//   HOOKS     0, or &x_hooks declared by a HOOKS(x_hooks) line at the head of the .def file
#ifndef COMPILER_DIALECTS_OPS_H_
#define COMPILER_DIALECTS_OPS_H_

#include "compiler/ir/ir.h"

enum {  // levels: bit sets of where the module stands between phases
  L_INPUT = 1 << 0,   // as the user wrote it: StableHLO and kin
  L_TENSOR = 1 << 1,  // linalg, tensor, arith ... on tensors: input up to dispatch-creation
  L_FLOW = 1 << 2,    // dispatches formed and outlined
  L_STREAM = 1 << 3,  // resources and timelines
  L_HAL = 1 << 4,     // devices, command buffers
  L_VM = 1 << 5,      // registers-to-be
  L_KERNEL = 1 << 6,  // inside executables
  L_HOST = L_INPUT | L_TENSOR | L_FLOW | L_STREAM | L_HAL,
  L_ALL = 0x7F,
};

typedef enum op_kind {
  OP_NONE = 0,
#define HOOKS(x)
#define OP(SYM, ...) OP_##SYM,
#include "compiler/dialects/all.def"
#undef OP
#undef HOOKS
  OP_COUNT
} op_kind_t;

// The table and the text directives, for ir_ctx_create.
ir_tables_t dialect_tables(void);

#endif  // COMPILER_DIALECTS_OPS_H_
