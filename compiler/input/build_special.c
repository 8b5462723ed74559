// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special functions as arithmetic on f64 scalars. Polynomials (highest coefficient first) are
// Chebyshev interpolants of the functions themselves, in a variable that runs from -1 to 1 over
// the interval that is named at each; none is off by more than 2^-56.
#include <math.h>

#include "compiler/input/lower.h"

typedef ir_builder_t B;
typedef ir_value_t *V;

static V num(B *b, V like, double v) { return low_float(b, like->type, v); }
static V add(B *b, V x, V y) { return low_op2(b, OP_ARITH_ADDF, x, y); }
static V sub(B *b, V x, V y) { return low_op2(b, OP_ARITH_SUBF, x, y); }
static V mul(B *b, V x, V y) { return low_op2(b, OP_ARITH_MULF, x, y); }
static V quotient(B *b, V x, V y) { return low_op2(b, OP_ARITH_DIVF, x, y); }
static V neg(B *b, V x) { return low_op1(b, OP_ARITH_NEGF, x); }
static V below(B *b, V x, double limit) { return low_cmpf(b, "olt", x, num(b, x, limit)); }
static V is(B *b, V x, double value) { return low_cmpf(b, "oeq", x, num(b, x, value)); }
static V is_whole(B *b, V x) { return low_cmpf(b, "oeq", x, low_op1(b, OP_MATH_FLOOR, x)); }
static V both(B *b, V x, V y) { return low_op2(b, OP_ARITH_ANDI, x, y); }
static V absolute(B *b, V x) { return low_op1(b, OP_MATH_ABSF, x); }

static V horner(B *b, V t, const double *c, size_t n) {
  V r = num(b, t, c[0]);
  for (size_t i = 1; i < n; ++i) r = add(b, mul(b, r, t), num(b, t, c[i]));
  return r;
}
#define POLY(b, t, table) horner(b, t, table, sizeof(table) / sizeof *(table))
// (x - middle) / half: -1 to 1.
static V centred(B *b, V x, double middle, double half) {
  return mul(b, sub(b, x, num(b, x, middle)), num(b, x, 1 / half));
}

// ---- the inverse error function
// erf_inv(x) / x over w = -log(1 - x^2) in [0, 6.25], and over its root in [2.5, 6.0625].
static const double erf_inv_near[] = {
    -2.70322540910693429e-10,  7.68931273374256902e-10,   1.54017387166548866e-9,
    -8.56278779674293216e-9,   4.79236999610038771e-9,    3.91547311402304528e-8,
    -9.8677131401742485e-8,    -1.01851475768182858e-8,   5.39432064870700856e-7,
    -1.05932140254073108e-6,   -6.83718721812116986e-7,   7.13005726308244921e-6,
    -0.0000112573191826779349, -0.0000150277104202775747, 0.0000933673917780478942,
    -0.000116888839930971306,  -0.000264393668436617368,  0.0012324855686812835,
    -0.00127169226843730147,   -0.00413731437741442984,   0.0178083618182956569,
    -0.0226044474534498023,    -0.0589225671037778426,    0.75049432007996357,
    1.65365456268310271};
static const double erf_inv_far[] = {
    -1.2006353613936419e-8,   1.37972315699246373e-8,    8.49806260057178984e-8,
    -1.2622234857883868e-7,   -1.66472826752906146e-7,   2.74956625734235722e-7,
    1.3662824423863225e-7,    2.50036135217213695e-7,    -1.56239528296124405e-6,
    7.47399749338501179e-7,   4.07825661751633677e-6,    -0.0000102419209055024975,
    0.0000113752781477555221, 1.14230452212041898e-6,    -0.0000317586010132991541,
    0.0000683809349291719887, -0.0000783908082172253109, 0.0000250408660482289045,
    0.000103253001234796282,  -0.000274159407247986383,  0.000424208225399430416,
    -0.000500485271815219431, 0.000503384481211263464,   -0.000503716736347891182,
    0.000635634705508598227,  -0.00108484033684296964,   0.00203778554334433669,
    -0.00328918746764259995,  0.00208451201087835901,    1.79910002860794406,
    4.12378592252330817};

V low_erf_inv(B *b, V x) {
  V one = num(b, x, 1), square = mul(b, sub(b, one, x), add(b, one, x));
  V w = neg(b, low_op1(b, OP_MATH_LOG, square));
  V near = POLY(b, centred(b, w, 3.125, 3.125), erf_inv_near);
  V far = POLY(b, centred(b, low_op1(b, OP_MATH_SQRT, w), 4.28125, 1.78125), erf_inv_far);
  V r = mul(b, x, low_select(b, below(b, w, 6.25), near, far));
  return low_select(b, is(b, absolute(b, x), 1), mul(b, x, num(b, x, INFINITY)), r);
}

// ---- the scaled Bessel function e^-|x| I1(x)
// Over x in [0, 8], divided by x; over 1 / x in [0, 1/8], times the root of x.
static const double i1e_near[] = {
    -9.36575190974223653e-11,  3.7276304092377714e-10,  -7.37929113037404259e-10,
    2.60378224410414664e-9,    -1.11912577271769435e-8, 3.80280496510673335e-8,
    -1.20003648619103676e-7,   3.7594003760089223e-7,   -1.13807591382799834e-6,
    3.29389516257460417e-6,    -9.13184631527364241e-6, 0.0000242337564324681649,
    -0.0000614265134949412332, 0.000148421241446316479, -0.000341174743735392773,
    0.000744512345281566034,   -0.00153887496365154879, 0.00300576241955719205,
    -0.00553456776054458214,   0.00958396215077405952,  -0.0155713092565751099,
    0.0236860169577242287,     -0.0336713555199403397,  0.0446745726212550673,
    -0.0552800392270505809,    0.0637674037134071947,   -0.0684826062058254957,
    0.0680575999095115998,     -0.0611243380296662926,  0.0446877098756088318};
static const double i1e_far[] = {
    7.34799244173466388e-11,   1.75024977787013058e-11,  -5.3882859959235238e-10,
    -1.34226632008222207e-10,  1.85137167455119885e-9,   5.14649882608714186e-10,
    -4.0477854037118586e-9,    -1.41716980186645964e-9,  6.48701957198168957e-9,
    3.40663613019679426e-9,    -8.04423127616650849e-9,  -7.63075197006557778e-9,
    6.04087734216098814e-9,    1.4029693589852717e-8,    6.71579512808501758e-9,
    -8.42662282959815441e-9,   -2.33705962711185687e-8,  -4.3129353699713559e-8,
    -1.00013234610664349e-7,   -3.48385560900993685e-7,  -1.83491011346664344e-6,
    -0.0000150385472011762714, -0.000219235763834302752, -0.00974957719323572892,
    0.38939845902587233};

V low_bessel_i1e(B *b, V x) {
  V a = absolute(b, x);
  V near = mul(b, x, POLY(b, centred(b, a, 4, 4), i1e_near));
  V far = POLY(b, centred(b, quotient(b, num(b, x, 1), a), 0.0625, 0.0625), i1e_far);
  far = low_op2(b, OP_MATH_COPYSIGN, quotient(b, far, low_op1(b, OP_MATH_SQRT, a)), x);
  return low_select(b, below(b, a, 8), near, far);
}

// ---- the gamma function and its kin
// log gamma(y) / (y - 2) over [1.5, 2.5], and psi(y) / (y - its root) over [1, 2].
static const double log_gamma_near[] = {
    -5.0430090584250925e-13,   2.12662357491576384e-12,  -6.59979148034741461e-12,
    2.80777828825930801e-11,   -1.24750049481383708e-10, 5.35242236889448282e-10,
    -2.30437380351844059e-9,   1.00124954862468033e-8,   -4.38733529093317358e-8,
    1.94253268668349574e-7,    -8.71698257832832333e-7,  3.98179308915270183e-6,
    -0.0000186367798725439951, 0.0000903284478448208393, -0.0004615969392919999,
    0.00257260105347254751,    -0.0168380752632995259,   0.161233516712056618,
    0.422784335098467139};
static const double digamma_near[] = {
    2.83270666802175879e-11,  -8.49813723018609614e-11,  9.20643449917799156e-11,
    -2.76196353303177129e-10, 1.23580724339848321e-9,    -3.70750726471223879e-9,
    1.05426876240279943e-8,   -3.16302026895533384e-8,   9.54205097268890694e-8,
    -2.86315275846934023e-7,  8.58912735303337974e-7,    -2.5780943630530802e-6,
    7.74123222350405662e-6,   -0.0000232582423944525707, 0.0000699501887395050618,
    -0.000210748411404586368, 0.000636888030325720044,   -0.00193506666485900975,
    0.00593679527830564885,   -0.0185506153817351144,    0.0601356210601967458,
    -0.2118137106407303,      0.95105587603183288};
// B(2 k) / (2 k (2 k - 1)) and B(2 k) / 2 k, k from 8 down to 1: the series in 1 / z^2 for large z.
static const double log_gamma_far[] = {-0.029550653594771241830,  0.0064102564102564102564,
                                       -0.0019175269175269175269, 8.4175084175084175084e-4,
                                       -5.9523809523809523810e-4, 7.9365079365079365079e-4,
                                       -0.0027777777777777777778, 0.083333333333333333333};
static const double digamma_far[] = {-0.44325980392156862745,   0.083333333333333333333,
                                     -0.021092796092796092796,  0.0075757575757575757576,
                                     -0.0041666666666666666667, 0.0039682539682539682540,
                                     -0.0083333333333333333333, 0.083333333333333333333};
static const double pi = 3.14159265358979323846;

// |sin(pi x) / pi|, from the distance to the nearest integer.
static V sine_of_turns(B *b, V x) {
  x = absolute(b, x);
  V f = sub(b, x, low_op1(b, OP_MATH_FLOOR, x)), half = num(b, x, 0.5);
  f = low_select(b, low_cmpf(b, "ogt", f, half), sub(b, num(b, x, 1), f), f);
  V s = mul(b, low_op1(b, OP_MATH_SIN, mul(b, f, num(b, x, pi))), num(b, x, 1 / pi));
  return low_select(b, below(b, f, 1e-9), f, s);
}

// Of z >= 0. Steps of the recurrence lead to y in [1.5, 2.5); one logarithm serves both ways. The
// centre is y - 2, without the rounding of y: near z = 1 all depends on it.
static V log_gamma_positive(B *b, V z) {
  V one = num(b, z, 1), y = z, p = one, is_far = low_cmpf(b, "oge", z, num(b, z, 8));
  V centre = sub(b, z, num(b, z, 2));
  for (int i = 0; i < 6; ++i) {
    V steps = low_cmpf(b, "oge", y, num(b, z, 2.5));
    y = low_select(b, steps, sub(b, y, one), y);
    centre = low_select(b, steps, sub(b, centre, one), centre);
    p = low_select(b, steps, mul(b, p, y), p);
  }
  for (int i = 0; i < 2; ++i) {
    V steps = below(b, y, 1.5);
    p = low_select(b, steps, mul(b, p, y), p);
    y = low_select(b, steps, add(b, y, one), y);
    centre = low_select(b, steps, add(b, centre, one), centre);
  }
  V log = low_op1(b, OP_MATH_LOG, low_select(b, is_far, z, p));
  V near = mul(b, centre, POLY(b, mul(b, centre, num(b, z, 2)), log_gamma_near));
  near = low_select(b, below(b, z, 1.5), sub(b, near, log), add(b, near, log));
  V inverse = quotient(b, one, z);
  V series = mul(b, inverse, POLY(b, mul(b, inverse, inverse), log_gamma_far));
  V far = mul(b, sub(b, z, num(b, z, 0.5)), sub(b, log, one));
  far = add(b, far, add(b, num(b, z, 0.41893853320467274178), series));
  far = low_select(b, is(b, z, INFINITY), z, far);
  return low_select(b, is_far, far, near);
}

// Below 0 by reflection: log |gamma(x) gamma(1 - x)| = -log |sin(pi x) / pi|.
V low_log_gamma(B *b, V x) {
  V zero = num(b, x, 0), reflects = low_cmpf(b, "olt", x, zero);
  V r = log_gamma_positive(b, low_select(b, reflects, sub(b, num(b, x, 1), x), x));
  V other = sub(b, neg(b, low_op1(b, OP_MATH_LOG, sine_of_turns(b, x))), r);
  r = low_select(b, reflects, other, r);
  // All of the large numbers are whole; the difference above may be one of infinities.
  V pole = both(b, reflects, is_whole(b, x));
  return low_select(b, pole, num(b, x, INFINITY), r);
}

// Of z >= 0, with the sum of the recurrence's 1 / y as one fraction.
static V digamma_positive(B *b, V z) {
  V one = num(b, z, 1), y = z, top = num(b, z, 0), bottom = one;
  V is_far = low_cmpf(b, "oge", z, num(b, z, 10));
  for (int i = 0; i < 8; ++i) {
    V steps = low_cmpf(b, "oge", y, num(b, z, 2));
    y = low_select(b, steps, sub(b, y, one), y);
    top = low_select(b, steps, add(b, mul(b, top, y), bottom), top);
    bottom = low_select(b, steps, mul(b, bottom, y), bottom);
  }
  V steps = below(b, y, 1);
  top = low_select(b, steps, num(b, z, -1), top);
  bottom = low_select(b, steps, y, bottom);
  y = low_select(b, steps, add(b, y, one), y);
  V from_root = sub(b, sub(b, y, num(b, z, 1.4616321449683622)), num(b, z, 9.5499954299656977e-17));
  V near = mul(b, from_root, POLY(b, centred(b, y, 1.5, 0.5), digamma_near));
  near = add(b, near, quotient(b, top, bottom));
  V inverse = quotient(b, one, z), square = mul(b, inverse, inverse);
  V series = add(b, mul(b, num(b, z, 0.5), inverse), mul(b, square, POLY(b, square, digamma_far)));
  V far = sub(b, low_op1(b, OP_MATH_LOG, z), series);
  return low_select(b, is_far, far, near);
}

// Below 0 by reflection: psi(x) = psi(1 - x) - pi cot(pi x).
V low_digamma(B *b, V x) {
  V zero = num(b, x, 0), reflects = low_cmpf(b, "olt", x, zero);
  V r = digamma_positive(b, low_select(b, reflects, sub(b, num(b, x, 1), x), x));
  V nearest = low_op1(b, OP_MATH_ROUNDEVEN, x), angle = mul(b, num(b, x, pi), sub(b, x, nearest));
  V cotangent = quotient(b, num(b, x, pi), low_op1(b, OP_MATH_TAN, angle));
  r = low_select(b, reflects, sub(b, r, cotangent), r);
  V pole = both(b, low_cmpf(b, "ole", x, zero), is_whole(b, x));
  return low_select(b, pole, num(b, x, NAN), r);
}

// gamma(z) for whole z >= 1 by Stirling's series, 8 steps up where z is small. The power is taken
// in two halves, so that it does not overflow before the result.
static V factorial_before(B *b, V z) {
  V one = num(b, z, 1), small = below(b, z, 9), p = one, y = z;
  for (int i = 0; i < 8; ++i) {
    p = mul(b, p, y);
    y = add(b, y, one);
  }
  y = low_select(b, small, y, z);
  V half = num(b, z, 0.5), inverse = quotient(b, one, y);
  V power = low_op2(b, OP_MATH_POWF, y, mul(b, half, sub(b, y, half)));
  V series = mul(b, inverse, POLY(b, mul(b, inverse, inverse), log_gamma_far));
  V factor = mul(b, low_op1(b, OP_MATH_EXP, sub(b, series, y)), num(b, z, 2.5066282746310005024));
  V r = mul(b, mul(b, power, factor), power);
  return low_select(b, small, quotient(b, r, p), r);
}

// a^-s. Where the result will be narrow, by a logarithm of a single f64: a fraction of the code,
// and there are many of these.
static V inverse_power(B *b, V a, V s, V odd, bool is_narrow) {
  if (!is_narrow) return low_op2(b, OP_MATH_POWF, a, neg(b, s));
  V r = low_op1(b, OP_MATH_EXP, mul(b, neg(b, s), low_op1(b, OP_MATH_LOG, absolute(b, a))));
  return low_select(b, both(b, odd, below(b, a, 0)), neg(b, r), r);
}

// Hurwitz' zeta: the sum over k of (q + k)^-s, its first terms and Euler and Maclaurin's rest.
V low_zeta(B *b, V s, V q, bool is_narrow) {
  // (2 k)! / B(2 k), k from 1 to 12
  static const double bernoulli[] = {12.0,
                                     -720.0,
                                     30240.0,
                                     -1209600.0,
                                     47900160.0,
                                     -1.8924375803183791606e9,
                                     7.47242496e10,
                                     -2.950130727918164224e12,
                                     1.1646782814350067249e14,
                                     -4.5979787224074726105e15,
                                     1.8152105401943546773e17,
                                     -7.1661652561756670113e18};
  V one = num(b, s, 1), a = q, sum = NULL, term = NULL;
  V even = is_whole(b, mul(b, num(b, s, 0.5), s));
  V odd = is_whole(b, mul(b, num(b, s, 0.5), sub(b, s, one)));
  for (int i = 0; i < 9; ++i) {
    term = inverse_power(b, a, s, odd, is_narrow);
    sum = sum ? add(b, sum, term) : term;
    a = add(b, a, one);
  }
  term = inverse_power(b, a, s, odd, is_narrow);
  V rest = quotient(b, mul(b, term, a), sub(b, s, one));
  rest = add(b, rest, mul(b, num(b, s, 0.5), term));
  V factor = s, k = s;
  term = quotient(b, term, a);
  for (size_t i = 0; i < sizeof bernoulli / sizeof *bernoulli; ++i) {
    rest = add(b, rest, mul(b, mul(b, factor, term), num(b, s, 1 / bernoulli[i])));
    for (int step = 0; step < 2; ++step) k = add(b, k, one), factor = mul(b, factor, k);
    term = quotient(b, quotient(b, term, a), a);
  }
  V r = add(b, sum, rest), zero = num(b, s, 0), infinity = num(b, s, INFINITY);
  r = low_select(b, is(b, s, INFINITY), low_select(b, below(b, q, 1), infinity, zero), r);
  r = low_select(b, both(b, is(b, s, INFINITY), is(b, q, 1)), one, r);
  // Not after an infinite first term, which 0 times a later one would spoil.
  V not_positive = low_cmpf(b, "ole", q, zero);
  V pole = low_select(b, even, infinity, num(b, s, NAN));
  r = low_select(b, both(b, not_positive, is_whole(b, q)), pole, r);
  r = low_select(b, is(b, s, 1), infinity, r);
  return low_select(b, below(b, s, 1), num(b, s, NAN), r);
}

// Of order n: psi for 0, else (-1)^(n + 1) n! zeta(n + 1, x).
V low_polygamma(B *b, V n, V x, bool is_narrow) {
  V zero = num(b, n, 0), one = num(b, n, 1), next = add(b, n, one);
  V r = mul(b, factorial_before(b, next), low_zeta(b, next, x, is_narrow));
  V is_even = is_whole(b, mul(b, n, num(b, n, 0.5)));
  r = low_select(b, is_even, neg(b, r), r);
  r = low_select(b, is(b, n, 0), low_digamma(b, x), r);
  V is_order = both(b, low_cmpf(b, "oge", n, zero), is_whole(b, n));
  return low_select(b, is_order, r, num(b, n, NAN));
}
