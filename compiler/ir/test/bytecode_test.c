// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytecode: one program in three encodings reads as its text does, and no damaged file is taken without
// a message or brings the reader, the verifier or the printer down.
#include "base/test.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/bytecode.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"

static const char program[] =
    "func.func @f(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi1>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>\n"
    "  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>\n"
    "  %2 = stablehlo.compare LT, %arg0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\n"
    "  %3 = stablehlo.select %2, %arg0, %1 : tensor<2x3xi1>, tensor<2x3xf32>\n"
    "  return %3 : tensor<2x3xf32>\n"
    "}\n";
// What the reference tools write for it.
static const char plain[] =
    "4d4cef520d4d4c495232342e302e30676974000125070105090f01030f030507130509171b1f23032d0d11010b070b0b"
    "3f3305030b01111707130b131b0f1702811f0d0b05132509190000803f000000c00000003f230d031101000000000000"
    "00050b1b05090d030b1b03090701091b030d030505010503010102041b05090d07047d050150010107046d0301050350"
    "0103070459030d170501090007420105030909460107030103050b460109030f0501070d060103010709010705040103"
    "0b060301050100b715050f1123130f0f150b116275696c74696e0066756e6300737461626c65686c6f006d6f64756c65"
    "0072657475726e00636f6e7374616e740062726f6164636173745f696e5f64696d00636f6d706172650073656c656374"
    "00660008250b0501010d0103010105010307030905010b";
static const char portable_0_9_0[] =  // container version 0: attributes only, no properties
    "4d4cef5201537461626c65484c4f5f76302e392e3000011d050103010305030d07090b0d0f1103613f13012f0b13330b"
    "0b0b0b0b131313130b13130b131b0b0b13131303110b0b0b0b3f2f0b0b031317071307131b130717025e020513170103"
    "03030b072f09310b2f0d330f35051505170519051b051d17010507170105211701055103031937051f1701071903031f"
    "390521170109150305253b273d0523052517010b1517010d1517010f0b0301230b1d271d291f09190000803f000000c0"
    "0000003f1f0d1101000000000000000901070b2905090d0309290309070129030d031105010503012903050f1d290509"
    "0d07047505011003070301050311110507030d17050113051505031b1703090707211d03010305090729230311050107"
    "0b062b0301070901070d042d030b060301050100b6032b03052b1b2b0d1f13151d15051515172919110f0b116275696c"
    "74696e0076686c6f006d6f64756c650066756e635f763100636f6e7374616e745f76310062726f6164636173745f696e"
    "5f64696d5f763100636f6d706172655f76310073656c6563745f76310072657475726e5f7631002d006172675f617474"
    "72730066756e6374696f6e5f74797065007265735f61747472730073796d5f6e616d650073796d5f7669736962696c69"
    "74790076616c75650062726f6164636173745f64696d656e73696f6e7300636f6d706172655f7479706500636f6d7061"
    "7269736f6e5f646972656374696f6e00660000";
static const char portable_1_17_0[] =
    "4d4cef520d537461626c65484c4f5f76312e31372e3000011f0501050f01030b030d0f13171b1f230347251301150b13"
    "131313131313131303110b0b0b0b3f2f0b0b031317071307131b13071702d70513170103031701050717010521170105"
    "51170107191701091517010b1517010d1517010f0b0301230b1d151d171f09190000803f000000c00000003f1f0d1101"
    "000000000000000901070b2905090d0309290309070129030d031105010503012903050f1d2905090d07048105015003"
    "010704710301050350050307045d030d170503070b090005420b05030907460d070301030509460f0903110501070b06"
    "110301070901070d0413030b060301050100db190305051515172919110f0b116275696c74696e0076686c6f006d6f64"
    "756c650066756e635f763100636f6e7374616e745f76310062726f6164636173745f696e5f64696d5f763100636f6d70"
    "6172655f76310073656c6563745f76310072657475726e5f7631002d0066000008230b0501010b151715191b031d031f"
    "052123";
static const char *const encodings[] = {plain, portable_0_9_0, portable_1_17_0};
enum { N_ENCODINGS = 3, MAX_BYTES = 1024 };

static size_t bytes_of(const char *hex, uint8_t *out) {
  size_t n = 0;
  for (unsigned byte; n < MAX_BYTES && sscanf(hex + 2 * n, "%2x", &byte) == 1; ++n) out[n] = (uint8_t)byte;
  return n;
}
static void on_diag(void *self, ir_severity_t severity, ir_loc_t loc, const char *message) {
  (void)loc, (void)message;
  if (severity == IR_ERROR) ++*(int *)self;
}
// Reads, verifies, prints. Returns whether it was taken; *out_text is owned by |arena|.
static bool taken(const void *data, size_t n, iree_arena_t *arena, int *out_errors, iree_string_view_t *out_text) {
  ir_tables_t tables = dialect_tables();
  ir_ctx_t *ctx = NULL;
  ir_op_t *module = NULL;
  *out_errors = 0;
  if (!iree_status_is_ok(ir_ctx_create(&tables, &ctx))) return false;
  ir_ctx_set_diag(ctx, on_diag, out_errors);
  iree_status_t status = ir_parse(ctx, iree_make_string_view(data, n), "t.mlirbc", &module);
  if (iree_status_is_ok(status)) status = ir_verify(module);
  bool ok = iree_status_is_ok(status);
  iree_status_ignore(status);
  ir_print_options_t options = {0};
  if (ok) *out_text = ir_print_to(arena, module, &options);
  ir_ctx_destroy(ctx);
  return ok;
}

TEST(reads_as_the_text) {
  iree_arena_t arena;
  iree_arena_init(&arena);
  iree_string_view_t expected = {0}, text = {0};
  int errors;
  EXPECT(taken(program, sizeof program - 1, &arena, &errors, &expected));
  for (int i = 0; i < N_ENCODINGS; ++i) {
    uint8_t data[MAX_BYTES];
    size_t n = bytes_of(encodings[i], data);
    EXPECT(ir_is_bytecode(iree_make_string_view((char *)data, n)));
    EXPECT(taken(data, n, &arena, &errors, &text));
    EXPECT(iree_string_view_equal(text, expected));
  }
  iree_arena_deinit(&arena);
}

TEST(quantised_types) {
  static const char text_form[] =
    "func.func @f(%arg0: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<u8:f32, 2.500000e-01>> {\n"
    "  %0 = stablehlo.uniform_quantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<u8:f32, 2.500000e-01>>\n"
    "  return %0 : tensor<2x!quant.uniform<u8:f32, 2.500000e-01>>\n"
    "}\n";
  static const char encoding[] =
    "4d4cef520d4d4c495232342e302e30676974000121090105090d090103130305071707031b0325070f0107070b0b010b"
    "130b07131705054b4702711f0d09050f1b03090b01410b1b03090d05030103070903030500000000000000c07f01fe03"
    "fa030901030500000000000000a07f0101fa07044905015001010704390301050350010307042503050b030100070601"
    "0307030105040103030603010501008f1105230f0f150d0b116275696c74696e0066756e63007175616e740073746162"
    "6c65686c6f006d6f64756c650072657475726e00756e69666f726d5f7175616e74697a650066000817050501010d0103"
    "01010501";
  iree_arena_t arena;
  iree_arena_init(&arena);
  iree_string_view_t expected = {0}, text = {0};
  uint8_t data[MAX_BYTES];
  int errors;
  EXPECT(taken(text_form, sizeof text_form - 1, &arena, &errors, &expected));
  EXPECT(taken(data, bytes_of(encoding, data), &arena, &errors, &text));
  EXPECT(iree_string_view_equal(text, expected));
  iree_arena_deinit(&arena);
}

TEST(truncation_is_an_error) {
  iree_arena_t arena;
  iree_arena_init(&arena);
  for (int i = 0; i < N_ENCODINGS; ++i) {
    uint8_t data[MAX_BYTES];
    size_t n = bytes_of(encodings[i], data);
    for (size_t k = 1; k < n; ++k) {  // nothing at all is an empty module
      iree_string_view_t text;
      int errors;
      EXPECT(!taken(data, k, &arena, &errors, &text) && errors > 0);
    }
  }
  iree_arena_deinit(&arena);
}

TEST(damage_never_passes_in_silence) {
  static const uint8_t flips[] = {0xFF, 0x01, 0x02, 0x10, 0x80};
  iree_arena_t arena;
  iree_arena_init(&arena);
  for (int i = 0; i < N_ENCODINGS; ++i) {
    uint8_t data[MAX_BYTES];
    size_t n = bytes_of(encodings[i], data);
    for (size_t k = 4; k < n; ++k)
      for (size_t f = 0; f < sizeof flips; ++f) {
        iree_string_view_t text;
        int errors;
        data[k] ^= flips[f];
        EXPECT(taken(data, n, &arena, &errors, &text) || errors > 0);
        data[k] ^= flips[f];
      }
    iree_arena_reset(&arena);
  }
  iree_arena_deinit(&arena);
}

TEST_MAIN(CASE(reads_as_the_text) CASE(quantised_types) CASE(truncation_is_an_error) CASE(damage_never_passes_in_silence))
