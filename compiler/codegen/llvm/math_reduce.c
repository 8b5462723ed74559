// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of circular functions, less a multiple of pi/2.
//
// Lanes near zero subtract the multiple in three parts of pi/2. Far lanes (Payne and Hanek)
// multiply the significand by those bits of 1/(2 pi) that make the fraction of a turn: bits before
// them make whole turns, bits after them do not reach the result. They are rare: where a vector has
// any, a loop of integer code takes them lane by lane, which is small and the same for all widths.
#include "compiler/codegen/llvm/math_build.h"

// 1/(2 pi) after 32 zeros, from its first bit on. The last bits serve the largest f64.
static const uint64_t turn_words[] = {
    0x0000000028be60db, 0x9391054a7f09d5f4, 0x7d4d377036d8a566, 0x4f10e4107f9458ea,
    0xf7aef1586dc91b8e, 0x909374b801924bba, 0x827464873f877ac7, 0x2c4a69cfba208d7d,
    0x4baed1213a671c09, 0xad17df904e64758e, 0x60d4ce7d272117e2, 0xef7e4a0ec7fe25ff,
    0xf7816603fbcbc462, 0xd6829b47db4d9fb3, 0xc9f2c26dd3d18fd9, 0xa797fa8b5d49eeb1,
    0xfaf97c5ecf41ce7d, 0xe294a4ba9afed7ec, 0x47e357421580cc11,
};

typedef struct {
  double far;        // from here on lanes are far
  uint64_t largest;  // exponent field of the largest finite operand, as f64
  unsigned words;    // of the table, up to the last bit read
  const char *symbol;
} reach_t;

// Products of the near path are exact for quadrants of 20 bits; f32 can do with less.
static const reach_t reaches[] = {
    [MATH_REACH_F16] = {0},
    [MATH_REACH_F32] = {1099511627776.0, 1023 + 127, 4, "iree_turns_f32"},
    [MATH_REACH_F64] = {1048576.0, 1023 + 1023, 19, "iree_turns_f64"},
};

static V reduce_near(emit_t *e, V x, V *out_quadrant) {
  V k;
  *out_quadrant = nearest(e, mul(e, x, K(e, x, 6.36619772367581382433e-01)), &k);
  V most = K(e, x, 1.57079632673412561417e+00), r;  // its upper 33 bits
  if (e->target->has_fma) {
    r = emit_fma(e, k, neg(e, most), x);
  } else {
    pair_t product = product_pair(e, k, most);
    r = sub(e, sub(e, x, product.high), product.low);
  }
  r = emit_fma(e, k, K(e, x, -6.07710050630396597660e-11), r);
  return emit_fma(e, k, K(e, x, -2.02226624879595063154e-21), r);
}

//===-- one far value
//-------------------------------------------------------------------------------

// The table with its last word first: wherever a window starts, it lies in the order of memory.
static V turn_table(emit_t *e, const reach_t *reach) {
  V table = LLVMGetNamedGlobal(e->module, reach->symbol);
  if (table) return table;
  V words[sizeof(turn_words) / sizeof(turn_words[0])];
  for (unsigned i = 0; i < reach->words; ++i) {
    words[i] = LLVMConstInt(e->i64, turn_words[reach->words - 1 - i], 0);
  }
  table = LLVMAddGlobal(e->module, LLVMArrayType2(e->i64, reach->words), reach->symbol);
  LLVMSetInitializer(table, LLVMConstArray2(e->i64, words, reach->words));
  LLVMSetGlobalConstant(table, 1);
  LLVMSetLinkage(table, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
  return table;
}

// 64 bits of the table from |byte| + 8 |word| on.
static V turn_word(emit_t *e, const reach_t *reach, V byte, unsigned word) {
  V at = isub(e, LLVMConstInt(e->i64, 8 * (reach->words - 1 - word), 0), byte);
  V address = LLVMBuildInBoundsGEP2(e->builder, e->i8, turn_table(e, reach), &at, 1, "");
  V value = LLVMBuildLoad2(e->builder, e->i64, address, "");
  LLVMSetAlignment(value, 1);
  return value;
}

static V wide_product(emit_t *e, V a, V b) {
  LLVMTypeRef i128 = LLVMIntTypeInContext(e->context, 128);
  return LLVMBuildMul(e->builder, LLVMBuildZExt(e->builder, a, i128, ""),
                      LLVMBuildZExt(e->builder, b, i128, ""), "");
}

static V upper_word(emit_t *e, V a) {
  return LLVMBuildTrunc(e->builder, shr(e, a, 64), e->i64, "");
}

static V ixor(emit_t *e, V a, V b) { return LLVMBuildXor(e->builder, a, b, ""); }

// The fraction of a turn in 64 bits (f32) or 128, with the sign of x. No double beyond 2^20 comes
// closer to a multiple of pi/2 than 2^-61, no float than 2^-30.
static V turn_fraction(emit_t *e, V x, const reach_t *reach, bool is_wide) {
  LLVMBuilderRef b = e->builder;
  V u = bits(e, x), mask = I(e, x, (1ull << 52) - 1);
  V m = LLVMBuildOr(b, iand(e, u, mask), I(e, x, 1ull << 52), "");
  V exponent = iand(e, shr(e, u, 52), I(e, x, 0x7FF));
  exponent = emit_intrinsic2(e, "llvm.umin", exponent, I(e, x, reach->largest));
  // The first bit of the table that weighs less than a turn; from a whole byte on.
  V first = isub(e, exponent, I(e, x, 1023 + 20)), byte = shr(e, first, 3);
  m = LLVMBuildShl(b, m, iand(e, first, I(e, x, 7)), "");
  V high = LLVMBuildMul(b, m, turn_word(e, reach, byte, 0), "");
  V middle = wide_product(e, m, turn_word(e, reach, byte, 1)), sign = sar(e, u, 63);
  if (!is_wide) return ixor(e, iadd(e, high, upper_word(e, middle)), sign);
  LLVMTypeRef i128 = LLVMTypeOf(middle);
  V low = shr(e, wide_product(e, m, turn_word(e, reach, byte, 2)), 64);
  V sum = iadd(e, iadd(e, middle, low), shl(e, LLVMBuildZExt(b, high, i128, ""), 64));
  return ixor(e, sum, LLVMBuildSExt(b, sign, i128, ""));
}

// Signed 128 bits of a quarter of a turn, as radians: 64 bits from the first one that counts.
static V quarter_to_radians(emit_t *e, V quarter, V like) {
  LLVMBuilderRef b = e->builder;
  V sign = sar(e, quarter, 127), magnitude = ixor(e, quarter, sign);
  V high = upper_word(e, magnitude), low = LLVMBuildTrunc(b, magnitude, e->i64, "");
  V zeros = emit_intrinsic(e, "llvm.ctlz", &e->i64, 1, (V[]){high, LLVMConstInt(e->i1, 0, 0)}, 2);
  V top = emit_intrinsic3(e, "llvm.fshl", high, low, zeros);
  V a = LLVMBuildSIToFP(b, shr(e, top, 11), e->f64, "");
  V rest = LLVMBuildSIToFP(b, iand(e, top, I(e, like, 0x7FF)), e->f64, "");
  const double unit = 1.0 / 9007199254740992.0;  // of |a|
  V lost = mul(e, a, K(e, like, 6.123233995736766e-17 * unit));
  lost = emit_fma(e, rest, K(e, like, 1.5707963267948966 * unit / 2048), lost);
  pair_t most = product_pair(e, a, K(e, like, 1.5707963267948966 * unit));
  V r = add(e, most.high, add(e, most.low, lost));
  V scale_bits = shl(e, isub(e, I(e, like, 1023), zeros), 52);
  V sign_bit = shl(e, LLVMBuildTrunc(b, sign, e->i64, ""), 63);
  return mul(e, r, real(e, LLVMBuildOr(b, scale_bits, sign_bit, ""), like));
}

static V reduce_far(emit_t *e, V x, math_reach_t reach, V *out_quadrant) {
  bool is_wide = reach == MATH_REACH_F64;
  V fraction = turn_fraction(e, x, &reaches[reach], is_wide);
  V high = is_wide ? upper_word(e, fraction) : fraction;
  *out_quadrant = shr(e, iadd(e, high, I(e, x, 1ull << 61)), 62);
  V quarter = shl(e, fraction, 2);
  if (is_wide) return quarter_to_radians(e, quarter, x);
  return mul(e, LLVMBuildSIToFP(e->builder, quarter, e->f64, ""),
             K(e, x, 1.5707963267948966 / 18446744073709551616.0));
}

//===-- the branch
//----------------------------------------------------------------------------------

static LLVMBasicBlockRef new_block(emit_t *e) {
  return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

static void branch_if_rare(emit_t *e, V condition, LLVMBasicBlockRef rare,
                           LLVMBasicBlockRef usual) {
  V branch = LLVMBuildCondBr(e->builder, condition, rare, usual);
  LLVMMetadataRef parts[] = {
      LLVMMDStringInContext2(e->context, "branch_weights", 14),
      LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0)),
      LLVMValueAsMetadata(LLVMConstInt(e->i32, 2000, 0)),
  };
  LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, parts, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, "prof", 4),
                  LLVMMetadataAsValue(e->context, node));
}

static V is_far(emit_t *e, V x, math_reach_t reach) {
  return cmpk(e, LLVMRealOGE, fabs_(e, x), reaches[reach].far);
}

// A vector in memory, for access to its lanes; in the entry block, once however often it runs.
static V lane_slot(emit_t *e, V vector) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  V first = LLVMGetFirstInstruction(entry);
  if (first) {
    LLVMPositionBuilderBefore(e->builder, first);
  } else {
    LLVMPositionBuilderAtEnd(e->builder, entry);
  }
  LLVMTypeRef type = LLVMTypeOf(vector);
  V slot = LLVMBuildAlloca(e->builder,
                           LLVMArrayType2(LLVMGetElementType(type), LLVMGetVectorSize(type)), "");
  LLVMPositionBuilderAtEnd(e->builder, here);
  LLVMSetAlignment(LLVMBuildStore(e->builder, vector, slot), 8);
  return slot;
}

static V lanes_of(emit_t *e, V slot, V like) {
  V vector = LLVMBuildLoad2(e->builder, LLVMTypeOf(like), slot, "");
  LLVMSetAlignment(vector, 8);
  return vector;
}

static V lane_address(emit_t *e, V slot, V lane) {
  return LLVMBuildInBoundsGEP2(e->builder, e->i64, slot, &lane, 1, "");
}

// Replaces |r| and |quadrant| of far lanes; in the current block and new ones.
static void reduce_far_lanes(emit_t *e, V x, math_reach_t reach, V *r, V *quadrant) {
  LLVMBuilderRef b = e->builder;
  V xs = lane_slot(e, x), rs = lane_slot(e, *r), quadrants = lane_slot(e, *quadrant);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = new_block(e), far = new_block(e),
                    next = new_block(e), exit = new_block(e);
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, loop);
  V i = LLVMBuildPhi(b, e->i64, "");
  V lane = LLVMBuildLoad2(b, e->f64, lane_address(e, xs, i), "");
  LLVMBuildCondBr(b, is_far(e, lane, reach), far, next);
  LLVMPositionBuilderAtEnd(b, far);
  V lane_quadrant, lane_r = reduce_far(e, lane, reach, &lane_quadrant);
  LLVMBuildStore(b, lane_r, lane_address(e, rs, i));
  LLVMBuildStore(b, lane_quadrant, lane_address(e, quadrants, i));
  LLVMBuildBr(b, next);
  LLVMPositionBuilderAtEnd(b, next);
  V after = iadd(e, i, LLVMConstInt(e->i64, 1, 0));
  LLVMAddIncoming(i, (V[]){LLVMConstInt(e->i64, 0, 0), after}, (LLVMBasicBlockRef[]){before, next},
                  2);
  V count = LLVMConstInt(e->i64, LLVMGetVectorSize(LLVMTypeOf(x)), 0);
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, after, count, ""), exit, loop);
  LLVMPositionBuilderAtEnd(b, exit);
  *r = lanes_of(e, rs, *r), *quadrant = lanes_of(e, quadrants, *quadrant);
}

V math_reduce_half_pi(emit_t *e, V x, math_reach_t reach, V *out_quadrant) {
  LLVMBuilderRef b = e->builder;
  V source = LLVMIsAFPExtInst(x) ? LLVMGetOperand(x, 0) : x;
  if (e->reduced.x == source && e->reduced.block == LLVMGetInsertBlock(b)) {
    *out_quadrant = e->reduced.quadrant;
    return e->reduced.r;
  }
  V r = reduce_near(e, x, out_quadrant);
  if (reach == MATH_REACH_F16) return r;
  V any = is_far(e, source, reach);
  bool is_vector = emit_llvm_lanes(LLVMTypeOf(x)) > 0;
  if (is_vector) any = emit_intrinsic1(e, "llvm.vector.reduce.or", any);
  LLVMBasicBlockRef near = LLVMGetInsertBlock(b), far = new_block(e), done = new_block(e);
  branch_if_rare(e, any, far, done);
  LLVMPositionBuilderAtEnd(b, far);
  V far_r = r, far_quadrant = *out_quadrant;
  if (is_vector) {
    reduce_far_lanes(e, x, reach, &far_r, &far_quadrant);
  } else {
    far_r = reduce_far(e, x, reach, &far_quadrant);
  }
  LLVMBasicBlockRef from[] = {near, LLVMGetInsertBlock(b)};
  LLVMBuildBr(b, done);
  LLVMPositionBuilderAtEnd(b, done);
  V all_r = LLVMBuildPhi(b, LLVMTypeOf(r), ""),
    all_q = LLVMBuildPhi(b, LLVMTypeOf(far_quadrant), "");
  LLVMAddIncoming(all_r, (V[]){r, far_r}, from, 2);
  LLVMAddIncoming(all_q, (V[]){*out_quadrant, far_quadrant}, from, 2);
  e->reduced.x = source, e->reduced.r = all_r, e->reduced.quadrant = all_q;
  e->reduced.block = done;
  *out_quadrant = all_q;
  return all_r;
}
