// program p0_s: chlo.sinh complex<f64>
// in 1x2x0xcomplex<f64> 
// out 1x2x0xcomplex<f64>  ulp:12
func.func @p0_s(%a0: tensor<1x2x0xcomplex<f64>>) -> (tensor<1x2x0xcomplex<f64>>) {
  %v1 = chlo.sinh %a0 : tensor<1x2x0xcomplex<f64>> -> tensor<1x2x0xcomplex<f64>>
  return %v1 : tensor<1x2x0xcomplex<f64>>
}
// program p1_s: stablehlo.abs complex<f32>
// in 4xcomplex<f32> b55c433d11e193bedfa00fc0edd5dcbf9db11e3fcc811b3ffd2da4bf0ca4833e
// out 4xf32 c7e1953e902a3540592f5e3f1472a73f ulp:12
func.func @p1_s(%a0: tensor<4xcomplex<f32>>) -> (tensor<4xf32>) {
  %v1 = stablehlo.abs %a0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %v1 : tensor<4xf32>
}
// program p2_s: stablehlo.dynamic_slice ui32
// in 7xui32 03000000dafda4e58ed11d2a0000000000000000646f17daa940d755
// in ui64 0000000000000000
// out 3xui32 03000000dafda4e58ed11d2a exact
func.func @p2_s(%a0: tensor<7xui32>, %a1: tensor<ui64>) -> (tensor<3xui32>) {
  %v2 = stablehlo.dynamic_slice %a0, %a1, sizes = [3] : (tensor<7xui32>, tensor<ui64>) -> tensor<3xui32>
  return %v2 : tensor<3xui32>
}
// program p3_d: chlo.asin complex<f32>
// in 1xcomplex<f32> 4a03cf3e3e12c3bf
// out 1xcomplex<f32> b715613e673d9dbf ulp:12
func.func @p3_d(%a0: tensor<?xcomplex<f32>>) -> (tensor<?xcomplex<f32>>) {
  %v1 = chlo.asin %a0 : tensor<?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  return %v1 : tensor<?xcomplex<f32>>
}
// program p4_s: graph
// in 4x2xf16 007cf91a0041e89846a800386491b84d
// out 4x2xi1 0101010101010101 value
// out 4x2xui64 ffffffffffffffff0000000000000000020000000000000000000000000000000000000000000000000000000000000000000000000000001600000000000000 value
// out 4x4xbf16 807f5f3b807f5f3b20401dbb20401dbb09bd003f09bd003f2cbab7412cbab741 value
// out 4x2xbf16 0000807f0080004000000080b8410080 value
func.func @p4_s(%a0: tensor<4x2xf16>) -> (tensor<4x2xi1>, tensor<4x2xui64>, tensor<4x4xbf16>, tensor<4x2xbf16>) {
  %v1 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<4x2xf16>) -> tensor<2x4xf16>
  %v2 = stablehlo.compare LE, %a0, %a0, FLOAT : (tensor<4x2xf16>, tensor<4x2xf16>) -> tensor<4x2xi1>
  %v3 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<4x2xf16>) -> tensor<2x4xf16>
  %v4 = stablehlo.transpose %v3, dims = [1, 0] : (tensor<2x4xf16>) -> tensor<4x2xf16>
  %v5 = stablehlo.convert %v4 : (tensor<4x2xf16>) -> tensor<4x2xbf16>
  %v6 = stablehlo.convert %v5 : (tensor<4x2xbf16>) -> tensor<4x2xui64>
  %v7 = stablehlo.round_nearest_even %v5 : tensor<4x2xbf16>
  %v8 = stablehlo.concatenate %v5, %v5, dim = 1 : (tensor<4x2xbf16>, tensor<4x2xbf16>) -> tensor<4x4xbf16>
  %v9 = stablehlo.reverse %v7, dims = [1] : tensor<4x2xbf16>
  return %v2, %v6, %v8, %v9 : tensor<4x2xi1>, tensor<4x2xui64>, tensor<4x4xbf16>, tensor<4x2xbf16>
}
// program p6_s: stablehlo.sort ui16
// in 1x3x7xui16 0000fefff21e432bfffffeff02000000ffff030061d40000ffffda86a8ebad28030019b84c2b2857a937
// in 1x3x7xi8 6267000231f12b80ff99035d6737fe018580e375ed
// out 1x3x7xui16 0000fefff21e432bfffffeff02000000ffff030061d40000ffffda86a8ebad28030019b84c2b2857a937 exact
// out 1x3x7xi8 6267000231f12b80ff99035d6737fe018580e375ed exact
func.func @p6_s(%a0: tensor<1x3x7xui16>, %a1: tensor<1x3x7xi8>) -> (tensor<1x3x7xui16>, tensor<1x3x7xi8>) {
  %v2, %v3 = "stablehlo.sort"(%a0, %a1) ({
^bb0(%l0: tensor<ui16>, %r0: tensor<ui16>, %l1: tensor<i8>, %r1: tensor<i8>):
    %c = stablehlo.compare GT, %l0, %r0, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<1x3x7xui16>, tensor<1x3x7xi8>) -> (tensor<1x3x7xui16>, tensor<1x3x7xi8>)
  return %v2, %v3 : tensor<1x3x7xui16>, tensor<1x3x7xi8>
}
// program p7_d: graph
// in 4xi32 0000008003000000000000005166af22
// in 2xi32 0400000003000000
// out 4xui8 00030051 value
// out 4x3xi32 000000000000000000000000180000001800000018000000000000000000000000000000000000000000000000000000 value
// out 4xi32 00000000000000000000000000000000 value
// out i32 00000000 value
func.func @p7_d(%a0: tensor<?xi32>, %a1: tensor<2xi32>) -> (tensor<?xui8>, tensor<?x?xi32>, tensor<?xi32>, tensor<i32>) {
  %v1 = stablehlo.convert %a0 : (tensor<?xi32>) -> tensor<?xui8>
  %v2 = stablehlo.shift_left %a0, %a0 : tensor<?xi32>
  %v3 = stablehlo.dynamic_broadcast_in_dim %v2, %a1, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %v5 = stablehlo.and %a0, %v2 : tensor<?xi32>
  %v6 = stablehlo.dot_general %v2, %v5, contracting_dims = [0] x [0] : (tensor<?xi32>, tensor<?xi32>) -> tensor<i32>
  return %v1, %v3, %v5, %v6 : tensor<?xui8>, tensor<?x?xi32>, tensor<?xi32>, tensor<i32>
}
// program p8_s: stablehlo.select_and_scatter ui4
// in 6xui4 030404030400
// in 6xui4 030000010300
// in ui4 00
// out 6xui4 030000010300 value
func.func @p8_s(%a0: tensor<6xui4>, %a1: tensor<6xui4>, %a2: tensor<ui4>) -> (tensor<6xui4>) {
  %v3 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
^bb0(%l: tensor<ui4>, %r: tensor<ui4>):
    %g = stablehlo.compare GE, %l, %r, UNSIGNED : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
^bb0(%l: tensor<ui4>, %r: tensor<ui4>):
    %c = stablehlo.add %l, %r : tensor<ui4>
    stablehlo.return %c : tensor<ui4>
  }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<6xui4>, tensor<6xui4>, tensor<ui4>) -> (tensor<6xui4>)
  return %v3 : tensor<6xui4>
}
// program p9_s: chlo.broadcast_or ui4
// in 0x7x1xui4 
// in 1xui4 02
// out 0x7x1xui4  value
func.func @p9_s(%a0: tensor<0x7x1xui4>, %a1: tensor<1xui4>) -> (tensor<0x7x1xui4>) {
  %v2 = chlo.broadcast_or %a0, %a1 : (tensor<0x7x1xui4>, tensor<1xui4>) -> tensor<0x7x1xui4>
  return %v2 : tensor<0x7x1xui4>
}
// program p10_s: func.call f64
// in 4xf64 000000000000000000000000000010c000000000000010c00000000000000840
// in i32 6edf31fd
// out 4xf64 000000000000000000000000000020c000000000000020c00000000000001840 value
// out i32 6edf31fd exact
func.func private @p10_s_twice(%x: tensor<4xf64>, %y: tensor<i32>) -> (tensor<4xf64>, tensor<i32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf64>
  return %0, %y : tensor<4xf64>, tensor<i32>
}
func.func @p10_s(%a0: tensor<4xf64>, %a1: tensor<i32>) -> (tensor<4xf64>, tensor<i32>) {
  %l0:2 = func.call @p10_s_twice(%a0, %a1) : (tensor<4xf64>, tensor<i32>) -> (tensor<4xf64>, tensor<i32>)
  return %l0#0, %l0#1 : tensor<4xf64>, tensor<i32>
}
// program p13_s: stablehlo.log f64
// in 4xf64 86b6cd6f9771f1bfbb6361ba7f6d084003f6dfa470653d3f5a9fa9386982c73f
// out 4xf64 000000000000f87f43b7eeb845dcf13fb4f860f683d61ec0b68af675331dfbbf ulp:4
func.func @p13_s(%a0: tensor<4xf64>) -> (tensor<4xf64>) {
  %v1 = stablehlo.log %a0 : tensor<4xf64>
  return %v1 : tensor<4xf64>
}
// program p14_s: stablehlo.reverse ui16
// in 8x0xui16 
// out 8x0xui16  exact
func.func @p14_s(%a0: tensor<8x0xui16>) -> (tensor<8x0xui16>) {
  %v1 = stablehlo.reverse %a0, dims = [] : tensor<8x0xui16>
  return %v1 : tensor<8x0xui16>
}
// program p15_d: stablehlo.shift_right_logical i2
// in 3x2xi2 030001020103
// in 3x2xi2 000003010001
// out 3x2xi2 030000010101 exact
func.func @p15_d(%a0: tensor<3x?xi2>, %a1: tensor<3x?xi2>) -> (tensor<3x?xi2>) {
  %v2 = stablehlo.shift_right_logical %a0, %a1 : tensor<3x?xi2>
  return %v2 : tensor<3x?xi2>
}
// program p17_d: stablehlo.dynamic_update_slice f64
// in 1x8xf64 00000000000000c00fa2517d1e5720c0a1d1d281ce103ebf1585cd53d4f403008c3d6db8d9a11f40cfe9d1193bb6cfbfce2702657e247440000000000000f0ff
// in 0x5xf64 
// in ui32 02000000
// in ui32 06000000
// out 1x8xf64 00000000000000c00fa2517d1e5720c0a1d1d281ce103ebf1585cd53d4f403008c3d6db8d9a11f40cfe9d1193bb6cfbfce2702657e247440000000000000f0ff exact
func.func @p17_d(%a0: tensor<1x?xf64>, %a1: tensor<?x?xf64>, %a2: tensor<ui32>, %a3: tensor<ui32>) -> (tensor<1x?xf64>) {
  %v4 = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3 : (tensor<1x?xf64>, tensor<?x?xf64>, tensor<ui32>, tensor<ui32>) -> tensor<1x?xf64>
  return %v4 : tensor<1x?xf64>
}
// program p19_d: stablehlo.divide f32
// in 2x5xf32 d586093d2ed6b939c223cebd6b759dbbbae298c1e66c72c100000080981687be047088c344b9d623
// in 2x5xf32 79a324bcc55b74ae000080bf21e3d942000080ff6f6ef63c84404800457dac39d164c5c0c08a84c4
// out 2x5xf32 dad755c0abb0c2cac223ce3d550039b800000000a5d6fbc300000080bf7d48c423f23042905dcf9e exact
func.func @p19_d(%a0: tensor<2x?xf32>, %a1: tensor<?x5xf32>) -> (tensor<?x?xf32>) {
  %v2 = stablehlo.divide %a0, %a1 : (tensor<2x?xf32>, tensor<?x5xf32>) -> tensor<?x?xf32>
  return %v2 : tensor<?x?xf32>
}
// program p20_s: chlo.next_after f32
// in 2x6xf32 5b1537ba59cd8244985b373d85f748ba61991fc4a9603abc4998dac20000003faf1e96bc803b833ea49fba420000803f
// in 2x6xf32 249260bfbc9a503fa41664000000003f755892c28fa0264112560343375f84430000003f8ad10cb75ddb2b43497fe23b
// out 2x6xf32 5c1537ba58cd8244975b373d84f748ba60991fc4a8603abc4898dac20100003fae1e96bc7f3b833ea59fba42ffff7f3f value
func.func @p20_s(%a0: tensor<2x6xf32>, %a1: tensor<2x6xf32>) -> (tensor<2x6xf32>) {
  %v2 = chlo.next_after %a0, %a1 : tensor<2x6xf32>, tensor<2x6xf32> -> tensor<2x6xf32>
  return %v2 : tensor<2x6xf32>
}
// program p23_d: chlo.atan f64
// in 1xf64 13bf1d66415b50bf
// out 1xf64 8791f30a415b50bf ulp:4
func.func @p23_d(%a0: tensor<?xf64>) -> (tensor<?xf64>) {
  %v1 = chlo.atan %a0 : tensor<?xf64> -> tensor<?xf64>
  return %v1 : tensor<?xf64>
}
// program p24_s: stablehlo.composite ui16
// in ui16 0300
// out ui16 0900 exact
func.func private @p24_s_part(%x: tensor<ui16>) -> tensor<ui16> {
  %0 = stablehlo.multiply %x, %x : tensor<ui16>
  return %0 : tensor<ui16>
}
func.func @p24_s(%a0: tensor<ui16>) -> (tensor<ui16>) {
  %v1 = stablehlo.composite "test.square" %a0 {decomposition = @p24_s_part} : (tensor<ui16>) -> tensor<ui16>
  return %v1 : tensor<ui16>
}
// program p26_s: stablehlo.select_and_scatter i4
// in 9x2x3xi4 0709000b010109020001080e0d0908000e07090809010b09000000040304030a0209060d0d0d020702090c010f030600000e02020802
// in 9x1x1xi4 020d030c000e040d01
// in i4 00
// out 9x2x3xi4 020000000000000d000000000300000000000c00000000000000000000000e0000000000000400000000000d00000000010000000000 value
func.func @p26_s(%a0: tensor<9x2x3xi4>, %a1: tensor<9x1x1xi4>, %a2: tensor<i4>) -> (tensor<9x2x3xi4>) {
  %v3 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
^bb0(%l: tensor<i4>, %r: tensor<i4>):
    %g = stablehlo.compare GT, %l, %r, SIGNED : (tensor<i4>, tensor<i4>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
^bb0(%l: tensor<i4>, %r: tensor<i4>):
    %c = stablehlo.add %l, %r : tensor<i4>
    stablehlo.return %c : tensor<i4>
  }) {window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 3, 2>, padding = dense<[[0, 0], [1, 0], [0, 0]]> : tensor<3x2xi64>} : (tensor<9x2x3xi4>, tensor<9x1x1xi4>, tensor<i4>) -> (tensor<9x2x3xi4>)
  return %v3 : tensor<9x2x3xi4>
}
// program p28_s: stablehlo.count_leading_zeros i2
// in 2x1xi2 0200
// out 2x1xi2 0002 exact
func.func @p28_s(%a0: tensor<2x1xi2>) -> (tensor<2x1xi2>) {
  %v1 = stablehlo.count_leading_zeros %a0 : tensor<2x1xi2>
  return %v1 : tensor<2x1xi2>
}
// program p30_s: chlo.broadcast_subtract f32
// in 6xf32 000040c00000803f0000000000008040000080c000004040
// in 6xf32 0000803f000000000000803f000040400000803f000080bf
// out 6xf32 000080c00000803f000080bf0000803f0000a0c000008040 value
func.func @p30_s(%a0: tensor<6xf32>, %a1: tensor<6xf32>) -> (tensor<6xf32>) {
  %v2 = chlo.broadcast_subtract %a0, %a1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %v2 : tensor<6xf32>
}
// program p31_s: chlo.broadcast_power f64
// in f64 000000000000f0bf
// in 1xf64 000000000000f03f
// out 1xf64 000000000000f0bf ulp:4
func.func @p31_s(%a0: tensor<f64>, %a1: tensor<1xf64>) -> (tensor<1xf64>) {
  %v2 = chlo.broadcast_power %a0, %a1 : (tensor<f64>, tensor<1xf64>) -> tensor<1xf64>
  return %v2 : tensor<1xf64>
}
// program p33_d: graph
// in 5x6xbf16 404000c0803f004000c040c040c0803f00c080c00040404000008040803f00404040000080bf80400040803f803f40c000c0004080c0804080c080bf
// in 1x8xi4 0103080200020e06
// in i32 02000000
// in i32 06000000
// out 1x8xi1 0000010001000000 value
// out 1x8xi4 0000070000000a03 value
// out 1x5xi4 0200020e06 value
// out 1x8xi4 0404030404040203 value
func.func @p33_d(%a0: tensor<5x?xbf16>, %a1: tensor<?x8xi4>, %a2: tensor<i32>, %a3: tensor<i32>) -> (tensor<?x8xi1>, tensor<?x8xi4>, tensor<1x5xi4>, tensor<?x8xi4>) {
  %v2 = stablehlo.dot_general %a1, %a1, contracting_dims = [1] x [1] : (tensor<?x8xi4>, tensor<?x8xi4>) -> tensor<?x?xi4>
  %v3 = stablehlo.transpose %a1, dims = [0, 1] : (tensor<?x8xi4>) -> tensor<?x8xi4>
  %v4 = stablehlo.constant dense<-4> : tensor<i4>
  %v6 = stablehlo.get_dimension_size %a1, dim = 0 : (tensor<?x8xi4>) -> tensor<i32>
  %v7 = stablehlo.convert %v6 : (tensor<i32>) -> tensor<i64>
  %v8 = stablehlo.reshape %v7 : (tensor<i64>) -> tensor<1xi64>
  %v9 = stablehlo.constant dense<8> : tensor<i64>
  %v10 = stablehlo.reshape %v9 : (tensor<i64>) -> tensor<1xi64>
  %v11 = stablehlo.concatenate %v8, %v10, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %v5 = stablehlo.dynamic_broadcast_in_dim %v4, %v11, dims = [] : (tensor<i4>, tensor<2xi64>) -> tensor<?x8xi4>
  %v12 = stablehlo.and %v5, %a1 : tensor<?x8xi4>
  %v13 = stablehlo.compare EQ, %v3, %v12, SIGNED : (tensor<?x8xi4>, tensor<?x8xi4>) -> tensor<?x8xi1>
  %v14 = stablehlo.popcnt %v12 : tensor<?x8xi4>
  %v15 = stablehlo.subtract %v12, %v14 : tensor<?x8xi4>
  %v18 = stablehlo.dynamic_slice %v3, %a2, %a3, sizes = [1, 5] : (tensor<?x8xi4>, tensor<i32>, tensor<i32>) -> tensor<1x5xi4>
  %v19 = stablehlo.count_leading_zeros %v14 : tensor<?x8xi4>
  return %v13, %v15, %v18, %v19 : tensor<?x8xi1>, tensor<?x8xi4>, tensor<1x5xi4>, tensor<?x8xi4>
}
// program p34_s: stablehlo.real f32
// in 9xf32 a0a1663dbeab5640b7bf21c478c5373e0000807f2a8bf13921569140f14a0393cd2c0f43
// out 9xf32 a0a1663dbeab5640b7bf21c478c5373e0000807f2a8bf13921569140f14a0393cd2c0f43 exact
func.func @p34_s(%a0: tensor<9xf32>) -> (tensor<9xf32>) {
  %v1 = stablehlo.real %a0 : (tensor<9xf32>) -> tensor<9xf32>
  return %v1 : tensor<9xf32>
}
// program p35_d: graph
// in 1x8x1xui8 01c4011301aa8d00
// in 9x2xbf16 e63b756b6abfea3f954337bf6fba493c0941f83c013a803f0080ce3c7c40f0be0000a5c4
// in 3xui32 000000000200000003000000
// out 1x8x1xui8 fe3bfeecfe5572ff value
// out 9x2xbf16 0000756b80bf0040954380bf00800000104100000000803f00800000804000800000a5c4 value
// out 3x8x1xf16 003c205a003cc04c003c505968580000003c205a003cc04c003c505968580000003c205a003cc04c003c505968580000 value
func.func @p35_d(%a0: tensor<?x8x?xui8>, %a1: tensor<?x?xbf16>, %a2: tensor<3xui32>) -> (tensor<?x8x?xui8>, tensor<?x?xbf16>, tensor<3x8x1xf16>) {
  %v2 = stablehlo.not %a0 : tensor<?x8x?xui8>
  %v3 = stablehlo.round_nearest_even %a1 : tensor<?x?xbf16>
  %v4 = stablehlo.convert %a0 : (tensor<?x8x?xui8>) -> tensor<?x8x?xf16>
  %v6 = "stablehlo.gather"(%v4, %a2) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8, 1>} : (tensor<?x8x?xf16>, tensor<3xui32>) -> (tensor<3x8x1xf16>)
  return %v2, %v3, %v6 : tensor<?x8x?xui8>, tensor<?x?xbf16>, tensor<3x8x1xf16>
}
// program p39_s: stablehlo.dynamic_slice bf16
// in 9xbf16 37bddaba4288c07fa13b2c002b3a25c2be44
// in i8 06
// out 4xbf16 2c002b3a25c2be44 exact
func.func @p39_s(%a0: tensor<9xbf16>, %a1: tensor<i8>) -> (tensor<4xbf16>) {
  %v2 = stablehlo.dynamic_slice %a0, %a1, sizes = [4] : (tensor<9xbf16>, tensor<i8>) -> tensor<4xbf16>
  return %v2 : tensor<4xbf16>
}
// program p40_s: func.call ui16
// in 2x1x2xui16 0300040004000200
// in i32 8caede44
// out 2x1x2xui16 0600080008000400 value
// out i32 8caede44 exact
func.func private @p40_s_twice(%x: tensor<2x1x2xui16>, %y: tensor<i32>) -> (tensor<2x1x2xui16>, tensor<i32>) {
  %0 = stablehlo.add %x, %x : tensor<2x1x2xui16>
  return %0, %y : tensor<2x1x2xui16>, tensor<i32>
}
func.func @p40_s(%a0: tensor<2x1x2xui16>, %a1: tensor<i32>) -> (tensor<2x1x2xui16>, tensor<i32>) {
  %l0:2 = func.call @p40_s_twice(%a0, %a1) : (tensor<2x1x2xui16>, tensor<i32>) -> (tensor<2x1x2xui16>, tensor<i32>)
  return %l0#0, %l0#1 : tensor<2x1x2xui16>, tensor<i32>
}
// program p41_s: stablehlo.partition_id ui32
// out ui32 00000000 exact
func.func @p41_s() -> (tensor<ui32>) {
  %v0 = stablehlo.partition_id : tensor<ui32>
  return %v0 : tensor<ui32>
}
// program p42_s: stablehlo.add i64
// in i64 feffffffffffffff
// in i64 0100000000000000
// out i64 ffffffffffffffff exact
func.func @p42_s(%a0: tensor<i64>, %a1: tensor<i64>) -> (tensor<i64>) {
  %v2 = stablehlo.add %a0, %a1 : tensor<i64>
  return %v2 : tensor<i64>
}
// program p43_s: chlo.broadcast_power f64
// in 1x6xf64 000000000000f03f00000000000000c000000000000008c0000000000000f03f00000000000000400000000000000040
// in 1xf64 00000000000000c0
// out 1x6xf64 000000000000f03f000000000000d03f1cc7711cc771bc3f000000000000f03f000000000000d03f000000000000d03f ulp:4
func.func @p43_s(%a0: tensor<1x6xf64>, %a1: tensor<1xf64>) -> (tensor<1x6xf64>) {
  %v2 = chlo.broadcast_power %a0, %a1 : (tensor<1x6xf64>, tensor<1xf64>) -> tensor<1x6xf64>
  return %v2 : tensor<1x6xf64>
}
// program p44_s: graph
// in i4 0a
// in i1 01
// in i1 00
// out i4 00 value
// out i4 06 value
// out i4 00 value
func.func @p44_s(%a0: tensor<i4>, %a1: tensor<i1>, %a2: tensor<i1>) -> (tensor<i4>, tensor<i4>, tensor<i4>) {
  %v1 = stablehlo.constant dense<0> : tensor<i4>
  %v2 = stablehlo.broadcast_in_dim %v1, dims = [] : (tensor<i4>) -> tensor<i4>
  %v3 = stablehlo.and %a0, %v2 : tensor<i4>
  %v4 = stablehlo.compare LT, %a0, %v3, SIGNED : (tensor<i4>, tensor<i4>) -> tensor<i1>
  %v5 = stablehlo.select %v4, %a0, %v3 : (tensor<i1>, tensor<i4>, tensor<i4>) -> tensor<i4>
  %v6 = stablehlo.sign %v3 : tensor<i4>
  %v8 = "stablehlo.if"(%a1) ({
    %v9 = stablehlo.broadcast_in_dim %v5, dims = [] : (tensor<i4>) -> tensor<3xi4>
    %v10 = stablehlo.compare GE, %a0, %v3, SIGNED : (tensor<i4>, tensor<i4>) -> tensor<i1>
    %v11 = stablehlo.select %v10, %a0, %v3 : (tensor<i1>, tensor<i4>, tensor<i4>) -> tensor<i4>
    stablehlo.return %v11 : tensor<i4>
  }, {
    %v12 = stablehlo.slice %a0 [] : (tensor<i4>) -> tensor<i4>
    stablehlo.return %v12 : tensor<i4>
  }) : (tensor<i1>) -> tensor<i4>
  %v13 = stablehlo.transpose %v8, dims = [] : (tensor<i4>) -> tensor<i4>
  %v15 = "stablehlo.if"(%a2) ({
    %v16 = stablehlo.convert %v5 : (tensor<i4>) -> tensor<i16>
    %v17 = stablehlo.abs %v5 : tensor<i4>
    stablehlo.return %v17 : tensor<i4>
  }, {
    %v18 = stablehlo.abs %v5 : tensor<i4>
    stablehlo.return %v18 : tensor<i4>
  }) : (tensor<i1>) -> tensor<i4>
  %v19 = stablehlo.negate %v6 : tensor<i4>
  return %v13, %v15, %v19 : tensor<i4>, tensor<i4>, tensor<i4>
}
// program p45_s: stablehlo.compare bf16
// in 9xbf16 cd3a40bad5bc8f7fb13f80bf403a94c2a5be
// in 9xbf16 1c005b4181c1008043400000f63bd53add3f
// out 9xi1 000000000000000000 exact
func.func @p45_s(%a0: tensor<9xbf16>, %a1: tensor<9xbf16>) -> (tensor<9xi1>) {
  %v2 = stablehlo.compare EQ, %a0, %a1, FLOAT : (tensor<9xbf16>, tensor<9xbf16>) -> tensor<9xi1>
  return %v2 : tensor<9xi1>
}
// program p48_s: stablehlo.rng_bit_generator i8
// in 2xui64 d73c5698d9c8731ef2805cb60d4c8dc8
// out 2xui64 d73c5698d9c8731ef3805cb60d4c8dc8 exact
// out i8 f2 exact
func.func @p48_s(%a0: tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>) {
  %v1, %v2 = stablehlo.rng_bit_generator %a0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>)
  return %v1, %v2 : tensor<2xui64>, tensor<i8>
}
// program p49_d: graph
// in 6x2xi4 0a010a090f06000809010f0d
// in 3xi32 060000000300000002000000
// in 2xi32 0400000003000000
// out 6x3x2xi4 0a010a010a010a090a090a090f060f060f060008000800080901090109010f0d0f0d0f0d value
// out 4x3xui8 fa01faf9ff0600f8f901fffd value
// out 4x3xi4 040104010104000001010109 value
// out 0xi4  value
func.func @p49_d(%a0: tensor<?x2xi4>, %a1: tensor<3xi32>, %a2: tensor<2xi32>) -> (tensor<?x?x2xi4>, tensor<4x?xui8>, tensor<4x3xi4>, tensor<0xi4>) {
  %v1 = stablehlo.constant dense<0> : tensor<i4>
  %v2 = stablehlo.reduce(%a0 init: %v1) applies stablehlo.maximum across dimensions = [0] : (tensor<?x2xi4>, tensor<i4>) -> tensor<2xi4>
  %v3 = stablehlo.convert %a0 : (tensor<?x2xi4>) -> tensor<?x2xui8>
  %v4 = stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = [0, 2] : (tensor<?x2xi4>, tensor<3xi32>) -> tensor<?x?x2xi4>
  %v6 = stablehlo.multiply %a0, %a0 : tensor<?x2xi4>
  %v7 = stablehlo.dynamic_reshape %v3, %a2 : (tensor<?x2xui8>, tensor<2xi32>) -> tensor<4x?xui8>
  %v9 = stablehlo.reshape %v6 : (tensor<?x2xi4>) -> tensor<4x3xi4>
  %v10 = stablehlo.constant dense<0> : tensor<i4>
  %v11 = stablehlo.pad %v2, %v10, low = [-2], high = [-1], interior = [1] : (tensor<2xi4>, tensor<i4>) -> tensor<0xi4>
  return %v4, %v7, %v9, %v11 : tensor<?x?x2xi4>, tensor<4x?xui8>, tensor<4x3xi4>, tensor<0xi4>
}
// program p51_d: stablehlo.negate i4
// in 0xi4 
// out 0xi4  exact
func.func @p51_d(%a0: tensor<?xi4>) -> (tensor<?xi4>) {
  %v1 = stablehlo.negate %a0 : tensor<?xi4>
  return %v1 : tensor<?xi4>
}
// program p52_s: graph
// in 9x3xi32 ffffff7f75bd740c0100008071cd1c594c5d479d3f8e154e02000000010000000100000002000000668fcc38f86abaf0ffffffff0100008031339cf002000000512d6479ffffffffffffff7ffa60abbae7b856fe6082bf9ff2fb366e90fa9907290f870beedfe4136fdd925e
// in i32 feffff7f
// out i32 1e000000 value
// out 7xi32 1e0000001e0000001e0000001e0000001e0000001e0000001e000000 value
// out i32 feffff7f value
// out i32 1e000000 value
func.func @p52_s(%a0: tensor<9x3xi32>, %a1: tensor<i32>) -> (tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<i32>) {
  %v2 = stablehlo.popcnt %a1 : tensor<i32>
  %v3 = stablehlo.reshape %v2 : (tensor<i32>) -> tensor<i32>
  %v4 = stablehlo.transpose %v2, dims = [] : (tensor<i32>) -> tensor<i32>
  %v5 = stablehlo.constant dense<0> : tensor<i32>
  %v6 = stablehlo.reduce(%v4 init: %v5) applies stablehlo.or across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v7 = stablehlo.broadcast_in_dim %v2, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %v8 = stablehlo.reshape %a1 : (tensor<i32>) -> tensor<i32>
  %v9 = stablehlo.slice %v6 [] : (tensor<i32>) -> tensor<i32>
  return %v3, %v7, %v8, %v9 : tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<i32>
}
// program p53_d: stablehlo.real_dynamic_slice i8
// in 5x3xi8 7fba1b6b487efe0e02d602fe002453
// in 2xi32 0000000003000000
// in 2xi32 0500000003000000
// in 2xi32 0100000002000000
// out 5x0xi8  exact
func.func @p53_d(%a0: tensor<?x3xi8>, %a1: tensor<2xi32>, %a2: tensor<2xi32>, %a3: tensor<2xi32>) -> (tensor<?x?xi8>) {
  %v1 = stablehlo.real_dynamic_slice %a0, %a1, %a2, %a3 : (tensor<?x3xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xi8>
  return %v1 : tensor<?x?xi8>
}
// program p54_s: stablehlo.broadcast i8
// in i8 8b
// out 2xi8 8b8b exact
func.func @p54_s(%a0: tensor<i8>) -> (tensor<2xi8>) {
  %v1 = stablehlo.broadcast %a0, sizes = [2] : (tensor<i8>) -> tensor<2xi8>
  return %v1 : tensor<2xi8>
}
// program p55_d: stablehlo.scatter ui4
// in 6x4xui4 03020008050106010201000f000f000100020000000a090a
// in 3xui4 090603
// in 2xui64 05000000000000000300000000000000
// out 6x4xui4 03020008050106010201000f000f000100020000000a090a exact
func.func @p55_d(%a0: tensor<?x?xui4>, %a1: tensor<?xui4>, %a2: tensor<?xui64>) -> (tensor<?x?xui4>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<ui4>, %r: tensor<ui4>):
    %c = stablehlo.add %l, %r : tensor<ui4>
    stablehlo.return %c : tensor<ui4>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0>} : (tensor<?x?xui4>, tensor<?xui64>, tensor<?xui4>) -> (tensor<?x?xui4>)
  return %v3 : tensor<?x?xui4>
}
// program p56_s: chlo.broadcast_xor i1
// in 3xi1 010000
// in 3xi1 000100
// out 3xi1 010100 value
func.func @p56_s(%a0: tensor<3xi1>, %a1: tensor<3xi1>) -> (tensor<3xi1>) {
  %v2 = chlo.broadcast_xor %a0, %a1 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %v2 : tensor<3xi1>
}
// program p57_d: stablehlo.dot_general i8
// in 6x1xi8 feb2e102803d
// in 6x3xi8 253000f4fefc7fff7f807fd401b0c3025dbd
// out 1x3xi8 f78208 exact
func.func @p57_d(%a0: tensor<6x1xi8>, %a1: tensor<?x?xi8>) -> (tensor<1x?xi8>) {
  %v2 = stablehlo.dot_general %a0, %a1, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<6x1xi8>, tensor<?x?xi8>) -> tensor<1x?xi8>
  return %v2 : tensor<1x?xi8>
}
// program p58_s: chlo.digamma f32
// in f32 53018440
// out f32 6e40a53f ulp:16
func.func @p58_s(%a0: tensor<f32>) -> (tensor<f32>) {
  %v1 = chlo.digamma %a0 : tensor<f32> -> tensor<f32>
  return %v1 : tensor<f32>
}
// program p59_s: stablehlo.convert ui64
// in 1x2xui64 196ca38e3ac15deb5f66a791ec2401c3
// out 1x2xf64 6ed45127b86bed43ed34929d2460e843 exact
func.func @p59_s(%a0: tensor<1x2xui64>) -> (tensor<1x2xf64>) {
  %v1 = stablehlo.convert %a0 : (tensor<1x2xui64>) -> tensor<1x2xf64>
  return %v1 : tensor<1x2xf64>
}
// program p60_s: stablehlo.ceil f32
// in 3x3xf32 8f86aac015b3158a000080ffed056e39000000bf9b6012bcbd4a83415271a1bbde908341
// out 3x3xf32 0000a0c000000080000080ff0000803f0000008000000080000088410000008000008841 exact
func.func @p60_s(%a0: tensor<3x3xf32>) -> (tensor<3x3xf32>) {
  %v1 = stablehlo.ceil %a0 : tensor<3x3xf32>
  return %v1 : tensor<3x3xf32>
}
// program p62_s: stablehlo.maximum i4
// in 9xi4 0d09020402080e0c02
// in 9xi4 08060a0009080f0608
// out 9xi4 0d06020402080f0602 exact
func.func @p62_s(%a0: tensor<9xi4>, %a1: tensor<9xi4>) -> (tensor<9xi4>) {
  %v2 = stablehlo.maximum %a0, %a1 : (tensor<9xi4>, tensor<9xi4>) -> tensor<9xi4>
  return %v2 : tensor<9xi4>
}
// program p63_s: stablehlo.all_gather ui8
// in 7xui8 03ff0002f5de7c
// out 7xui8 03ff0002f5de7c exact
func.func @p63_s(%a0: tensor<7xui8>) -> (tensor<7xui8>) {
  %v1 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<7xui8>) -> (tensor<7xui8>)
  return %v1 : tensor<7xui8>
}
// program p64_s: chlo.asinh complex<f64>
// in 1xcomplex<f64> b880b2693af0d93f7ba9d46521cddc3f
// out 1xcomplex<f64> f623e950bc97db3faac927fa2d1fdb3f ulp:12
func.func @p64_s(%a0: tensor<1xcomplex<f64>>) -> (tensor<1xcomplex<f64>>) {
  %v1 = chlo.asinh %a0 : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  return %v1 : tensor<1xcomplex<f64>>
}
// program p65_s: chlo.lgamma bf16
// in bf16 bb41
// out bf16 4742 ulp:1
func.func @p65_s(%a0: tensor<bf16>) -> (tensor<bf16>) {
  %v1 = chlo.lgamma %a0 : tensor<bf16> -> tensor<bf16>
  return %v1 : tensor<bf16>
}
// program p67_d: stablehlo.sort ui2
// in 5x1xui2 0100000203
// in 5x1xui8 01fd6f0003
// out 5x1xui2 0000010203 exact
// out 5x1xui8 fd6f010003 exact
func.func @p67_d(%a0: tensor<5x?xui2>, %a1: tensor<5x?xui8>) -> (tensor<5x?xui2>, tensor<5x?xui8>) {
  %v2, %v3 = "stablehlo.sort"(%a0, %a1) ({
^bb0(%l0: tensor<ui2>, %r0: tensor<ui2>, %l1: tensor<ui8>, %r1: tensor<ui8>):
    %c = stablehlo.compare LT, %l0, %r0, UNSIGNED : (tensor<ui2>, tensor<ui2>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<5x?xui2>, tensor<5x?xui8>) -> (tensor<5x?xui2>, tensor<5x?xui8>)
  return %v2, %v3 : tensor<5x?xui2>, tensor<5x?xui8>
}
// program p68_s: chlo.broadcast_minimum ui8
// in 2x2x3xui8 040000010203000203040204
// in 2x2x1xui8 00030404
// out 2x2x3xui8 000000010203000203040204 value
func.func @p68_s(%a0: tensor<2x2x3xui8>, %a1: tensor<2x2x1xui8>) -> (tensor<2x2x3xui8>) {
  %v2 = chlo.broadcast_minimum %a0, %a1 : (tensor<2x2x3xui8>, tensor<2x2x1xui8>) -> tensor<2x2x3xui8>
  return %v2 : tensor<2x2x3xui8>
}
// program p69_d: stablehlo.transpose f8E4M3FN
// in 5x2x1x1xf8E4M3FN e9807f425a3c81660494
// out 1x2x1x5xf8E4M3FN e97f5a810480423c6694 exact
func.func @p69_d(%a0: tensor<5x?x?x1xf8E4M3FN>) -> (tensor<?x?x1x5xf8E4M3FN>) {
  %v1 = stablehlo.transpose %a0, dims = [2, 1, 3, 0] : (tensor<5x?x?x1xf8E4M3FN>) -> tensor<?x?x1x5xf8E4M3FN>
  return %v1 : tensor<?x?x1x5xf8E4M3FN>
}
// program p73_s: stablehlo.rng_bit_generator ui8
// in 2xui64 f1c50cf74035d4ee0000000000000000
// out 2xui64 f1c50cf74035d4ee0200000000000000 exact
// out 8x1xui8 70e7cb79fa47905a exact
func.func @p73_s(%a0: tensor<2xui64>) -> (tensor<2xui64>, tensor<8x1xui8>) {
  %v1, %v2 = stablehlo.rng_bit_generator %a0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x1xui8>)
  return %v1, %v2 : tensor<2xui64>, tensor<8x1xui8>
}
// program p75_d: stablehlo.divide i64
// in 3xi64 f28632658d838a74feffffffffffffff0300000000000000
// in 3xi64 798234d30da2b18e3bcad10959ee6f94feffffffffffffff
// out 3xi64 ffffffffffffffff0000000000000000ffffffffffffffff exact
func.func @p75_d(%a0: tensor<?xi64>, %a1: tensor<?xi64>) -> (tensor<?xi64>) {
  %v2 = stablehlo.divide %a0, %a1 : tensor<?xi64>
  return %v2 : tensor<?xi64>
}
// program p76_s: stablehlo.sign i4
// in i4 00
// out i4 00 exact
func.func @p76_s(%a0: tensor<i4>) -> (tensor<i4>) {
  %v1 = stablehlo.sign %a0 : tensor<i4>
  return %v1 : tensor<i4>
}
// program p77_d: graph
// in 6xi16 020002000080d995a1e2fe7f
// out 6xi16 020002000080d995a1e2fe7f value
// out 6xi16 040004000000b22b42c5fcff value
// out i16 0000 value
func.func @p77_d(%a0: tensor<?xi16>) -> (tensor<?xi16>, tensor<?xi16>, tensor<i16>) {
  %v1 = stablehlo.compare GT, %a0, %a0, SIGNED : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi1>
  %v2 = stablehlo.select %v1, %a0, %a0 : (tensor<?xi1>, tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  %v3 = stablehlo.or %a0, %a0 : tensor<?xi16>
  %v4 = stablehlo.transpose %v2, dims = [0] : (tensor<?xi16>) -> tensor<?xi16>
  %v5 = stablehlo.add %v2, %v2 : tensor<?xi16>
  %v6 = stablehlo.constant dense<1> : tensor<i16>
  %v7 = stablehlo.reduce(%v4 init: %v6) applies stablehlo.and across dimensions = [0] : (tensor<?xi16>, tensor<i16>) -> tensor<i16>
  return %v3, %v5, %v7 : tensor<?xi16>, tensor<?xi16>, tensor<i16>
}
// program p79_d: chlo.erfc bf16
// in 6x3xbf16 e44009410c4063c034beaf3f3f3fb54011407440ef3f0840cabd9a3f894000c0503f4d40
// out 6x3xbf16 08199d08023b0040993f5a3d953eb526b23a9633083c2e3b8e3fb63dc130ff3f803ec636 ulp:1
func.func @p79_d(%a0: tensor<?x?xbf16>) -> (tensor<?x?xbf16>) {
  %v1 = chlo.erfc %a0 : tensor<?x?xbf16> -> tensor<?x?xbf16>
  return %v1 : tensor<?x?xbf16>
}
// program p80_s: stablehlo.sort i2
// in 5x8xi2 02030300030203020203030101020300000002010001020100000300000202030303030302020203
// in 5x8xui4 00060f0000000008000e0e040c000401000102010a010701060601000000090d000c0803030d020e
// out 5x8xi2 02030203020202020203030003020203030303000002020300000301000203000000030101010301 exact
// out 5x8xui4 0006020303000708000e0f000000090d000c0e000a00020e00010104000d0001060608010c010401 exact
func.func @p80_s(%a0: tensor<5x8xi2>, %a1: tensor<5x8xui4>) -> (tensor<5x8xi2>, tensor<5x8xui4>) {
  %v2, %v3 = "stablehlo.sort"(%a0, %a1) ({
^bb0(%l0: tensor<i2>, %r0: tensor<i2>, %l1: tensor<ui4>, %r1: tensor<ui4>):
    %c = stablehlo.compare LT, %l0, %r0, SIGNED : (tensor<i2>, tensor<i2>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<5x8xi2>, tensor<5x8xui4>) -> (tensor<5x8xi2>, tensor<5x8xui4>)
  return %v2, %v3 : tensor<5x8xi2>, tensor<5x8xui4>
}
// program p81_d: stablehlo.popcnt i16
// in 1xi16 c4d6
// out 1xi16 0800 exact
func.func @p81_d(%a0: tensor<?xi16>) -> (tensor<?xi16>) {
  %v1 = stablehlo.popcnt %a0 : tensor<?xi16>
  return %v1 : tensor<?xi16>
}
// program p82_s: stablehlo.scatter i4
// in 2x5x6xi4 050c040205030f0e0206060703090d0f0e0e01010907090f0402090205010b010b09000d0f0a0e08030d030306070802000d090302090e010c060000
// in 1x1x7xi4 04090307090600
// in 0x7xi32 
// out 2x5x6xi4 090c040205030f0e0206060703090d0f0e0e01010907090f0402090205010b010b09000d0f0a0e08030d030306070802000d090302090e010c060000 exact
func.func @p82_s(%a0: tensor<2x5x6xi4>, %a1: tensor<1x1x7xi4>, %a2: tensor<0x7xi32>) -> (tensor<2x5x6xi4>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<i4>, %r: tensor<i4>):
    %c = stablehlo.minimum %l, %r : tensor<i4>
    stablehlo.return %c : tensor<i4>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], index_vector_dim = 0>} : (tensor<2x5x6xi4>, tensor<0x7xi32>, tensor<1x1x7xi4>) -> (tensor<2x5x6xi4>)
  return %v3 : tensor<2x5x6xi4>
}
// program p83_d: stablehlo.iota i64
// in i32 01000000
// in i32 06000000
// out 1x6xi64 000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 exact
func.func @p83_d(%a0: tensor<i32>, %a1: tensor<i32>) -> (tensor<?x?xi64>) {
  %v2 = stablehlo.reshape %a0 : (tensor<i32>) -> tensor<1xi32>
  %v4 = stablehlo.reshape %a1 : (tensor<i32>) -> tensor<1xi32>
  %v5 = stablehlo.concatenate %v2, %v4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %v0 = stablehlo.dynamic_iota %v5, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi64>
  return %v0 : tensor<?x?xi64>
}
// program p85_d: stablehlo.dot_general quantised
// in 6x4xf32 34754b3fe6f2f33e05b1e53f735ea0be9cd932bf85430b3ee0d641bf580cd0bf8b40c73eac29253fe8c95b3e9aa9c63e130c55bf12ca87befba31cbfb2d88c3fe907643fce2a06bfc5490ec07cb7d0bf34763cbdf5f9d2beae9d66be562e4fc0
// in 4x3xf32 4a196b3f8bfc1c3e6bf6d2bef66596bfb2e92e3fcd733cbc1bd07a3fa109bdbf563e39bfb1121c3d8cc7783ff9277c3f
// out 6x3xf32 00000040000040c0000000c0000000c00000000000000000000000000000803f00000000000080bf0000803f00000040000000000000803f000000000000803f000040c0000040c0 value
func.func @p85_d(%a0: tensor<?x4xf32>, %a1: tensor<4x3xf32>) -> (tensor<?x3xf32>) {
  %q0 = stablehlo.uniform_quantize %a0 : (tensor<?x4xf32>) -> tensor<?x4x!quant.uniform<i8:f32, 0.5:-3>>
  %q1 = stablehlo.uniform_quantize %a1 : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8<-127:127>:f32, 0.25:0>>
  %q2 = stablehlo.dot_general %q0, %q1, contracting_dims = [1] x [0] : (tensor<?x4x!quant.uniform<i8:f32, 0.5:-3>>, tensor<4x3x!quant.uniform<i8<-127:127>:f32, 0.25:0>>) -> tensor<?x3x!quant.uniform<i8:f32, 1.0:4>>
  %v3 = stablehlo.uniform_dequantize %q2 : (tensor<?x3x!quant.uniform<i8:f32, 1.0:4>>) -> tensor<?x3xf32>
  return %v3 : tensor<?x3xf32>
}
// program p87_s: chlo.acosh f16
// in f16 9a46
// out f16 2641 ulp:1
func.func @p87_s(%a0: tensor<f16>) -> (tensor<f16>) {
  %v1 = chlo.acosh %a0 : tensor<f16> -> tensor<f16>
  return %v1 : tensor<f16>
}
// program p89_d: graph
// in 9xi32 ffffffff49a82de1df809997de1a3d620100008003d21019ffffff7f02ab920487ed95fb
// in i32 ffffff7f
// in 1xi32 9660fc4e
// out i32 9660fc4e value
// out 2xi32 9660fc4e9660fc4e value
// out i1 00 value
// out i32 00000000 value
func.func @p89_d(%a0: tensor<?xi32>, %a1: tensor<i32>, %a2: tensor<1xi32>) -> (tensor<i32>, tensor<2xi32>, tensor<i1>, tensor<i32>) {
  %v3 = stablehlo.constant dense<0> : tensor<i32>
  %v4 = stablehlo.reduce(%a1 init: %v3) applies stablehlo.minimum across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v5 = stablehlo.concatenate %a2, %a2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %v6 = stablehlo.transpose %a1, dims = [] : (tensor<i32>) -> tensor<i32>
  %v7 = stablehlo.convert %a1 : (tensor<i32>) -> tensor<f64>
  %v8 = stablehlo.reshape %a2 : (tensor<1xi32>) -> tensor<i32>
  %v9 = stablehlo.shift_left %v4, %v4 : tensor<i32>
  %v10 = stablehlo.reshape %v9 : (tensor<i32>) -> tensor<i32>
  %v11 = stablehlo.reverse %v5, dims = [] : tensor<2xi32>
  %v12 = stablehlo.constant dense<2> : tensor<i32>
  %v13 = stablehlo.broadcast_in_dim %v12, dims = [] : (tensor<i32>) -> tensor<i32>
  %v14 = stablehlo.compare EQ, %v10, %v13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %v15 = stablehlo.not %v14 : tensor<i1>
  %v16 = stablehlo.constant dense<false> : tensor<i1>
  %v17 = stablehlo.broadcast_in_dim %v16, dims = [] : (tensor<i1>) -> tensor<i1>
  %v18 = stablehlo.and %v15, %v17 : tensor<i1>
  %v19 = stablehlo.maximum %v10, %v9 : tensor<i32>
  return %v8, %v11, %v18, %v19 : tensor<i32>, tensor<2xi32>, tensor<i1>, tensor<i32>
}
// program p90_s: stablehlo.xor ui4
// in 3x5xui4 08020f030c0d07040001010402020f
// in 3x5xui4 0f030f0f0107000f0e090e0e030000
// out 3x5xui4 0701000c0d0a070b0e080f0a01020f exact
func.func @p90_s(%a0: tensor<3x5xui4>, %a1: tensor<3x5xui4>) -> (tensor<3x5xui4>) {
  %v2 = stablehlo.xor %a0, %a1 : (tensor<3x5xui4>, tensor<3x5xui4>) -> tensor<3x5xui4>
  return %v2 : tensor<3x5xui4>
}
// program p93_d: chlo.atanh complex<f32>
// in 5xcomplex<f32> 14da01befd6dfd3e171537befb593a3e7fbe7fbe9b1a35be277618bf6502eebe5698d0bee8c6843f
// out 5xcomplex<f32> 4fc8d0bd19faed3e16d432bee3143e3e4c807cbe85823ebe5cfffdbe53b311bffafc42be37ed573f ulp:12
func.func @p93_d(%a0: tensor<?xcomplex<f32>>) -> (tensor<?xcomplex<f32>>) {
  %v1 = chlo.atanh %a0 : tensor<?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  return %v1 : tensor<?xcomplex<f32>>
}
// program p94_s: graph
// in 2xi1 0001
// in i1 01
// in 2xi64 02000000000000000500000000000000
// in 1xi32 03000000
// out 2xi1 0001 value
// out 3xi1 010000 value
// out 3xi1 000101 value
// out 3xi1 000000 value
func.func @p94_s(%a0: tensor<2xi1>, %a1: tensor<i1>, %a2: tensor<2xi64>, %a3: tensor<1xi32>) -> (tensor<2xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %v1 = stablehlo.constant dense<false> : tensor<i1>
  %v2 = stablehlo.pad %a0, %v1, low = [-1], high = [2], interior = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<3xi1>
  %v3 = stablehlo.concatenate %v2, %a0, dim = 0 : (tensor<3xi1>, tensor<2xi1>) -> tensor<5xi1>
  %v5 = "stablehlo.if"(%a1) ({
    %v6 = stablehlo.or %a0, %a0 : tensor<2xi1>
    stablehlo.return %v6 : tensor<2xi1>
  }, {
    %v7 = stablehlo.broadcast_in_dim %v3, dims = [1] : (tensor<5xi1>) -> tensor<2x5xi1>
    %v9 = stablehlo.not %a0 : tensor<2xi1>
    stablehlo.return %v9 : tensor<2xi1>
  }) : (tensor<i1>) -> tensor<2xi1>
  %v10 = stablehlo.reverse %v2, dims = [] : tensor<3xi1>
  %v11 = stablehlo.transpose %v5, dims = [0] : (tensor<2xi1>) -> tensor<2xi1>
  %v12 = stablehlo.reshape %v2 : (tensor<3xi1>) -> tensor<3xi1>
  %v14 = stablehlo.not %v2 : tensor<3xi1>
  %v15 = stablehlo.and %v14, %v10 : tensor<3xi1>
  return %v11, %v12, %v14, %v15 : tensor<2xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
// program p96_s: stablehlo.collective_broadcast i64
// in 2x6xi64 59566d9dfa3d3f5e0100000000000000df0749e9125c702500000000000000800000000000000080ab3fd4ba33d7d4d8c51361d2b2622c840000000000000000010000000000000095b11ee652fb126d53999c2ac7c0ab17ed5278012810e634
// out 2x6xi64 59566d9dfa3d3f5e0100000000000000df0749e9125c702500000000000000800000000000000080ab3fd4ba33d7d4d8c51361d2b2622c840000000000000000010000000000000095b11ee652fb126d53999c2ac7c0ab17ed5278012810e634 exact
func.func @p96_s(%a0: tensor<2x6xi64>) -> (tensor<2x6xi64>) {
  %v1 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x6xi64>) -> (tensor<2x6xi64>)
  return %v1 : tensor<2x6xi64>
}
// program p97_d: graph
// in 8xi8 f26e2b020217df80
// in 2x8xi8 42006d4927040131f17f6c7eb920006f
// in i32 00000000
// out 8xi8 e4dc5604042ebe00 value
// out 8xi8 f6fe7f06063fff80 value
// out 8xi8 f26e2b020217df80 value
// out 8xi8 f26e2b020217df80 value
func.func @p97_d(%a0: tensor<?xi8>, %a1: tensor<2x8xi8>, %a2: tensor<i32>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
  %v3 = stablehlo.constant dense<0> : tensor<i32>
  %v4 = stablehlo.constant dense<1> : tensor<i32>
  %l2:2 = stablehlo.while(%k2 = %v3, %s2 = %a0) : tensor<i32>, tensor<?xi8>
  cond {
    %c = stablehlo.compare LT, %k2, %a2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %v7 = stablehlo.not %s2 : tensor<?xi8>
    %n = stablehlo.add %k2, %v4 : tensor<i32>
    stablehlo.return %n, %v7 : tensor<i32>, tensor<?xi8>
  }
  %v8 = stablehlo.add %a0, %l2#1 : tensor<?xi8>
  %v9 = stablehlo.or %l2#1, %v8 : tensor<?xi8>
  %v10 = stablehlo.reverse %l2#1, dims = [] : tensor<?xi8>
  %v11 = stablehlo.maximum %l2#1, %a0 : tensor<?xi8>
  return %v8, %v9, %v10, %v11 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>
}
// program p98_s: chlo.next_after f64
// in 1xf64 0000000000000040
// in 1xf64 8174236cb0048240
// out 1xf64 0100000000000040 value
func.func @p98_s(%a0: tensor<1xf64>, %a1: tensor<1xf64>) -> (tensor<1xf64>) {
  %v2 = chlo.next_after %a0, %a1 : tensor<1xf64>, tensor<1xf64> -> tensor<1xf64>
  return %v2 : tensor<1xf64>
}
// program p99_d: stablehlo.select_and_scatter i64
// in 1x1x2xi64 0200000000000000ffffffffffffffff
// in 1x1x1xi64 fcffffffffffffff
// in i64 0000000000000000
// out 1x1x2xi64 0000000000000000fcffffffffffffff value
func.func @p99_d(%a0: tensor<?x1x?xi64>, %a1: tensor<?x1x?xi64>, %a2: tensor<i64>) -> (tensor<?x1x?xi64>) {
  %v3 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
^bb0(%l: tensor<i64>, %r: tensor<i64>):
    %g = stablehlo.compare LE, %l, %r, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
^bb0(%l: tensor<i64>, %r: tensor<i64>):
    %c = stablehlo.add %l, %r : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) {window_dimensions = array<i64: 2, 2, 2>, window_strides = array<i64: 1, 1, 1>, padding = dense<[[0, 1], [0, 1], [0, 0]]> : tensor<3x2xi64>} : (tensor<?x1x?xi64>, tensor<?x1x?xi64>, tensor<i64>) -> (tensor<?x1x?xi64>)
  return %v3 : tensor<?x1x?xi64>
}
// program p100_s: chlo.broadcast_xor ui8
// in ui8 03
// in ui8 01
// out ui8 02 value
func.func @p100_s(%a0: tensor<ui8>, %a1: tensor<ui8>) -> (tensor<ui8>) {
  %v2 = chlo.broadcast_xor %a0, %a1 : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  return %v2 : tensor<ui8>
}
// program p101_s: chlo.broadcast_maximum ui16
// in 1xui16 0100
// in 1xui16 0200
// out 1xui16 0200 value
func.func @p101_s(%a0: tensor<1xui16>, %a1: tensor<1xui16>) -> (tensor<1xui16>) {
  %v2 = chlo.broadcast_maximum %a0, %a1 : (tensor<1xui16>, tensor<1xui16>) -> tensor<1xui16>
  return %v2 : tensor<1xui16>
}
// program p102_s: stablehlo.scatter bf16
// in 2x6xbf16 404080c0004000400040804000c04040000040c000c04040
// in 2x0xbf16 
// in 0x2xi8 
// out 2x6xbf16 404080c0004000400040804000c04040000040c000c04040 exact
func.func @p102_s(%a0: tensor<2x6xbf16>, %a1: tensor<2x0xbf16>, %a2: tensor<0x2xi8>) -> (tensor<2x6xbf16>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<bf16>, %r: tensor<bf16>):
    %c = stablehlo.minimum %l, %r : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>} : (tensor<2x6xbf16>, tensor<0x2xi8>, tensor<2x0xbf16>) -> (tensor<2x6xbf16>)
  return %v3 : tensor<2x6xbf16>
}
// program p103_d: stablehlo.transpose i4
// in 7x2xi4 0c010209050202010302060e0f01
// out 7x2xi4 0c010209050202010302060e0f01 exact
func.func @p103_d(%a0: tensor<7x?xi4>) -> (tensor<7x?xi4>) {
  %v1 = stablehlo.transpose %a0, dims = [0, 1] : (tensor<7x?xi4>) -> tensor<7x?xi4>
  return %v1 : tensor<7x?xi4>
}
// program p107_s: chlo.broadcast_add i4
// in 4x1xi4 040f0201
// in 6x1x4x1xi4 0e010c0204020403000f04020c0103030e0d00020c0f0e0e
// out 6x1x4x1xi4 02000e0308010604040e060300000504020c0203000e000f value
func.func @p107_s(%a0: tensor<4x1xi4>, %a1: tensor<6x1x4x1xi4>) -> (tensor<6x1x4x1xi4>) {
  %v2 = chlo.broadcast_add %a0, %a1 : (tensor<4x1xi4>, tensor<6x1x4x1xi4>) -> tensor<6x1x4x1xi4>
  return %v2 : tensor<6x1x4x1xi4>
}
// program p109_d: stablehlo.compare f32
// in 1x0xf32 
// in 1x0xf32 
// out 1x0xi1  exact
func.func @p109_d(%a0: tensor<1x?xf32>, %a1: tensor<?x0xf32>) -> (tensor<?x?xi1>) {
  %v2 = stablehlo.compare EQ, %a0, %a1, FLOAT : (tensor<1x?xf32>, tensor<?x0xf32>) -> tensor<?x?xi1>
  return %v2 : tensor<?x?xi1>
}
// program p110_s: stablehlo.broadcast_in_dim i16
// in i16 49ef
// out 7xi16 49ef49ef49ef49ef49ef49ef49ef exact
func.func @p110_s(%a0: tensor<i16>) -> (tensor<7xi16>) {
  %v1 = stablehlo.broadcast_in_dim %a0, dims = [] : (tensor<i16>) -> tensor<7xi16>
  return %v1 : tensor<7xi16>
}
// program p111_d: chlo.acos f32
// in 3x5xf32 5682073f4c274e3e338947bf69650abfa99727bf2850cdbe68e6353ff656d9be5e228abf3d00b43ef9152dbf5e0b583f71ad3abfc49a343eebd83fbf
// out 3x5xf32 6ba9813f8c1daf3f68bb1d40d8150940ae35124047e0fd3f3bd0473fad9600400000c0ff3a149b3fb40c14402df5103f5dd418401e5eb23fd0bf1a40 ulp:3
func.func @p111_d(%a0: tensor<?x?xf32>) -> (tensor<?x?xf32>) {
  %v1 = chlo.acos %a0 : tensor<?x?xf32> -> tensor<?x?xf32>
  return %v1 : tensor<?x?xf32>
}
// program p113_s: chlo.broadcast_divide f16
// in 1xf16 0000
// in 2xf16 00c20040
// out 2xf16 00800000 value
func.func @p113_s(%a0: tensor<1xf16>, %a1: tensor<2xf16>) -> (tensor<2xf16>) {
  %v2 = chlo.broadcast_divide %a0, %a1 : (tensor<1xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %v2 : tensor<2xf16>
}
// program p114_s: stablehlo.reduce_precision f16
// in 3xf16 003882c76664
// out 3xf16 003880c76864 exact
func.func @p114_s(%a0: tensor<3xf16>) -> (tensor<3xf16>) {
  %v1 = stablehlo.reduce_precision %a0, format = e5m7 : tensor<3xf16>
  return %v1 : tensor<3xf16>
}
// program p115_d: stablehlo.scatter bf16
// in 9x2xbf16 000080bf000080bf004040400000004080c04040803f40c080c080c080404040404040c0
// in 9x2xbf16 004000c0803f80bf803f000040400000804080bf404040c0803f80bf803f80c080c080c0
// in 9xi32 000000000000000000000000000000000000000000000000000000000000000000000000
// out 9x2xbf16 000000c0000080bf803f00000000000080c080bf803f40c080c080c0803f80c080c080c0 exact
func.func @p115_d(%a0: tensor<?x?xbf16>, %a1: tensor<?x2xbf16>, %a2: tensor<?xi32>) -> (tensor<?x?xbf16>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<bf16>, %r: tensor<bf16>):
    %c = stablehlo.minimum %l, %r : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<?x?xbf16>, tensor<?xi32>, tensor<?x2xbf16>) -> (tensor<?x?xbf16>)
  return %v3 : tensor<?x?xbf16>
}
// program p116_s: stablehlo.all_reduce i1
// in 2x1xi1 0101
// out 2x1xi1 0101 value
func.func @p116_s(%a0: tensor<2x1xi1>) -> (tensor<2x1xi1>) {
  %v1 = "stablehlo.all_reduce"(%a0) ({
^bb0(%l: tensor<i1>, %r: tensor<i1>):
    %c = stablehlo.or %l, %r : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x1xi1>) -> (tensor<2x1xi1>)
  return %v1 : tensor<2x1xi1>
}
// program p117_s: chlo.broadcast_or i1
// in 1xi1 01
// in i1 01
// out 1xi1 01 value
func.func @p117_s(%a0: tensor<1xi1>, %a1: tensor<i1>) -> (tensor<1xi1>) {
  %v2 = chlo.broadcast_or %a0, %a1 : (tensor<1xi1>, tensor<i1>) -> tensor<1xi1>
  return %v2 : tensor<1xi1>
}
// program p118_s: stablehlo.sort ui8
// in 8x3xui8 000400020401010301040000030201020203010000020403
// out 8x3xui8 040000040201030101040000030201030202010000040302 exact
func.func @p118_s(%a0: tensor<8x3xui8>) -> (tensor<8x3xui8>) {
  %v1 = "stablehlo.sort"(%a0) ({
^bb0(%l0: tensor<ui8>, %r0: tensor<ui8>):
    %c = stablehlo.compare GT, %l0, %r0, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<8x3xui8>) -> (tensor<8x3xui8>)
  return %v1 : tensor<8x3xui8>
}
// program p119_d: chlo.asinh bf16
// in 4x2xbf16 4f000324f8c20e430fa56bc031c3c03b
// out 4x2xbf16 4f000324b0c0b5400fa501c0bcc0c03b ulp:1
func.func @p119_d(%a0: tensor<?x?xbf16>) -> (tensor<?x?xbf16>) {
  %v1 = chlo.asinh %a0 : tensor<?x?xbf16> -> tensor<?x?xbf16>
  return %v1 : tensor<?x?xbf16>
}
// program p120_s: stablehlo.multiply i16
// in 7x2x0xi16 
// in 7x2x0xi16 
// out 7x2x0xi16  exact
func.func @p120_s(%a0: tensor<7x2x0xi16>, %a1: tensor<7x2x0xi16>) -> (tensor<7x2x0xi16>) {
  %v2 = stablehlo.multiply %a0, %a1 : (tensor<7x2x0xi16>, tensor<7x2x0xi16>) -> tensor<7x2x0xi16>
  return %v2 : tensor<7x2x0xi16>
}
// program p121_d: chlo.sinh f64
// in 1x7x1xf64 87f5bdc95e039abf9cd7dd07d07a4b89000000000000f83f11e1f50d4153733f487704e43c834cbf2033400b0d224976e483598a88f29d40
// out 1x7x1xf64 96abd22716049abf9cd7dd07d07a4b89606abdaac30801405df0d6c04553733fa9c561203d834cbf000000000000f07f000000000000f07f ulp:4
func.func @p121_d(%a0: tensor<?x?x1xf64>) -> (tensor<?x?x1xf64>) {
  %v1 = chlo.sinh %a0 : tensor<?x?x1xf64> -> tensor<?x?x1xf64>
  return %v1 : tensor<?x?x1xf64>
}
// program p122_s: func.call ui64
// in 2xui64 00000000000000000100000000000000
// in i32 4b656cf0
// out 2xui64 00000000000000000200000000000000 value
// out i32 4b656cf0 exact
func.func private @p122_s_twice(%x: tensor<2xui64>, %y: tensor<i32>) -> (tensor<2xui64>, tensor<i32>) {
  %0 = stablehlo.add %x, %x : tensor<2xui64>
  return %0, %y : tensor<2xui64>, tensor<i32>
}
func.func @p122_s(%a0: tensor<2xui64>, %a1: tensor<i32>) -> (tensor<2xui64>, tensor<i32>) {
  %l0:2 = func.call @p122_s_twice(%a0, %a1) : (tensor<2xui64>, tensor<i32>) -> (tensor<2xui64>, tensor<i32>)
  return %l0#0, %l0#1 : tensor<2xui64>, tensor<i32>
}
// program p123_d: graph
// in 3xbf16 53ba5cbcc07f
// in 7xi1 01010000000000
// in 2x8xbf16 404000c080c0004080bf80bf004000c040c08040804080c0803f8040804040c0
// out 2x8xbf16 404000c080c0004080bf80bf004000c040c08040804080c0803f8040804040c0 value
// out 7xi1 01010000000000 value
// out 7xi1 01010000000000 value
// out i1 00 value
func.func @p123_d(%a0: tensor<3xbf16>, %a1: tensor<?xi1>, %a2: tensor<?x8xbf16>) -> (tensor<?x8xbf16>, tensor<?xi1>, tensor<?xi1>, tensor<i1>) {
  %v3 = stablehlo.or %a1, %a1 : tensor<?xi1>
  %v4 = stablehlo.transpose %a1, dims = [0] : (tensor<?xi1>) -> tensor<?xi1>
  %v5 = stablehlo.constant dense<false> : tensor<i1>
  %v6 = stablehlo.reduce(%a1 init: %v5) applies stablehlo.or across dimensions = [0] : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
  %v7 = stablehlo.not %v6 : tensor<i1>
  return %a2, %v3, %v4, %v7 : tensor<?x8xbf16>, tensor<?xi1>, tensor<?xi1>, tensor<i1>
}
// program p124_s: stablehlo.while f64
// in i32 01000000
// in f64 0000000000001040
// in f64 0000000000000840
// out i32 01000000 exact
// out f64 000000000000f0bf value
func.func @p124_s(%a0: tensor<i32>, %a1: tensor<f64>, %a2: tensor<f64>) -> (tensor<i32>, tensor<f64>) {
  %v3 = stablehlo.constant dense<0> : tensor<i32>
  %v4 = stablehlo.constant dense<1> : tensor<i32>
  %l2:2 = stablehlo.while(%k = %v3, %s = %a1) : tensor<i32>, tensor<f64>
  cond {
    %c = stablehlo.compare LT, %k, %a0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %k, %v4 : tensor<i32>
    %m = stablehlo.subtract %a2, %s : tensor<f64>
    stablehlo.return %n, %m : tensor<i32>, tensor<f64>
  }
  return %l2#0, %l2#1 : tensor<i32>, tensor<f64>
}
// program p125_d: chlo.acosh bf16
// in 3x2xbf16 3f42ca40974090413442dc3f
// out 3x2xbf16 924022400f4065409040923f ulp:1
func.func @p125_d(%a0: tensor<?x2xbf16>) -> (tensor<?x2xbf16>) {
  %v1 = chlo.acosh %a0 : tensor<?x2xbf16> -> tensor<?x2xbf16>
  return %v1 : tensor<?x2xbf16>
}
// program p128_s: stablehlo.concatenate i1
// in 2x1x2x2xi1 0100010101000001
// out 2x1x2x2xi1 0100010101000001 exact
func.func @p128_s(%a0: tensor<2x1x2x2xi1>) -> (tensor<2x1x2x2xi1>) {
  %v1 = stablehlo.concatenate %a0, dim = 2 : (tensor<2x1x2x2xi1>) -> tensor<2x1x2x2xi1>
  return %v1 : tensor<2x1x2x2xi1>
}
// program p129_d: stablehlo.dot_general f8E4M3FNUZ
// in 2x2x4x2xf8E4M3FNUZ 00c848d040ccc0404c4c004cc048d0484cd0c0484c500000c84cc8c0c040d050
// in 1x2x2x2xf8E4M3FNUZ 005000405050c000
// out 2x2x4x1xf32 00000000000000000000000000000000000040c1000060c1000000c1000080400000604100000040000040c0000040c100004041000040410000004100000041 norm:8
func.func @p129_d(%a0: tensor<?x?x4x2xf8E4M3FNUZ>, %a1: tensor<?x?x?x?xf8E4M3FNUZ>) -> (tensor<?x2x4x?xf32>) {
  %v2 = stablehlo.dot_general %a0, %a1, batching_dims = [1, 3] x [1, 3], contracting_dims = [0] x [2], precision = [DEFAULT, HIGH] : (tensor<?x?x4x2xf8E4M3FNUZ>, tensor<?x?x?x?xf8E4M3FNUZ>) -> tensor<?x2x4x?xf32>
  return %v2 : tensor<?x2x4x?xf32>
}
// program p130_s: stablehlo.multiply i32
// in 3x6xi32 737a2ffdfeffffff361470000000008001000080b794049300000000e2ff88cc01000080862d591916bfe5c83cb6036afeffffff0100008038fe395bfeffff7f00000080feffffff
// in 3x6xi32 000000800dfee7d6010000800100000088e8e37f57d235d2dd322feafeffffff01000080fbc2e472000000000100000075684266123261517916d74502000000ffffffff01000080
// out 3x6xi32 00000080e6033052361470000000008088e8e37f31a86fa0000000003c00ee6601000000622e47a6000000003cb6036a162f7b331232615178f849b3fcffffff00000080feffffff exact
func.func @p130_s(%a0: tensor<3x6xi32>, %a1: tensor<3x6xi32>) -> (tensor<3x6xi32>) {
  %v2 = stablehlo.multiply %a0, %a1 : (tensor<3x6xi32>, tensor<3x6xi32>) -> tensor<3x6xi32>
  return %v2 : tensor<3x6xi32>
}
// program p132_s: stablehlo.abs i8
// in 0x9x0xi8 
// out 0x9x0xi8  exact
func.func @p132_s(%a0: tensor<0x9x0xi8>) -> (tensor<0x9x0xi8>) {
  %v1 = stablehlo.abs %a0 : tensor<0x9x0xi8>
  return %v1 : tensor<0x9x0xi8>
}
// program p133_d: stablehlo.get_dimension_size f16
// in 6x9xf16 70df0408753150c90399789c01947232003e00c0a7469603003e9c206a3e00402318f749b7c170bbdce30eb00038103dfc300040d6872230bd3c19575529b22d3bcc8eb446c99156164b33de2e0141b220d767d538618bb1329900fcc82e003800383535992791156a8c5bc0
// out i32 06000000 exact
func.func @p133_d(%a0: tensor<?x?xf16>) -> (tensor<i32>) {
  %v1 = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<?x?xf16>) -> tensor<i32>
  return %v1 : tensor<i32>
}
// program p134_s: stablehlo.exponential f16
// in 2xf16 00c08f2c
// out 2xf16 55304c3c ulp:1
func.func @p134_s(%a0: tensor<2xf16>) -> (tensor<2xf16>) {
  %v1 = stablehlo.exponential %a0 : tensor<2xf16>
  return %v1 : tensor<2xf16>
}
// program p135_d: graph
// in 2x3xi16 e6830180008074be126c0100
// in 2x2xi32 ffffff7f01000080f168455fffffff7f
// in 2xi64 01000000000000000400000000000000
// in i1 01
// out 2x3xi16 a43201000000906444310100 value
// out 1x4xi1 00000000 value
// out 2x2xi32 ffffff7fffffff7ff168455fffffff7f value
// out 1x4xi32 01000000000000000100000001000000 value
func.func @p135_d(%a0: tensor<2x?xi16>, %a1: tensor<2x?xi32>, %a2: tensor<2xi64>, %a3: tensor<i1>) -> (tensor<2x?xi16>, tensor<1x?xi1>, tensor<2x?xi32>, tensor<1x?xi32>) {
  %v2 = stablehlo.dynamic_reshape %a1, %a2 : (tensor<2x?xi32>, tensor<2xi64>) -> tensor<1x?xi32>
  %v4 = stablehlo.count_leading_zeros %v2 : tensor<1x?xi32>
  %v5 = stablehlo.multiply %a0, %a0 : tensor<2x?xi16>
  %v6 = stablehlo.compare LE, %v2, %v2, SIGNED : (tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi1>
  %v7 = stablehlo.not %v6 : tensor<1x?xi1>
  %v9 = "stablehlo.if"(%a3) ({
    %v10 = stablehlo.concatenate %v6, %v7, %v6, dim = 0 : (tensor<1x?xi1>, tensor<1x?xi1>, tensor<1x?xi1>) -> tensor<3x?xi1>
    %v11 = stablehlo.abs %a1 : tensor<2x?xi32>
    stablehlo.return %v11 : tensor<2x?xi32>
  }, {
    %v12 = stablehlo.maximum %v2, %v2 : tensor<1x?xi32>
    %v13 = stablehlo.convert %v4 : (tensor<1x?xi32>) -> tensor<1x?xui64>
    %v14 = stablehlo.abs %a1 : tensor<2x?xi32>
    stablehlo.return %v14 : tensor<2x?xi32>
  }) : (tensor<i1>) -> tensor<2x?xi32>
  %v15 = stablehlo.maximum %v4, %v4 : tensor<1x?xi32>
  return %v5, %v7, %v9, %v15 : tensor<2x?xi16>, tensor<1x?xi1>, tensor<2x?xi32>, tensor<1x?xi32>
}
// program p136_s: stablehlo.count_leading_zeros ui64
// in 3xui64 00000000000000008cc3ee315940e6e7b2bab51fe2bd37da
// out 3xui64 400000000000000000000000000000000000000000000000 exact
func.func @p136_s(%a0: tensor<3xui64>) -> (tensor<3xui64>) {
  %v1 = stablehlo.count_leading_zeros %a0 : tensor<3xui64>
  return %v1 : tensor<3xui64>
}
// program p139_d: stablehlo.gather i16
// in 4xi16 feff8164feffff7f
// in 2x4x1xui64 04000000000000000200000000000000000000000000000002000000000000000500000000000000040000000000000009000000000000000400000000000000
// out 2x4xi16 ff7ffefffefffeffff7fff7fff7fff7f exact
func.func @p139_d(%a0: tensor<?xi16>, %a1: tensor<2x?x?xui64>) -> (tensor<2x?xi16>) {
  %v2 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>} : (tensor<?xi16>, tensor<2x?x?xui64>) -> tensor<2x?xi16>
  return %v2 : tensor<2x?xi16>
}
// program p143_d: graph
// in 5xi4 0f0e060c05
// in 3xi32 040000000300000001000000
// in 3xi4 080406
// out 5xi4 0102060405 value
// out 10xi4 0f0e060c050102060405 value
// out 5xi4 020f090b00 value
// out 5xi4 0300040003 value
func.func @p143_d(%a0: tensor<?xi4>, %a1: tensor<?xi32>, %a2: tensor<?xi4>) -> (tensor<?xi4>, tensor<?xi4>, tensor<?xi4>, tensor<?xi4>) {
  %v1 = stablehlo.not %a0 : tensor<?xi4>
  %v2 = stablehlo.not %v1 : tensor<?xi4>
  %v5 = "stablehlo.scatter"(%v2, %a1, %a2) ({
  ^bb0(%l: tensor<i4>, %r: tensor<i4>):
    %m = stablehlo.add %l, %r : tensor<i4>
    stablehlo.return %m : tensor<i4>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<?xi4>, tensor<?xi32>, tensor<?xi4>) -> (tensor<?xi4>)
  %v6 = stablehlo.abs %a0 : tensor<?xi4>
  %v7 = stablehlo.abs %v6 : tensor<?xi4>
  %v8 = stablehlo.concatenate %a0, %v7, dim = 0 : (tensor<?xi4>, tensor<?xi4>) -> tensor<?xi4>
  %v9 = stablehlo.reverse %v5, dims = [0] : tensor<?xi4>
  %v10 = stablehlo.not %v9 : tensor<?xi4>
  %v11 = stablehlo.multiply %v5, %v9 : tensor<?xi4>
  return %v7, %v8, %v10, %v11 : tensor<?xi4>, tensor<?xi4>, tensor<?xi4>, tensor<?xi4>
}
// program p145_s: chlo.lgamma f64
// in f64 8ba2a3e587b13840
// out f64 b57b93c330e74a40 ulp:16
func.func @p145_s(%a0: tensor<f64>) -> (tensor<f64>) {
  %v1 = chlo.lgamma %a0 : tensor<f64> -> tensor<f64>
  return %v1 : tensor<f64>
}
// program p147_d: stablehlo.case ui16
// in i32 04000000
// in 7x1xui16 030001000000f5c7f8cad647ffff
// in 7x1xui16 0000acff91306592ce533bcf0000
// in 7x1xui16 feff39070100af4b4c470000242f
// out 7x1xui16 0200c7f8ffff51b4b4b80000dcd0 exact
func.func @p147_d(%a0: tensor<i32>, %a1: tensor<7x?xui16>, %a2: tensor<7x?xui16>, %a3: tensor<7x?xui16>) -> (tensor<7x?xui16>) {
  %v4 = "stablehlo.case"(%a0) ({
    stablehlo.return %a2 : tensor<7x?xui16>
  }, {
    %w3 = stablehlo.negate %a3 : tensor<7x?xui16>
    stablehlo.return %w3 : tensor<7x?xui16>
  }) : (tensor<i32>) -> tensor<7x?xui16>
  return %v4 : tensor<7x?xui16>
}
// program p148_s: stablehlo.convert f8E4M3FN
// in 8x3xf8E4M3FN 720081525a87319e17f1e1840380011c929e309f177fff7f
// out 8x3xf8E4M3 720081525a87319e17f1e1840380011c929e309f177fff7f exact
func.func @p148_s(%a0: tensor<8x3xf8E4M3FN>) -> (tensor<8x3xf8E4M3>) {
  %v1 = stablehlo.convert %a0 : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xf8E4M3>
  return %v1 : tensor<8x3xf8E4M3>
}
// program p149_s: stablehlo.while f64
// in i64 0400000000000000
// in 7xf64 00000000000000c000000000000010c0000000000000f0bf000000000000f0bf000000000000104000000000000008400000000000001040
// in 7xf64 000000000000004000000000000000c00000000000000840000000000000084000000000000010400000000000000840000000000000f03f
// out i64 0400000000000000 exact
// out 7xf64 00000000000000c000000000000010c0000000000000f0bf000000000000f0bf000000000000104000000000000008400000000000001040 value
func.func @p149_s(%a0: tensor<i64>, %a1: tensor<7xf64>, %a2: tensor<7xf64>) -> (tensor<i64>, tensor<7xf64>) {
  %v3 = stablehlo.constant dense<0> : tensor<i64>
  %v4 = stablehlo.constant dense<1> : tensor<i64>
  %l2:2 = stablehlo.while(%k = %v3, %s = %a1) : tensor<i64>, tensor<7xf64>
  cond {
    %c = stablehlo.compare LT, %k, %a0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %k, %v4 : tensor<i64>
    %m = stablehlo.subtract %a2, %s : tensor<7xf64>
    stablehlo.return %n, %m : tensor<i64>, tensor<7xf64>
  }
  return %l2#0, %l2#1 : tensor<i64>, tensor<7xf64>
}
// program p150_s: stablehlo.dot_general i16
// in 8x6xi16 0300366e97fe0200d11322f6ff7f2f5c02009231afc9ffff9eef893fc232ff7fa89d018000002e96ffffffff22380080941dffff0300fefffe7f00800100ff7f2adafeff0300e6f301000000ee400200ff7f9ce5fefffeff0da13e41db620300
// in 8xi16 11bb2398ffffe4dc7ea4190601006324
// out 6xi16 9e4515dc30ea032e6d5f599e exact
func.func @p150_s(%a0: tensor<8x6xi16>, %a1: tensor<8xi16>) -> (tensor<6xi16>) {
  %v2 = stablehlo.dot_general %a0, %a1, contracting_dims = [0] x [0] : (tensor<8x6xi16>, tensor<8xi16>) -> tensor<6xi16>
  return %v2 : tensor<6xi16>
}
// program p151_d: stablehlo.reshape ui64
// in 5xui64 1faf6e9cc40aaa380100000000000000e22c0a0047a60cc325d617ac5ec86ee26070c0fdf4c5297c
// in 3xi64 010000000000000001000000000000000500000000000000
// out 1x1x5xui64 1faf6e9cc40aaa380100000000000000e22c0a0047a60cc325d617ac5ec86ee26070c0fdf4c5297c exact
func.func @p151_d(%a0: tensor<5xui64>, %a1: tensor<3xi64>) -> (tensor<?x1x?xui64>) {
  %v1 = stablehlo.dynamic_reshape %a0, %a1 : (tensor<5xui64>, tensor<3xi64>) -> tensor<?x1x?xui64>
  return %v1 : tensor<?x1x?xui64>
}
// program p152_s: chlo.acos f16
// in 3x4x3x1xf16 5c3616ae01bc263b2c3c00bb5cb7c5318abb413709bc083ba63b13b7423b2ab839bab12f1c3921b8a9b346ba403cce38b3b5273c0a39c23409b8bbbbe8bb443bbfb729b06d2fa2b4
// out 3x4x3x1xf16 a63caa3e00fe733700fe464119408f3d9a41673c00fef537c3340f40f2363d40ed40cd3d063b3a40403ff24000fe6a3bbd3f00fe1d3b133d3340c341fa41e9362740ce3ed13d753f ulp:1
func.func @p152_s(%a0: tensor<3x4x3x1xf16>) -> (tensor<3x4x3x1xf16>) {
  %v1 = chlo.acos %a0 : tensor<3x4x3x1xf16> -> tensor<3x4x3x1xf16>
  return %v1 : tensor<3x4x3x1xf16>
}
// program p153_s: chlo.broadcast_and ui16
// in ui16 0000
// in 1xui16 0400
// out 1xui16 0000 value
func.func @p153_s(%a0: tensor<ui16>, %a1: tensor<1xui16>) -> (tensor<1xui16>) {
  %v2 = chlo.broadcast_and %a0, %a1 : (tensor<ui16>, tensor<1xui16>) -> tensor<1xui16>
  return %v2 : tensor<1xui16>
}
// program p158_s: stablehlo.dynamic_pad i16
// in 2x2x9xi16 feff01800300a05d7768db360000ffffff7f0000ede7ffff8fad99ea5c960080a8e000008cb6fd81adcf2bf9010001800300fefffe7f9d450080b1f6ff7f467801806849320e0a8f
// in i16 799d
// in 3xi64 ffffffffffffffff03000000000000000200000000000000
// in 3xi64 fefffffffffffffffeffffffffffffff0200000000000000
// in 3xi64 010000000000000002000000000000000200000000000000
// out 0x5x29xi16  exact
func.func @p158_s(%a0: tensor<2x2x9xi16>, %a1: tensor<i16>, %a2: tensor<3xi64>, %a3: tensor<3xi64>, %a4: tensor<3xi64>) -> (tensor<0x5x29xi16>) {
  %v2 = stablehlo.pad %a0, %a1, low = [-1, 3, 2], high = [-2, -2, 2], interior = [1, 2, 2] : (tensor<2x2x9xi16>, tensor<i16>) -> tensor<0x5x29xi16>
  return %v2 : tensor<0x5x29xi16>
}
// program p159_d: stablehlo.log_plus_one bf16
// in 8x2x3xbf16 c07f6b48193aad40db44e73d4d3e2d00b642063f1bbf20402b004d00c03f0fc46aba40be4ebe1041cb259543008050bc0040c83bb738b2819220803f543a2543afd5474100c0e0bb80ff23401e0000bc983e00bbf3ba2e4150bc09bd8ec1b7c2
// out 8x2x3xbf16 c07f4641193aee3fef40db3d3b3e2d009140d83e6ebfa03f2b004d006b3fc0ff6aba55be66be1340cb25b640008051bc8d3fc73bb738b2819220313f543aa440c0ff2640c0ffe1bbc0ffa23f1e0001bc853e00bbf3ba1e4051bc0bbdc0ffc0ff ulp:1
func.func @p159_d(%a0: tensor<?x?x3xbf16>) -> (tensor<?x?x3xbf16>) {
  %v1 = stablehlo.log_plus_one %a0 : tensor<?x?x3xbf16>
  return %v1 : tensor<?x?x3xbf16>
}
// program p161_s: chlo.broadcast_or ui32
// in 1x1x7xui32 01000000010000000300000000000000010000000400000003000000
// in 1x1x1xui32 00000000
// out 1x1x7xui32 01000000010000000300000000000000010000000400000003000000 value
func.func @p161_s(%a0: tensor<1x1x7xui32>, %a1: tensor<1x1x1xui32>) -> (tensor<1x1x7xui32>) {
  %v2 = chlo.broadcast_or %a0, %a1 : (tensor<1x1x7xui32>, tensor<1x1x1xui32>) -> tensor<1x1x7xui32>
  return %v2 : tensor<1x1x7xui32>
}
// program p162_s: chlo.broadcast_subtract i64
// in 5xi64 fcffffffffffffff0000000000000000040000000000000001000000000000000200000000000000
// in 1x5xi64 ffffffffffffffff03000000000000000300000000000000ffffffffffffffff0100000000000000
// out 1x5xi64 fdfffffffffffffffdffffffffffffff010000000000000002000000000000000100000000000000 value
func.func @p162_s(%a0: tensor<5xi64>, %a1: tensor<1x5xi64>) -> (tensor<1x5xi64>) {
  %v2 = chlo.broadcast_subtract %a0, %a1 : (tensor<5xi64>, tensor<1x5xi64>) -> tensor<1x5xi64>
  return %v2 : tensor<1x5xi64>
}
// program p165_s: chlo.atan bf16
// in bf16 a041
// out bf16 c33f ulp:1
func.func @p165_s(%a0: tensor<bf16>) -> (tensor<bf16>) {
  %v1 = chlo.atan %a0 : tensor<bf16> -> tensor<bf16>
  return %v1 : tensor<bf16>
}
// program p166_s: graph
// in 2xi1 0100
// in 6x4xbf16 0000404080bf00400000004080bf0000004000c0804080c080bf404040c04040404000c0803f00c04040804000004040
// in 7x0x2xf64 
// in 2xi32 0200000002000000
// in i32 03000000
// in i32 07000000
// in i32 02000000
// in 2xi64 02000000000000000200000000000000
// in 3xi64 010000000000000002000000000000000200000000000000
// in i32 03000000
// in i32 feffffff
// out 3x0x1xf64  value
// out 2xi1 0100 value
// out 1x2x2xi1 01010000 value
// out 1x2xi1 0000 value
func.func @p166_s(%a0: tensor<2xi1>, %a1: tensor<6x4xbf16>, %a2: tensor<7x0x2xf64>, %a3: tensor<2xi32>, %a4: tensor<i32>, %a5: tensor<i32>, %a6: tensor<i32>, %a7: tensor<2xi64>, %a8: tensor<3xi64>, %a9: tensor<i32>, %a10: tensor<i32>) -> (tensor<3x0x1xf64>, tensor<2xi1>, tensor<1x2x2xi1>, tensor<1x2xi1>) {
  %v3 = stablehlo.not %a0 : tensor<2xi1>
  %v4 = stablehlo.slice %v3 [0:2:1] : (tensor<2xi1>) -> tensor<2xi1>
  %v5 = stablehlo.broadcast_in_dim %v3, dims = [0] : (tensor<2xi1>) -> tensor<2x2xi1>
  %v7 = stablehlo.and %v5, %v5 : tensor<2x2xi1>
  %v11 = stablehlo.dynamic_slice %a2, %a4, %a5, %a6, sizes = [3, 0, 1] : (tensor<7x0x2xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x0x1xf64>
  %v12 = stablehlo.reverse %v4, dims = [0] : tensor<2xi1>
  %v13 = stablehlo.select %v5, %v7, %v7 : (tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
  %v14 = stablehlo.constant dense<true> : tensor<i1>
  %v15 = stablehlo.broadcast_in_dim %v14, dims = [] : (tensor<i1>) -> tensor<2x2xi1>
  %v17 = stablehlo.xor %v15, %v5 : tensor<2x2xi1>
  %v18 = stablehlo.compare LE, %v13, %v17, UNSIGNED : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
  %v19 = stablehlo.reshape %v17 : (tensor<2x2xi1>) -> tensor<1x2x2xi1>
  %v23 = stablehlo.dynamic_slice %v18, %a9, %a10, sizes = [1, 2] : (tensor<2x2xi1>, tensor<i32>, tensor<i32>) -> tensor<1x2xi1>
  return %v11, %v12, %v19, %v23 : tensor<3x0x1xf64>, tensor<2xi1>, tensor<1x2x2xi1>, tensor<1x2xi1>
}
// program p168_s: stablehlo.reshape f8E4M3FN
// in 8x3xf8E4M3FN d92a423d731b08de42683dc55d00d703ff38da85987700b0
// in i32 08000000
// in i32 03000000
// out 8x3xf8E4M3FN d92a423d731b08de42683dc55d00d703ff38da85987700b0 exact
func.func @p168_s(%a0: tensor<8x3xf8E4M3FN>, %a1: tensor<i32>, %a2: tensor<i32>) -> (tensor<8x3xf8E4M3FN>) {
  %v3 = stablehlo.reshape %a1 : (tensor<i32>) -> tensor<1xi32>
  %v5 = stablehlo.reshape %a2 : (tensor<i32>) -> tensor<1xi32>
  %v6 = stablehlo.concatenate %v3, %v5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %v1 = stablehlo.reshape %a0 : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xf8E4M3FN>
  return %v1 : tensor<8x3xf8E4M3FN>
}
// program p169_d: stablehlo.reduce i8
// in 1x3xi8 7d02fe
// in i8 01
// out 1x3xi8 7d02fe value
func.func @p169_d(%a0: tensor<?x3xi8>, %a1: tensor<i8>) -> (tensor<?x3xi8>) {
  %v2 = stablehlo.reduce(%a0 init: %a1) applies stablehlo.multiply across dimensions = [] : (tensor<?x3xi8>, tensor<i8>) -> tensor<?x3xi8>
  return %v2 : tensor<?x3xi8>
}
// program p175_d: chlo.constant_like f16
// in 6x5xf16 004100fccdb3ec3a825358a1149a22118ab8c416000070952d96d101d6c4d02ffeb2e7d41b63dba6e720714c1b9d27596b1a7a00003c003c00fc75a7
// out 6x5xf16 004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042 exact
func.func @p175_d(%a0: tensor<6x?xf16>) -> (tensor<6x?xf16>) {
  %v1 = "chlo.constant_like"(%a0) {value = 3.0 : f16} : (tensor<6x?xf16>) -> tensor<6x?xf16>
  return %v1 : tensor<6x?xf16>
}
// program p177_d: stablehlo.minimum i1
// in 1x3xi1 000100
// in 1x3xi1 000101
// out 1x3xi1 000100 exact
func.func @p177_d(%a0: tensor<?x?xi1>, %a1: tensor<?x?xi1>) -> (tensor<?x?xi1>) {
  %v2 = stablehlo.minimum %a0, %a1 : tensor<?x?xi1>
  return %v2 : tensor<?x?xi1>
}
// program p179_d: stablehlo.dynamic_update_slice i32
// in 6x1xi32 a256bdfb8142c8391bd175f60100000000000080b0568da5
// in 2x1xi32 7d6de563feffff7f
// in i32 feffffff
// in i32 02000000
// out 6x1xi32 7d6de563feffff7f1bd175f60100000000000080b0568da5 exact
func.func @p179_d(%a0: tensor<?x1xi32>, %a1: tensor<?x?xi32>, %a2: tensor<i32>, %a3: tensor<i32>) -> (tensor<?x1xi32>) {
  %v4 = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3 : (tensor<?x1xi32>, tensor<?x?xi32>, tensor<i32>, tensor<i32>) -> tensor<?x1xi32>
  return %v4 : tensor<?x1xi32>
}
// program p181_s: stablehlo.sine complex<f32>
// in 1xcomplex<f32> bf33183f02c394be
// out 1xcomplex<f32> e67c153ff0f379be ulp:12
func.func @p181_s(%a0: tensor<1xcomplex<f32>>) -> (tensor<1xcomplex<f32>>) {
  %v1 = stablehlo.sine %a0 : tensor<1xcomplex<f32>>
  return %v1 : tensor<1xcomplex<f32>>
}
// program p182_s: stablehlo.scatter f32
// in 1xf32 00000040
// in 0x1x1xf32 
// in 1x0x1xui8 
// out 1xf32 00000040 exact
func.func @p182_s(%a0: tensor<1xf32>, %a1: tensor<0x1x1xf32>, %a2: tensor<1x0x1xui8>) -> (tensor<1xf32>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<1xf32>, tensor<1x0x1xui8>, tensor<0x1x1xf32>) -> (tensor<1xf32>)
  return %v3 : tensor<1xf32>
}
// program p183_d: chlo.erfc f16
// in 8xf16 f934acc294403d40854420489f4571c1
// out 8xf16 48390040f21496190000000000000040 ulp:1
func.func @p183_d(%a0: tensor<?xf16>) -> (tensor<?xf16>) {
  %v1 = chlo.erfc %a0 : tensor<?xf16> -> tensor<?xf16>
  return %v1 : tensor<?xf16>
}
// program p185_d: chlo.is_pos_inf bf16
// in 4x3x0x9xbf16 
// out 4x3x0x9xi1  exact
func.func @p185_d(%a0: tensor<?x3x?x?xbf16>) -> (tensor<?x3x?x?xi1>) {
  %v1 = chlo.is_pos_inf %a0 : tensor<?x3x?x?xbf16> -> tensor<?x3x?x?xi1>
  return %v1 : tensor<?x3x?x?xi1>
}
// program p188_s: stablehlo.reverse ui4
// in 4x4x2xui4 0f01030000000609000b0d090300020f0a08030d0506030b0d09010e010f0000
// out 4x4x2xui4 090600000003010f0f020003090d0b000b0306050d03080a00000f010e01090d exact
func.func @p188_s(%a0: tensor<4x4x2xui4>) -> (tensor<4x4x2xui4>) {
  %v1 = stablehlo.reverse %a0, dims = [1, 2] : tensor<4x4x2xui4>
  return %v1 : tensor<4x4x2xui4>
}
// program p189_s: stablehlo.add i64
// in 1xi64 ffffffffffffffff
// in 1xi64 5ac1470b45718a84
// out 1xi64 59c1470b45718a84 exact
func.func @p189_s(%a0: tensor<1xi64>, %a1: tensor<1xi64>) -> (tensor<1xi64>) {
  %v2 = stablehlo.add %a0, %a1 : tensor<1xi64>
  return %v2 : tensor<1xi64>
}
// program p190_s: stablehlo.convert i16
// in 9x2xi16 0180f0346c030200fe7ffe7ffeff50d8f442000001000300018009cbfeffe5c1b599c39b
// out 9x2xf8E4M3B11FNUZ 808080608080e080800058648080e0808080 exact
func.func @p190_s(%a0: tensor<9x2xi16>) -> (tensor<9x2xf8E4M3B11FNUZ>) {
  %v1 = stablehlo.convert %a0 : (tensor<9x2xi16>) -> tensor<9x2xf8E4M3B11FNUZ>
  return %v1 : tensor<9x2xf8E4M3B11FNUZ>
}
// program p192_s: stablehlo.gather f32
// in 3xf32 0ab9d1c2c2ec119993ae7d3f
// in 0xui32 
// in 1xi64 0300000000000000
// out 3xf32 0ab9d1c2c2ec119993ae7d3f exact
func.func @p192_s(%a0: tensor<3xf32>, %a1: tensor<0xui32>, %a2: tensor<1xi64>) -> (tensor<3xf32>) {
  %v2 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], index_vector_dim = 0>, slice_sizes = array<i64: 3>} : (tensor<3xf32>, tensor<0xui32>) -> tensor<3xf32>
  return %v2 : tensor<3xf32>
}
// program p193_d: stablehlo.tuple i8
// in 4xi8 2618817c
// in 5xi32 e8979020357f4e3efffffffffeffff7ffeffffff
// out 5xi32 e8979020357f4e3efffffffffeffff7ffeffffff exact
// out 4xi8 2618817c exact
func.func @p193_d(%a0: tensor<?xi8>, %a1: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi8>) {
  %l0 = stablehlo.tuple %a0, %a1 : tuple<tensor<?xi8>, tensor<?xi32>>
  %v2 = stablehlo.get_tuple_element %l0[1] : (tuple<tensor<?xi8>, tensor<?xi32>>) -> tensor<?xi32>
  %v3 = stablehlo.get_tuple_element %l0[0] : (tuple<tensor<?xi8>, tensor<?xi32>>) -> tensor<?xi8>
  return %v2, %v3 : tensor<?xi32>, tensor<?xi8>
}
// program p195_d: stablehlo.dot_general f8E3M4
// in 9x1x1x9xf8E3M4 d0d0c050c0d0d04840b048b03030b0d0b04800c000c0d0b0c048d050d030c00000c00000d0d04040c0b0303040d0b0404840c84800483050d000d0d030c830d03048c8c0b03048d048b048b050c840d030
// in 1x9xf8E3M4 30304840b0b0c85040
// out 1x1x9xf32 000000c00000a0c10000c8410000c0c1000080bf000000c0000088c10000b8410000e8c1 norm:22
func.func @p195_d(%a0: tensor<9x1x?x9xf8E3M4>, %a1: tensor<?x?xf8E3M4>) -> (tensor<?x1x9xf32>) {
  %v2 = stablehlo.dot_general %a0, %a1, batching_dims = [2] x [0], contracting_dims = [0] x [1] : (tensor<9x1x?x9xf8E3M4>, tensor<?x?xf8E3M4>) -> tensor<?x1x9xf32>
  return %v2 : tensor<?x1x9xf32>
}
// program p196_s: stablehlo.slice ui4
// in 4x4xui4 0e0b010001000109090609010e0f0d02
// out 1x0xui4  exact
func.func @p196_s(%a0: tensor<4x4xui4>) -> (tensor<1x0xui4>) {
  %v1 = stablehlo.slice %a0 [3:4:3, 4:4:1] : (tensor<4x4xui4>) -> tensor<1x0xui4>
  return %v1 : tensor<1x0xui4>
}
// program p198_s: stablehlo.round_nearest_afz f32
// in 3xf32 4cd70b3a000020405a222c3d
// out 3xf32 000000000000404000000000 exact
func.func @p198_s(%a0: tensor<3xf32>) -> (tensor<3xf32>) {
  %v1 = stablehlo.round_nearest_afz %a0 : tensor<3xf32>
  return %v1 : tensor<3xf32>
}
// program p199_s: stablehlo.torch_index_select i64
// in 2xi64 00000000000000800200000000000000
// in 2x1xi32 0000000000000000
// out 2x1xi64 00000000000000800000000000000080 exact
func.func @p199_s(%a0: tensor<2xi64>, %a1: tensor<2x1xi32>) -> (tensor<2x1xi64>) {
  %v2 = "stablehlo.torch_index_select"(%a0, %a1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2xi64>, tensor<2x1xi32>) -> (tensor<2x1xi64>)
  return %v2 : tensor<2x1xi64>
}
// program p200_s: chlo.is_neg_inf f16
// in 1x8xf16 d9d079b1c89d003eb338aac88a82349d
// out 1x8xi1 0000000000000000 exact
func.func @p200_s(%a0: tensor<1x8xf16>) -> (tensor<1x8xi1>) {
  %v1 = chlo.is_neg_inf %a0 : tensor<1x8xf16> -> tensor<1x8xi1>
  return %v1 : tensor<1x8xi1>
}
// program p201_d: graph
// in 3x9x1xi16 0200dc0b1a6a4dbb75711b600e6c18b9feff0080fe7ffeff7751000060c2cd7effffdffeff7f91a632ca5fd7fefffe7f02004665af67
// in 2xf32 000000bfbfe10944
// in 2xf32 9bae17c1294d633d
// in 5xi64 02000000000000000000000000000000020000000000000000000000000000000400000000000000
// in i32 05000000
// in i32 05000000
// in i32 00000000
// out 3xf32 bfe109449bae17c1294d633d value
// out 3xf32 00000a44000010c100000000 value
// out 2xf32 000000bfbfe10944 value
// out 5xf32 0000803f0000803f0000803f0000803f0000803f value
func.func @p201_d(%a0: tensor<?x?x?xi16>, %a1: tensor<2xf32>, %a2: tensor<?xf32>, %a3: tensor<5xi64>, %a4: tensor<i32>, %a5: tensor<i32>, %a6: tensor<i32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<5xf32>) {
  %v3 = stablehlo.convert %a2 : (tensor<?xf32>) -> tensor<?xf64>
  %v4 = stablehlo.constant dense<0.0> : tensor<f32>
  %v5 = stablehlo.pad %a1, %v4, low = [-2], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  %v7 = "stablehlo.gather"(%a1, %a3) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<2xf32>, tensor<5xi64>) -> (tensor<5xf32>)
  %v9 = stablehlo.dynamic_update_slice %v5, %a2, %a4 : (tensor<3xf32>, tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
  %v11 = stablehlo.dynamic_update_slice %a1, %a2, %a5 : (tensor<2xf32>, tensor<?xf32>, tensor<i32>) -> tensor<2xf32>
  %v13 = stablehlo.dynamic_slice %v9, %a6, sizes = [3] : (tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
  %v14 = stablehlo.round_nearest_even %v9 : tensor<3xf32>
  %v15 = stablehlo.maximum %v11, %a1 : tensor<2xf32>
  %v16 = stablehlo.divide %v7, %v7 : tensor<5xf32>
  return %v13, %v14, %v15, %v16 : tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<5xf32>
}
// program p202_s: graph
// in i8 80
// out i8 80 value
// out i8 00 value
// out i8 80 value
// out i8 ff value
func.func @p202_s(%a0: tensor<i8>) -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>) {
  %v1 = stablehlo.negate %a0 : tensor<i8>
  %v2 = stablehlo.compare GE, %a0, %v1, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %v3 = stablehlo.select %v2, %a0, %v1 : (tensor<i1>, tensor<i8>, tensor<i8>) -> tensor<i8>
  %v4 = stablehlo.constant dense<0> : tensor<i8>
  %v5 = stablehlo.reduce(%v1 init: %v4) applies stablehlo.minimum across dimensions = [] : (tensor<i8>, tensor<i8>) -> tensor<i8>
  %v6 = stablehlo.constant dense<3> : tensor<i8>
  %v7 = stablehlo.broadcast_in_dim %v6, dims = [] : (tensor<i8>) -> tensor<i8>
  %v8 = stablehlo.or %v7, %v1 : tensor<i8>
  %v9 = stablehlo.or %v5, %v5 : tensor<i8>
  %v10 = stablehlo.add %v3, %v3 : tensor<i8>
  %v11 = stablehlo.compare NE, %v5, %v1, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %v12 = stablehlo.select %v11, %v5, %v1 : (tensor<i1>, tensor<i8>, tensor<i8>) -> tensor<i8>
  %v13 = stablehlo.sign %v8 : tensor<i8>
  return %v9, %v10, %v12, %v13 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>
}
// program p203_d: stablehlo.clamp i2
// in 9x2x4xi2 020202030000010003030102030301030001010301030302000003020300030002000103010102010303010102000003010103010202000203000301010102030203020200010101
// in i2 01
// in i2 01
// out 9x2x4xi2 010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101 value
func.func @p203_d(%a0: tensor<9x2x?xi2>, %a1: tensor<i2>, %a2: tensor<i2>) -> (tensor<9x2x?xi2>) {
  %v3 = stablehlo.clamp %a1, %a0, %a2 : (tensor<i2>, tensor<9x2x?xi2>, tensor<i2>) -> tensor<9x2x?xi2>
  return %v3 : tensor<9x2x?xi2>
}
// program p204_s: stablehlo.gather i4
// in 2xi4 030f
// in 1x8xi8 01020804010208ff
// out 8x1xi4 0f0f0f0f0f0f0f03 exact
func.func @p204_s(%a0: tensor<2xi4>, %a1: tensor<1x8xi8>) -> (tensor<8x1xi4>) {
  %v2 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>} : (tensor<2xi4>, tensor<1x8xi8>) -> tensor<8x1xi4>
  return %v2 : tensor<8x1xi4>
}
// program p205_d: stablehlo.tanh f32
// in 4x2x1xf32 edcc0e40725b73c3ccfd93435a3f313ae28b303a000000009e08f9c0a74f773a
// out 4x2x1xf32 8b297a3f000080bf0000803f583f313ae08b303a00000000faff7fbfa24f773a ulp:3
func.func @p205_d(%a0: tensor<?x2x?xf32>) -> (tensor<?x2x?xf32>) {
  %v1 = stablehlo.tanh %a0 : tensor<?x2x?xf32>
  return %v1 : tensor<?x2x?xf32>
}
// program p208_s: stablehlo.collective_broadcast ui32
// in 1x4xui32 3f818a358482b6b1ffffffff01000000
// out 1x4xui32 3f818a358482b6b1ffffffff01000000 exact
func.func @p208_s(%a0: tensor<1x4xui32>) -> (tensor<1x4xui32>) {
  %v1 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<1x4xui32>) -> (tensor<1x4xui32>)
  return %v1 : tensor<1x4xui32>
}
// program p209_s: chlo.broadcast_subtract i16
// in 4x1x1x1xi16 feff00000100feff
// in 1x1x1xi16 0100
// out 4x1x1x1xi16 fdffffff0000fdff value
func.func @p209_s(%a0: tensor<4x1x1x1xi16>, %a1: tensor<1x1x1xi16>) -> (tensor<4x1x1x1xi16>) {
  %v2 = chlo.broadcast_subtract %a0, %a1 : (tensor<4x1x1x1xi16>, tensor<1x1x1xi16>) -> tensor<4x1x1x1xi16>
  return %v2 : tensor<4x1x1x1xi16>
}
// program p211_d: stablehlo.select i16
// in 1x1xi16 cd15
// in 1x1xi16 0200
// in i1 00
// out 1x1xi16 0200 exact
func.func @p211_d(%a0: tensor<?x?xi16>, %a1: tensor<?x?xi16>, %a2: tensor<i1>) -> (tensor<?x?xi16>) {
  %v3 = stablehlo.select %a2, %a0, %a1 : (tensor<i1>, tensor<?x?xi16>, tensor<?x?xi16>) -> tensor<?x?xi16>
  return %v3 : tensor<?x?xi16>
}
// program p212_s: stablehlo.dot_general f8E5M2
// in 1xf8E5M2 40
// in 2xf8E5M2 0000
// out 1x2xf32 0000000000000000 norm:6
func.func @p212_s(%a0: tensor<1xf8E5M2>, %a1: tensor<2xf8E5M2>) -> (tensor<1x2xf32>) {
  %v2 = stablehlo.dot_general %a0, %a1, contracting_dims = [] x [] : (tensor<1xf8E5M2>, tensor<2xf8E5M2>) -> tensor<1x2xf32>
  return %v2 : tensor<1x2xf32>
}
// program p213_s: stablehlo.collective_broadcast f16
// in 7x1xf16 d6a532b4f016e803f4b9003e964b
// out 7x1xf16 d6a532b4f016e803f4b9003e964b exact
func.func @p213_s(%a0: tensor<7x1xf16>) -> (tensor<7x1xf16>) {
  %v1 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<7x1xf16>) -> (tensor<7x1xf16>)
  return %v1 : tensor<7x1xf16>
}
// program p215_d: stablehlo.gather i8
// in 1x3xi8 7e6eff
// in 1xui8 06
// out i8 ff exact
func.func @p215_d(%a0: tensor<?x3xi8>, %a1: tensor<?xui8>) -> (tensor<i8>) {
  %v2 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>} : (tensor<?x3xi8>, tensor<?xui8>) -> tensor<i8>
  return %v2 : tensor<i8>
}
// program p216_s: stablehlo.broadcast complex<f32>
// in 0x3xcomplex<f32> 
// out 6x2x0x3xcomplex<f32>  exact
func.func @p216_s(%a0: tensor<0x3xcomplex<f32>>) -> (tensor<6x2x0x3xcomplex<f32>>) {
  %v1 = stablehlo.broadcast %a0, sizes = [6, 2] : (tensor<0x3xcomplex<f32>>) -> tensor<6x2x0x3xcomplex<f32>>
  return %v1 : tensor<6x2x0x3xcomplex<f32>>
}
// program p218_s: graph
// in i16 ff7f
// in 2x5xi16 0100030000804d50feff96610100506ffffffe7f
// in i1 01
// out 2x5xi16 0100030000804d50feff96610100506ffffffe7f value
// out i16 ff7f value
func.func @p218_s(%a0: tensor<i16>, %a1: tensor<2x5xi16>, %a2: tensor<i1>) -> (tensor<2x5xi16>, tensor<i16>) {
  %v2 = stablehlo.compare EQ, %a0, %a0, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
  %v3 = stablehlo.select %v2, %a0, %a0 : (tensor<i1>, tensor<i16>, tensor<i16>) -> tensor<i16>
  %v4 = stablehlo.constant dense<2> : tensor<i16>
  %v5 = stablehlo.pad %v3, %v4, low = [], high = [], interior = [] : (tensor<i16>, tensor<i16>) -> tensor<i16>
  %v7 = "stablehlo.if"(%a2) ({
    %v8 = stablehlo.dynamic_update_slice %a0, %a0 : (tensor<i16>, tensor<i16>) -> tensor<i16>
    stablehlo.return %v8 : tensor<i16>
  }, {
    %v9 = stablehlo.constant dense<1> : tensor<i16>
    %v10 = stablehlo.reduce(%a0 init: %v9) applies stablehlo.and across dimensions = [] : (tensor<i16>, tensor<i16>) -> tensor<i16>
    stablehlo.return %v10 : tensor<i16>
  }) : (tensor<i1>) -> tensor<i16>
  %v11 = stablehlo.reshape %v7 : (tensor<i16>) -> tensor<i16>
  return %a1, %v11 : tensor<2x5xi16>, tensor<i16>
}
// program p219_d: stablehlo.select_and_scatter ui16
// in 6x6xui16 0100010000000000f3ba56afffff713e0000ffff0000f8250000b8e800000100046ca6cb01000200c33a2766ffff19664762ffff1959000000000300020003000100feff80e10000
// in 5x6xui16 040004000100030000000300000002000400010002000200000004000300020004000000000002000000000000000300040002000000000000000400
// in ui16 0000
// out 6x6xui16 000000000000000000000300040004000100040000000000000006000400000002000200000000000300020004000300040004000000000000000400000000000000000000000000 value
func.func @p219_d(%a0: tensor<?x?xui16>, %a1: tensor<?x?xui16>, %a2: tensor<ui16>) -> (tensor<?x?xui16>) {
  %v3 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
^bb0(%l: tensor<ui16>, %r: tensor<ui16>):
    %g = stablehlo.compare GT, %l, %r, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
^bb0(%l: tensor<ui16>, %r: tensor<ui16>):
    %c = stablehlo.add %l, %r : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<?x?xui16>, tensor<?x?xui16>, tensor<ui16>) -> (tensor<?x?xui16>)
  return %v3 : tensor<?x?xui16>
}
// program p220_s: graph
// in 5xui32 5ddf4a660300000000000000e9d395504f789f7f
// in ui32 ffffffff
// in i32 05000000
// out ui32 ffffffff value
// out 5xui32 a220b599fcffffffffffffff162c6aafb0876080 value
// out f64 0000000000000000 value
// out ui32 ffffffff value
func.func @p220_s(%a0: tensor<5xui32>, %a1: tensor<ui32>, %a2: tensor<i32>) -> (tensor<ui32>, tensor<5xui32>, tensor<f64>, tensor<ui32>) {
  %v2 = stablehlo.minimum %a1, %a1 : tensor<ui32>
  %v3 = stablehlo.slice %v2 [] : (tensor<ui32>) -> tensor<ui32>
  %v4 = stablehlo.reverse %a1, dims = [] : tensor<ui32>
  %v5 = stablehlo.constant dense<0> : tensor<ui32>
  %v8 = stablehlo.reshape %a2 : (tensor<i32>) -> tensor<1xi32>
  %v6 = stablehlo.broadcast_in_dim %v5, dims = [] : (tensor<ui32>) -> tensor<5xui32>
  %v9 = stablehlo.or %v6, %a0 : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
  %v10 = stablehlo.constant dense<0> : tensor<ui32>
  %v11 = stablehlo.broadcast_in_dim %v10, dims = [] : (tensor<ui32>) -> tensor<ui32>
  %v12 = stablehlo.compare LE, %v4, %v11, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %v13 = stablehlo.slice %a1 [] : (tensor<ui32>) -> tensor<ui32>
  %v14 = stablehlo.not %v2 : tensor<ui32>
  %v15 = stablehlo.not %v9 : tensor<5xui32>
  %v16 = stablehlo.constant dense<0> : tensor<ui32>
  %v17 = stablehlo.reduce(%v14 init: %v16) applies stablehlo.minimum across dimensions = [] : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %v18 = stablehlo.convert %v12 : (tensor<i1>) -> tensor<f64>
  %v19 = stablehlo.not %v17 : tensor<ui32>
  return %v13, %v15, %v18, %v19 : tensor<ui32>, tensor<5xui32>, tensor<f64>, tensor<ui32>
}
// program p221_d: stablehlo.select_and_scatter f32
// in 6x2xf32 000080bf000000c0000000c0000040c000000040000080bf000080c0000080bf000040c00000803f00004040000040c0
// in 3x1xf32 00008040000080c000000000
// in f32 00000000
// out 6x2xf32 00008040000000000000000000000000000080c000000000000000000000000000000000000000000000000000000000 value
func.func @p221_d(%a0: tensor<?x2xf32>, %a1: tensor<?x1xf32>, %a2: tensor<f32>) -> (tensor<?x2xf32>) {
  %v3 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %g = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>} : (tensor<?x2xf32>, tensor<?x1xf32>, tensor<f32>) -> (tensor<?x2xf32>)
  return %v3 : tensor<?x2xf32>
}
// program p222_s: stablehlo.bitcast_convert i32
// in 1x2x3xi32 9f84c406feffffffa48b6539fefffffffeffff7fffffff7f
// out 1x2x3xf32 9f84c406feffffffa48b6539fefffffffeffff7fffffff7f exact
func.func @p222_s(%a0: tensor<1x2x3xi32>) -> (tensor<1x2x3xf32>) {
  %v1 = stablehlo.bitcast_convert %a0 : (tensor<1x2x3xi32>) -> tensor<1x2x3xf32>
  return %v1 : tensor<1x2x3xf32>
}
// program p223_d: stablehlo.compare i4
// in 5xi4 000f040309
// in 5xi4 0807000e0a
// out 5xi1 0000000000 exact
func.func @p223_d(%a0: tensor<?xi4>, %a1: tensor<5xi4>) -> (tensor<?xi1>) {
  %v2 = stablehlo.compare EQ, %a0, %a1, SIGNED : (tensor<?xi4>, tensor<5xi4>) -> tensor<?xi1>
  return %v2 : tensor<?xi1>
}
// program p224_s: stablehlo.not ui4
// in 3xui4 0f0001
// out 3xui4 000f0e exact
func.func @p224_s(%a0: tensor<3xui4>) -> (tensor<3xui4>) {
  %v1 = stablehlo.not %a0 : tensor<3xui4>
  return %v1 : tensor<3xui4>
}
// program p225_d: stablehlo.reduce ui4
// in 1x2x6x2xui4 030104030302020004000002040303030002020300000104
// in 1x2x6x2xi32 000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000
// in ui4 00
// in i32 00000000
// out 1x2x6xui4 030403020402040302030004 value
// out 1x2x6xi32 000000000000000000000000000000000000000001000000000000000000000001000000010000000000000001000000 value
func.func @p225_d(%a0: tensor<?x?x6x2xui4>, %a1: tensor<?x?x6x2xi32>, %a2: tensor<ui4>, %a3: tensor<i32>) -> (tensor<?x?x6xui4>, tensor<?x?x6xi32>) {
  %v4, %v5 = "stablehlo.reduce"(%a0, %a1, %a2, %a3) ({
^bb0(%l: tensor<ui4>, %i: tensor<i32>, %r: tensor<ui4>, %j: tensor<i32>):
    %g = stablehlo.compare GT, %l, %r, UNSIGNED : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
    %e = stablehlo.compare EQ, %l, %r, UNSIGNED : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
    %f = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %h = stablehlo.and %e, %f : tensor<i1>
    %k = stablehlo.or %g, %h : tensor<i1>
    %m = stablehlo.select %g, %l, %r : tensor<i1>, tensor<ui4>
    %n = stablehlo.select %k, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %m, %n : tensor<ui4>, tensor<i32>
  }) {dimensions = array<i64: 3>} : (tensor<?x?x6x2xui4>, tensor<?x?x6x2xi32>, tensor<ui4>, tensor<i32>) -> (tensor<?x?x6xui4>, tensor<?x?x6xi32>)
  return %v4, %v5 : tensor<?x?x6xui4>, tensor<?x?x6xi32>
}
// program p226_s: stablehlo.broadcast f8E5M2
// in 2x3xf8E5M2 e1fc161a1091
// out 3x2x3xf8E5M2 e1fc161a1091e1fc161a1091e1fc161a1091 exact
func.func @p226_s(%a0: tensor<2x3xf8E5M2>) -> (tensor<3x2x3xf8E5M2>) {
  %v1 = stablehlo.broadcast %a0, sizes = [3] : (tensor<2x3xf8E5M2>) -> tensor<3x2x3xf8E5M2>
  return %v1 : tensor<3x2x3xf8E5M2>
}
// program p228_s: chlo.broadcast_minimum f32
// in 3xf32 00004040000040c0000080bf
// in f32 00004040
// out 3xf32 00004040000040c0000080bf value
func.func @p228_s(%a0: tensor<3xf32>, %a1: tensor<f32>) -> (tensor<3xf32>) {
  %v2 = chlo.broadcast_minimum %a0, %a1 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %v2 : tensor<3xf32>
}
// program p229_d: stablehlo.divide ui16
// in 5xui16 0000feff84c0ffff0000
// in 5xui16 d7cd0100b59c7fba0300
// out 5xui16 0000feff010001000000 exact
func.func @p229_d(%a0: tensor<?xui16>, %a1: tensor<5xui16>) -> (tensor<?xui16>) {
  %v2 = stablehlo.divide %a0, %a1 : (tensor<?xui16>, tensor<5xui16>) -> tensor<?xui16>
  return %v2 : tensor<?xui16>
}
// program p230_s: chlo.broadcast_xor ui4
// in 1x1xui4 04
// in 1x1xui4 00
// out 1x1xui4 04 value
func.func @p230_s(%a0: tensor<1x1xui4>, %a1: tensor<1x1xui4>) -> (tensor<1x1xui4>) {
  %v2 = chlo.broadcast_xor %a0, %a1 : (tensor<1x1xui4>, tensor<1x1xui4>) -> tensor<1x1xui4>
  return %v2 : tensor<1x1xui4>
}
// program p231_d: stablehlo.convert f8E4M3
// in 3x9x1xf8E4M3 4000c8c838c0c438c8c840c40044440038b8c8b80044c0c400c8c4
// out 3x9x1xi8 0200fcfc01fefd01fcfc02fd0003030001fffcff0003fefd00fcfd exact
func.func @p231_d(%a0: tensor<?x?x1xf8E4M3>) -> (tensor<?x?x1xi8>) {
  %v1 = stablehlo.convert %a0 : (tensor<?x?x1xf8E4M3>) -> tensor<?x?x1xi8>
  return %v1 : tensor<?x?x1xi8>
}
// program p232_s: chlo.acos f32
// in 2x1x1xf32 39bb7a3fe8882c3f
// out 2x1x1xf32 241c503ececb543f ulp:3
func.func @p232_s(%a0: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>) {
  %v1 = chlo.acos %a0 : tensor<2x1x1xf32> -> tensor<2x1x1xf32>
  return %v1 : tensor<2x1x1xf32>
}
// program p233_d: stablehlo.reverse f8E5M2FNUZ
// in 5x2xf8E5M2FNUZ 9ebca8c4339969b6c2d4
// out 5x2xf8E5M2FNUZ 9ebca8c4339969b6c2d4 exact
func.func @p233_d(%a0: tensor<5x?xf8E5M2FNUZ>) -> (tensor<5x?xf8E5M2FNUZ>) {
  %v1 = stablehlo.reverse %a0, dims = [] : tensor<5x?xf8E5M2FNUZ>
  return %v1 : tensor<5x?xf8E5M2FNUZ>
}
// program p234_s: stablehlo.sort ui64
// in 3x2x8x0xui64 
// in 3x2x8x0xf16 
// out 3x2x8x0xui64  exact
// out 3x2x8x0xf16  exact
func.func @p234_s(%a0: tensor<3x2x8x0xui64>, %a1: tensor<3x2x8x0xf16>) -> (tensor<3x2x8x0xui64>, tensor<3x2x8x0xf16>) {
  %v2, %v3 = "stablehlo.sort"(%a0, %a1) ({
^bb0(%l0: tensor<ui64>, %r0: tensor<ui64>, %l1: tensor<f16>, %r1: tensor<f16>):
    %c = stablehlo.compare LT, %l0, %r0, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 2 : i64, is_stable = true} : (tensor<3x2x8x0xui64>, tensor<3x2x8x0xf16>) -> (tensor<3x2x8x0xui64>, tensor<3x2x8x0xf16>)
  return %v2, %v3 : tensor<3x2x8x0xui64>, tensor<3x2x8x0xf16>
}
// program p237_d: stablehlo.reverse ui2
// in 1xui2 03
// out 1xui2 03 exact
func.func @p237_d(%a0: tensor<?xui2>) -> (tensor<?xui2>) {
  %v1 = stablehlo.reverse %a0, dims = [] : tensor<?xui2>
  return %v1 : tensor<?xui2>
}
// program p240_s: stablehlo.abs complex<f64>
// in 8xcomplex<f64> e3b44b247de8e53fed65519c2b87f2bf1314d7a80fd4f23f12d3686f715de7bfddb4302e692be33f1614f6c0a629483f8bc8868a67aadf3f7f7721972db0f63fe278d646d2b6f6bf1041cf9ee1b8ecbf589adf7c63f5f13f3c08a22048bdfb3f8a8dfb8ecb47cfbf47213a21cab6c1bf085e3047ee8105c084e00ee577e2dabf
// out 8xf64 46d2d5661f86f53f662ecd5b8328f63f2d61d7216a2be33f3eb4a1bb9607f83fc24eebb18fdffa3f59b6b1e6c7850040d7c6538355f9d13fe4a507d4bcc40540 ulp:12
func.func @p240_s(%a0: tensor<8xcomplex<f64>>) -> (tensor<8xf64>) {
  %v1 = stablehlo.abs %a0 : (tensor<8xcomplex<f64>>) -> tensor<8xf64>
  return %v1 : tensor<8xf64>
}
// program p241_s: stablehlo.reverse f8E5M2FNUZ
// in f8E5M2FNUZ a4
// out f8E5M2FNUZ a4 exact
func.func @p241_s(%a0: tensor<f8E5M2FNUZ>) -> (tensor<f8E5M2FNUZ>) {
  %v1 = stablehlo.reverse %a0, dims = [] : tensor<f8E5M2FNUZ>
  return %v1 : tensor<f8E5M2FNUZ>
}
// program p243_s: chlo.broadcast_multiply i8
// in 1xi8 ff
// in 1xi8 fe
// out 1xi8 02 value
func.func @p243_s(%a0: tensor<1xi8>, %a1: tensor<1xi8>) -> (tensor<1xi8>) {
  %v2 = chlo.broadcast_multiply %a0, %a1 : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  return %v2 : tensor<1xi8>
}
// program p244_s: stablehlo.broadcast i64
// in 3x0x3xi64 
// out 3x3x0x3xi64  exact
func.func @p244_s(%a0: tensor<3x0x3xi64>) -> (tensor<3x3x0x3xi64>) {
  %v1 = stablehlo.broadcast %a0, sizes = [3] : (tensor<3x0x3xi64>) -> tensor<3x3x0x3xi64>
  return %v1 : tensor<3x3x0x3xi64>
}
// program p247_d: stablehlo.and ui16
// in 5x5xui16 feff748e000032abfeff5515aa7c70ea9a94000096d288b5659930cc0200cb93ffff7ddf2e21400e429efeff02005509ae5a
// in 5x5xui16 feff6733010000000300460d0000000000000200bc700000bd044074b45368e100009a9102000200feff010085144e2f32c6
// out 5x5xui16 feff6402000000000200440500000000000000009450000025000044000048810000189102000000429e0000000044092242 exact
func.func @p247_d(%a0: tensor<?x?xui16>, %a1: tensor<?x?xui16>) -> (tensor<?x?xui16>) {
  %v2 = stablehlo.and %a0, %a1 : tensor<?x?xui16>
  return %v2 : tensor<?x?xui16>
}
// program p248_s: stablehlo.imag complex<f32>
// in 3xcomplex<f32> bd8131c1e8e00b3d00002040a48a94c2460504c1dda108bf
// out 3xf32 e8e00b3da48a94c2dda108bf exact
func.func @p248_s(%a0: tensor<3xcomplex<f32>>) -> (tensor<3xf32>) {
  %v1 = stablehlo.imag %a0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %v1 : tensor<3xf32>
}
// program p250_s: stablehlo.subtract quantised
// in 1xf32 5f8a0b3e
// in 1xf32 bc060cbf
// out 1xf32 0000c03e value
func.func @p250_s(%a0: tensor<1xf32>, %a1: tensor<1xf32>) -> (tensor<1xf32>) {
  %q0 = stablehlo.uniform_quantize %a0 : (tensor<1xf32>) -> tensor<1x!quant.uniform<u8<1:255>:f32, 0.125:8>>
  %q1 = stablehlo.uniform_quantize %a1 : (tensor<1xf32>) -> tensor<1x!quant.uniform<u8<1:255>:f32, 0.25:2>>
  %q2 = stablehlo.subtract %q0, %q1 : (tensor<1x!quant.uniform<u8<1:255>:f32, 0.125:8>>, tensor<1x!quant.uniform<u8<1:255>:f32, 0.25:2>>) -> tensor<1x!quant.uniform<u8<1:255>:f32, 0.125:4>>
  %v2 = stablehlo.uniform_dequantize %q2 : (tensor<1x!quant.uniform<u8<1:255>:f32, 0.125:4>>) -> tensor<1xf32>
  return %v2 : tensor<1xf32>
}
// program p252_s: func.call f64
// in 2x1x4x1xf64 00000000000008c0000000000000104000000000000010c00000000000000040000000000000f0bf000000000000f03f0000000000000840000000000000f0bf
// in i32 03000000
// out 2x1x4x1xf64 00000000000018c0000000000000204000000000000020c0000000000000104000000000000000c00000000000000040000000000000184000000000000000c0 value
// out i32 03000000 exact
func.func private @p252_s_twice(%x: tensor<2x1x4x1xf64>, %y: tensor<i32>) -> (tensor<2x1x4x1xf64>, tensor<i32>) {
  %0 = stablehlo.add %x, %x : tensor<2x1x4x1xf64>
  return %0, %y : tensor<2x1x4x1xf64>, tensor<i32>
}
func.func @p252_s(%a0: tensor<2x1x4x1xf64>, %a1: tensor<i32>) -> (tensor<2x1x4x1xf64>, tensor<i32>) {
  %l0:2 = func.call @p252_s_twice(%a0, %a1) : (tensor<2x1x4x1xf64>, tensor<i32>) -> (tensor<2x1x4x1xf64>, tensor<i32>)
  return %l0#0, %l0#1 : tensor<2x1x4x1xf64>, tensor<i32>
}
// program p253_s: stablehlo.convert f8E4M3
// in 6x3xf8E4M3 67eef4f3df6358f3f273716dec6be970d470
// out 6x3xcomplex<f32> 00007042000000000000e0c200000000000040c300000000000030c3000000000000f0c10000000000003042000000000000804100000000000030c300000000000020c300000000000030430000000000001043000000000000d042000000000000c0c2000000000000b04200000000000090c2000000000000004300000000000040c1000000000000004300000000 exact
func.func @p253_s(%a0: tensor<6x3xf8E4M3>) -> (tensor<6x3xcomplex<f32>>) {
  %v1 = stablehlo.convert %a0 : (tensor<6x3xf8E4M3>) -> tensor<6x3xcomplex<f32>>
  return %v1 : tensor<6x3xcomplex<f32>>
}
// program p254_s: chlo.broadcast_add i64
// in 1x6xi64 fefffffffffffffffefffffffffffffffcffffffffffffff04000000000000000300000000000000fdffffffffffffff
// in 6xi64 0000000000000000fffffffffffffffffeffffffffffffff0400000000000000fefffffffffffffffdffffffffffffff
// out 1x6xi64 fefffffffffffffffdfffffffffffffffaffffffffffffff08000000000000000100000000000000faffffffffffffff value
func.func @p254_s(%a0: tensor<1x6xi64>, %a1: tensor<6xi64>) -> (tensor<1x6xi64>) {
  %v2 = chlo.broadcast_add %a0, %a1 : (tensor<1x6xi64>, tensor<6xi64>) -> tensor<1x6xi64>
  return %v2 : tensor<1x6xi64>
}
// program p255_d: stablehlo.iota ui32
// in i64 0200000000000000
// in i64 0200000000000000
// in i64 0200000000000000
// out 2x0x2x2xui32  exact
func.func @p255_d(%a0: tensor<i64>, %a1: tensor<i64>, %a2: tensor<i64>) -> (tensor<?x0x?x?xui32>) {
  %v2 = stablehlo.reshape %a0 : (tensor<i64>) -> tensor<1xi64>
  %v3 = stablehlo.constant dense<0> : tensor<i64>
  %v4 = stablehlo.reshape %v3 : (tensor<i64>) -> tensor<1xi64>
  %v6 = stablehlo.reshape %a1 : (tensor<i64>) -> tensor<1xi64>
  %v8 = stablehlo.reshape %a2 : (tensor<i64>) -> tensor<1xi64>
  %v9 = stablehlo.concatenate %v2, %v4, %v6, %v8, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %v0 = stablehlo.dynamic_iota %v9, dim = 2 : (tensor<4xi64>) -> tensor<?x0x?x?xui32>
  return %v0 : tensor<?x0x?x?xui32>
}
// program p256_s: stablehlo.select i1
// in 8xi1 0100000100010001
// in 8xi1 0000000100000001
// in 8xi1 0000000101010001
// out 8xi1 0000000100010001 exact
func.func @p256_s(%a0: tensor<8xi1>, %a1: tensor<8xi1>, %a2: tensor<8xi1>) -> (tensor<8xi1>) {
  %v3 = stablehlo.select %a2, %a0, %a1 : (tensor<8xi1>, tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  return %v3 : tensor<8xi1>
}
// program p257_d: stablehlo.sort i8
// in 1x8x1xi8 0404fc0400fefc00
// in 1x8x1xi4 010a090303020007
// in 1x8x1xui4 0f07020202000008
// out 1x8x1xi8 0404040000fefcfc exact
// out 1x8x1xi4 010a030307020900 exact
// out 1x8x1xui4 0f07020208000200 exact
func.func @p257_d(%a0: tensor<1x?x1xi8>, %a1: tensor<1x?x1xi4>, %a2: tensor<1x?x1xui4>) -> (tensor<1x?x1xi8>, tensor<1x?x1xi4>, tensor<1x?x1xui4>) {
  %v3, %v4, %v5 = "stablehlo.sort"(%a0, %a1, %a2) ({
^bb0(%l0: tensor<i8>, %r0: tensor<i8>, %l1: tensor<i4>, %r1: tensor<i4>, %l2: tensor<ui4>, %r2: tensor<ui4>):
    %c = stablehlo.compare GT, %l0, %r0, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<1x?x1xi8>, tensor<1x?x1xi4>, tensor<1x?x1xui4>) -> (tensor<1x?x1xi8>, tensor<1x?x1xi4>, tensor<1x?x1xui4>)
  return %v3, %v4, %v5 : tensor<1x?x1xi8>, tensor<1x?x1xi4>, tensor<1x?x1xui4>
}
// program p258_s: stablehlo.divide complex<f32>
// in 3xcomplex<f32> 233fe53f493447bf025180bf6b4288bf2c64e3bfc25199bf
// in 3xcomplex<f32> e4d18b3f6a095abf43a746bf1f8b28bf90cf35bf75cc613d
// out 3xcomplex<f32> edbbae3f813cb43eb9c5b63ff632243e86cd1640234bef3f ulp:8
func.func @p258_s(%a0: tensor<3xcomplex<f32>>, %a1: tensor<3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>) {
  %v2 = stablehlo.divide %a0, %a1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %v2 : tensor<3xcomplex<f32>>
}
// program p260_s: chlo.top_k i8
// in 2x1xi8 fefe
// out 2x1xi8 fefe value
// out 2x1xi32 0000000000000000 exact
func.func @p260_s(%a0: tensor<2x1xi8>) -> (tensor<2x1xi8>, tensor<2x1xi32>) {
  %v1, %v2 = chlo.top_k(%a0, k = 1) : tensor<2x1xi8> -> (tensor<2x1xi8>, tensor<2x1xi32>)
  return %v1, %v2 : tensor<2x1xi8>, tensor<2x1xi32>
}
// program p261_s: chlo.broadcast_power f64
// in 1x3x1xf64 000000000000f03f000000000000104000000000000010c0
// in 3x1xf64 0000000000000840000000000000f03f0000000000001040
// out 1x3x1xf64 000000000000f03f00000000000010400000000000007040 ulp:4
func.func @p261_s(%a0: tensor<1x3x1xf64>, %a1: tensor<3x1xf64>) -> (tensor<1x3x1xf64>) {
  %v2 = chlo.broadcast_power %a0, %a1 : (tensor<1x3x1xf64>, tensor<3x1xf64>) -> tensor<1x3x1xf64>
  return %v2 : tensor<1x3x1xf64>
}
// program p262_s: chlo.broadcast_maximum ui16
// in 1x2x1xui16 01000400
// in 2xui16 03000100
// out 1x2x2xui16 0300010004000400 value
func.func @p262_s(%a0: tensor<1x2x1xui16>, %a1: tensor<2xui16>) -> (tensor<1x2x2xui16>) {
  %v2 = chlo.broadcast_maximum %a0, %a1 : (tensor<1x2x1xui16>, tensor<2xui16>) -> tensor<1x2x2xui16>
  return %v2 : tensor<1x2x2xui16>
}
// program p263_d: stablehlo.reshape i64
// in 1x3xi64 01000000000000800100000000000000ffffffffffffffff
// in 2xi64 01000000000000000300000000000000
// out 1x3xi64 01000000000000800100000000000000ffffffffffffffff exact
func.func @p263_d(%a0: tensor<?x3xi64>, %a1: tensor<2xi64>) -> (tensor<?x3xi64>) {
  %v1 = stablehlo.dynamic_reshape %a0, %a1 : (tensor<?x3xi64>, tensor<2xi64>) -> tensor<?x3xi64>
  return %v1 : tensor<?x3xi64>
}
// program p264_s: stablehlo.reduce i64
// in 0x6xi64 
// in i64 0100000000000000
// out 0xi64  value
func.func @p264_s(%a0: tensor<0x6xi64>, %a1: tensor<i64>) -> (tensor<0xi64>) {
  %v2 = stablehlo.reduce(%a0 init: %a1) applies stablehlo.add across dimensions = [1] : (tensor<0x6xi64>, tensor<i64>) -> tensor<0xi64>
  return %v2 : tensor<0xi64>
}
// program p265_s: stablehlo.uniform_quantize f16
// in 5xf16 d936e1b971b74538443c
// out 5xf16 003800b800b80038003c value
func.func @p265_s(%a0: tensor<5xf16>) -> (tensor<5xf16>) {
  %q0 = stablehlo.uniform_quantize %a0 : (tensor<5xf16>) -> tensor<5x!quant.uniform<u8<1:255>:f16, 0.5:2>>
  %v1 = stablehlo.uniform_dequantize %q0 : (tensor<5x!quant.uniform<u8<1:255>:f16, 0.5:2>>) -> tensor<5xf16>
  return %v1 : tensor<5xf16>
}
// program p269_d: stablehlo.log bf16
// in 2xbf16 efbdc07f
// out 2xbf16 c07fc07f ulp:1
func.func @p269_d(%a0: tensor<?xbf16>) -> (tensor<?xbf16>) {
  %v1 = stablehlo.log %a0 : tensor<?xbf16>
  return %v1 : tensor<?xbf16>
}
// program p270_s: stablehlo.slice f8E5M2FNUZ
// in 3x5xf8E5M2FNUZ e0b03102b5d1aa441725c5600089cf
// out 0x5xf8E5M2FNUZ  exact
func.func @p270_s(%a0: tensor<3x5xf8E5M2FNUZ>) -> (tensor<0x5xf8E5M2FNUZ>) {
  %v1 = stablehlo.slice %a0 [0:0:1, 0:5:1] : (tensor<3x5xf8E5M2FNUZ>) -> tensor<0x5xf8E5M2FNUZ>
  return %v1 : tensor<0x5xf8E5M2FNUZ>
}
// program p272_s: stablehlo.minimum ui16
// in 2x1x4xui16 57f3705a3f450000052b00003e360100
// in 2x1x4xui16 40a68374d8329ae902008fe184c80300
// out 2x1x4xui16 40a6705ad8320000020000003e360100 exact
func.func @p272_s(%a0: tensor<2x1x4xui16>, %a1: tensor<2x1x4xui16>) -> (tensor<2x1x4xui16>) {
  %v2 = stablehlo.minimum %a0, %a1 : tensor<2x1x4xui16>
  return %v2 : tensor<2x1x4xui16>
}
// program p276_s: stablehlo.reduce bf16
// in 8x2x3xbf16 00c0804040c080c080bf80c0404080bf00404040804080c080c080c080c0804080c080c0803f00c080c0803f00c0803f40400040000000000000804000c080bf80bf803f404040c00000000080bf803f804040c040c080bf00c0404040408040
// in bf16 0000
// out 8xbf16 20c1e04080c1a0c0104140c0803f8040 norm:4
func.func @p276_s(%a0: tensor<8x2x3xbf16>, %a1: tensor<bf16>) -> (tensor<8xbf16>) {
  %v2 = stablehlo.reduce(%a0 init: %a1) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x2x3xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %v2 : tensor<8xbf16>
}
// program p279_d: stablehlo.gather i1
// in 8x7xi1 0101010101010001010000010000000101000101000000010001010000010101010001010100000100000101010001010101010101000100
// in 6x1xi8 ff0605070307
// out 4x6xi1 010101010001010101010001010100010101010000010001 exact
func.func @p279_d(%a0: tensor<8x7xi1>, %a1: tensor<?x1xi8>) -> (tensor<4x?xi1>) {
  %v2 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<8x7xi1>, tensor<?x1xi8>) -> tensor<4x?xi1>
  return %v2 : tensor<4x?xi1>
}
// program p280_s: stablehlo.torch_index_select i64
// in 3xi64 16033abc62691504fefffffffffffffffeffffffffffff7f
// in i32 02000000
// out i64 feffffffffffff7f exact
func.func @p280_s(%a0: tensor<3xi64>, %a1: tensor<i32>) -> (tensor<i64>) {
  %v2 = "stablehlo.torch_index_select"(%a0, %a1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3xi64>, tensor<i32>) -> (tensor<i64>)
  return %v2 : tensor<i64>
}
// program p281_d: stablehlo.add quantised
// in 8xf32 f7a287be5dc23dbf09f17c3ed4d0e33f484210bf8550203b0755d3bdc1c65abf
// in 8xf32 4241dd3efc804f3fb67ca83f1e0b7a3dbcbf49bf984bbc3feafa943f00fe203f
// out 8xf32 00000000000000000000004000000040000000c0000000400000004000000000 value
func.func @p281_d(%a0: tensor<?xf32>, %a1: tensor<?xf32>) -> (tensor<?xf32>) {
  %q0 = stablehlo.uniform_quantize %a0 : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8<-127:127>:f32, 1.0:0>>
  %q1 = stablehlo.uniform_quantize %a1 : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8<-127:127>:f32, 0.125:-8>>
  %q2 = stablehlo.add %q0, %q1 : (tensor<?x!quant.uniform<i8<-127:127>:f32, 1.0:0>>, tensor<?x!quant.uniform<i8<-127:127>:f32, 0.125:-8>>) -> tensor<?x!quant.uniform<i8<-127:127>:f32, 2.0:5>>
  %v2 = stablehlo.uniform_dequantize %q2 : (tensor<?x!quant.uniform<i8<-127:127>:f32, 2.0:5>>) -> tensor<?xf32>
  return %v2 : tensor<?xf32>
}
// program p282_s: stablehlo.select bf16
// in 5x2xbf16 24ba613fabc4fe34183c7e4343c4008066c100c0
// in 5x2xbf16 00c000c0c03f0d3a62c4093a38453f692040b93d
// in 5x2xi1 01000100010101000101
// out 5x2xbf16 24ba00c0abc40d3a183c7e4343c43f6966c100c0 exact
func.func @p282_s(%a0: tensor<5x2xbf16>, %a1: tensor<5x2xbf16>, %a2: tensor<5x2xi1>) -> (tensor<5x2xbf16>) {
  %v3 = stablehlo.select %a2, %a0, %a1 : (tensor<5x2xi1>, tensor<5x2xbf16>, tensor<5x2xbf16>) -> tensor<5x2xbf16>
  return %v3 : tensor<5x2xbf16>
}
// program p283_d: stablehlo.dynamic_slice i2
// in 5x3xi2 010000000201020002000102000302
// in i64 0a00000000000000
// in i64 0100000000000000
// out 2x1xi2 0103 exact
func.func @p283_d(%a0: tensor<?x?xi2>, %a1: tensor<i64>, %a2: tensor<i64>) -> (tensor<2x1xi2>) {
  %v3 = stablehlo.dynamic_slice %a0, %a1, %a2, sizes = [2, 1] : (tensor<?x?xi2>, tensor<i64>, tensor<i64>) -> tensor<2x1xi2>
  return %v3 : tensor<2x1xi2>
}
// program p285_d: chlo.is_inf f16
// in 1x9x3xf16 00bcdf3c46ab55950000c3c99913d7ade63875ca14e423d087e2a6197f50913118d3afcc007ce89a262a548c00fcde9bb3d869153d9c
// out 1x9x3xi1 000000000000000000000000000000000000010000000100000000 exact
func.func @p285_d(%a0: tensor<?x9x?xf16>) -> (tensor<?x9x?xi1>) {
  %v1 = chlo.is_inf %a0 : tensor<?x9x?xf16> -> tensor<?x9x?xi1>
  return %v1 : tensor<?x9x?xi1>
}
// program p287_d: graph
// in i16 6938
// in 3xi16 030003001b67
// in 8xi4 0302070701010e03
// in 1xi32 05000000
// out 26xi4 0f0f0f030f0f020f0f070f0f070f0f010f0f010f0f0e0f0f030f value
// out 5xi16 02000200020002000200 value
// out i16 e8b7 value
// out i16 5587 value
func.func @p287_d(%a0: tensor<i16>, %a1: tensor<3xi16>, %a2: tensor<8xi4>, %a3: tensor<1xi32>) -> (tensor<26xi4>, tensor<?xi16>, tensor<i16>, tensor<i16>) {
  %v3 = stablehlo.concatenate %a1, %a1, dim = 0 : (tensor<3xi16>, tensor<3xi16>) -> tensor<6xi16>
  %v4 = stablehlo.constant dense<-1> : tensor<i4>
  %v5 = stablehlo.pad %a2, %v4, low = [3], high = [1], interior = [2] : (tensor<8xi4>, tensor<i4>) -> tensor<26xi4>
  %v6 = stablehlo.and %v3, %v3 : tensor<6xi16>
  %v7 = stablehlo.dynamic_broadcast_in_dim %a0, %a3, dims = [] : (tensor<i16>, tensor<1xi32>) -> tensor<?xi16>
  %v9 = stablehlo.count_leading_zeros %v7 : tensor<?xi16>
  %v10 = stablehlo.not %v6 : tensor<6xi16>
  %v11 = stablehlo.dot_general %v10, %v3, contracting_dims = [0] x [0] : (tensor<6xi16>, tensor<6xi16>) -> tensor<i16>
  %v12 = stablehlo.dot_general %v7, %v7, contracting_dims = [0] x [0] : (tensor<?xi16>, tensor<?xi16>) -> tensor<i16>
  return %v5, %v9, %v11, %v12 : tensor<26xi4>, tensor<?xi16>, tensor<i16>, tensor<i16>
}
// program p288_s: stablehlo.convert i32
// in i32 15000000
// out ui2 01 exact
func.func @p288_s(%a0: tensor<i32>) -> (tensor<ui2>) {
  %v1 = stablehlo.convert %a0 : (tensor<i32>) -> tensor<ui2>
  return %v1 : tensor<ui2>
}
// program p289_s: chlo.top_k ui8
// in 2x1xui8 0123
// out 2x1xui8 0123 value
// out 2x1xi32 0000000000000000 exact
func.func @p289_s(%a0: tensor<2x1xui8>) -> (tensor<2x1xui8>, tensor<2x1xi32>) {
  %v1, %v2 = chlo.top_k(%a0, k = 1) : tensor<2x1xui8> -> (tensor<2x1xui8>, tensor<2x1xi32>)
  return %v1, %v2 : tensor<2x1xui8>, tensor<2x1xi32>
}
// program p292_s: stablehlo.broadcast_in_dim ui2
// in ui2 00
// out 3xui2 000000 exact
func.func @p292_s(%a0: tensor<ui2>) -> (tensor<3xui2>) {
  %v1 = stablehlo.broadcast_in_dim %a0, dims = [] : (tensor<ui2>) -> tensor<3xui2>
  return %v1 : tensor<3xui2>
}
// program p293_s: chlo.cosh f16
// in f16 b034
// out f16 2c3c ulp:1
func.func @p293_s(%a0: tensor<f16>) -> (tensor<f16>) {
  %v1 = chlo.cosh %a0 : tensor<f16> -> tensor<f16>
  return %v1 : tensor<f16>
}
// program p294_s: stablehlo.convert f32
// in 7xf32 000000000000803f000040c0000000400000004000000000000080bf
// out 7xi16 00000100fdff020002000000ffff exact
func.func @p294_s(%a0: tensor<7xf32>) -> (tensor<7xi16>) {
  %v1 = stablehlo.convert %a0 : (tensor<7xf32>) -> tensor<7xi16>
  return %v1 : tensor<7xi16>
}
// program p295_s: stablehlo.dot_general i16
// in i16 3f82
// in 2xi16 fe7ffeff
// out 2xi16 827b82fb exact
func.func @p295_s(%a0: tensor<i16>, %a1: tensor<2xi16>) -> (tensor<2xi16>) {
  %v2 = stablehlo.dot_general %a0, %a1, contracting_dims = [] x [] : (tensor<i16>, tensor<2xi16>) -> tensor<2xi16>
  return %v2 : tensor<2xi16>
}
// program p296_s: graph
// in 8xi32 007b0747ffffffff03000000abe27a4cfeffff7fffffff7ffeffff7fffffff7f
// in 7x1x2xi32 a0fabc44000000805d6613590100000084b5ff59ffffff7fffffffff01000080ffffffff02000000feffff7f0ec4f6570000008000df712e
// in ui64 0000000000000000
// in i32 03000000
// out 7x1x2xi32 a0fabc44000000805d6613590100000084b5ff59ffffff7fffffffff01000080ffffffff02000000feffff7f0ec4f6570000008000df712e value
// out 8xi32 ffffff7ffeffff7fffffff7ffeffff7fabe27a4c03000000ffffffff007b0747 value
// out i32 ffffffff value
// out i32 00000000 value
func.func @p296_s(%a0: tensor<8xi32>, %a1: tensor<7x1x2xi32>, %a2: tensor<ui64>, %a3: tensor<i32>) -> (tensor<7x1x2xi32>, tensor<8xi32>, tensor<i32>, tensor<i32>) {
  %v3 = stablehlo.subtract %a0, %a0 : tensor<8xi32>
  %v4 = stablehlo.or %a1, %a1 : tensor<7x1x2xi32>
  %v5 = stablehlo.reverse %a0, dims = [0] : tensor<8xi32>
  %v6 = stablehlo.constant dense<1> : tensor<i32>
  %v7 = stablehlo.reduce(%v3 init: %v6) applies stablehlo.and across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  %v8 = stablehlo.constant dense<0> : tensor<i32>
  %v9 = stablehlo.reduce(%a1 init: %v8) applies stablehlo.or across dimensions = [0, 1, 2] : (tensor<7x1x2xi32>, tensor<i32>) -> tensor<i32>
  %v12 = stablehlo.reshape %a3 : (tensor<i32>) -> tensor<1xi32>
  %v10 = stablehlo.broadcast_in_dim %v7, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %v13 = stablehlo.dot_general %v10, %v10, contracting_dims = [0] x [0] : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>
  return %v4, %v5, %v9, %v13 : tensor<7x1x2xi32>, tensor<8xi32>, tensor<i32>, tensor<i32>
}
// program p302_s: graph
// in 3x0x9x2xui64 
// in i32 03000000
// in i32 08000000
// in i32 feffffff
// in i32 03000000
// out 0x3x2x9xui64  value
// out 3x0x1x2xui64  value
// out 3x0x9x2xui64  value
func.func @p302_s(%a0: tensor<3x0x9x2xui64>, %a1: tensor<i32>, %a2: tensor<i32>, %a3: tensor<i32>, %a4: tensor<i32>) -> (tensor<0x3x2x9xui64>, tensor<3x0x1x2xui64>, tensor<3x0x9x2xui64>) {
  %v1 = stablehlo.add %a0, %a0 : tensor<3x0x9x2xui64>
  %v2 = stablehlo.transpose %a0, dims = [1, 0, 3, 2] : (tensor<3x0x9x2xui64>) -> tensor<0x3x2x9xui64>
  %v3 = stablehlo.xor %v1, %a0 : tensor<3x0x9x2xui64>
  %v8 = stablehlo.dynamic_slice %v3, %a1, %a2, %a3, %a4, sizes = [3, 0, 1, 2] : (tensor<3x0x9x2xui64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x0x1x2xui64>
  %v9 = stablehlo.maximum %v1, %a0 : tensor<3x0x9x2xui64>
  return %v2, %v8, %v9 : tensor<0x3x2x9xui64>, tensor<3x0x1x2xui64>, tensor<3x0x9x2xui64>
}
// program p305_s: stablehlo.reduce ui8
// in ui8 11
// in ui8 00
// out ui8 11 value
func.func @p305_s(%a0: tensor<ui8>, %a1: tensor<ui8>) -> (tensor<ui8>) {
  %v2 = stablehlo.reduce(%a0 init: %a1) applies stablehlo.xor across dimensions = [] : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  return %v2 : tensor<ui8>
}
// program p306_s: stablehlo.round_nearest_afz f64
// in f64 506220cb17bd2dc0
// out f64 0000000000002ec0 exact
func.func @p306_s(%a0: tensor<f64>) -> (tensor<f64>) {
  %v1 = stablehlo.round_nearest_afz %a0 : tensor<f64>
  return %v1 : tensor<f64>
}
// program p307_d: stablehlo.get_dimension_size bf16
// in 1xbf16 00bf
// out i32 01000000 exact
func.func @p307_d(%a0: tensor<?xbf16>) -> (tensor<i32>) {
  %v1 = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<?xbf16>) -> tensor<i32>
  return %v1 : tensor<i32>
}
// program p308_s: chlo.is_pos_inf f16
// in 3x1xf16 00b8e6941f01
// out 3x1xi1 000000 exact
func.func @p308_s(%a0: tensor<3x1xf16>) -> (tensor<3x1xi1>) {
  %v1 = chlo.is_pos_inf %a0 : tensor<3x1xf16> -> tensor<3x1xi1>
  return %v1 : tensor<3x1xi1>
}
// program p310_s: stablehlo.convolution f64
// in 2x3xf64 000000000000000000000000000008c00000000000001040000000000000f0bf000000000000004000000000000010c0
// in 3x1xf64 00000000000010c000000000000010c0000000000000f0bf
// out 1x2xf64 00000000000020400000000000000000 norm:5
func.func @p310_s(%a0: tensor<2x3xf64>, %a1: tensor<3x1xf64>) -> (tensor<1x2xf64>) {
  %v2 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, f]x[i, o]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf64>, tensor<3x1xf64>) -> tensor<1x2xf64>
  return %v2 : tensor<1x2xf64>
}
// program p311_d: stablehlo.dot_general i4
// in 8x4x3xi4 0e0205090900000a0e0609010703030a01060e090908030000030403090f050f03040801010a0c0d0808030108090109020609010504020709080e0504020c09070f0307090e010b030e060109050201060f0e0902030c0902060709000e0707
// in 8x3x4xi4 010f020104040200010e030103060f040800080f050b08030303010608050d0c090606080006070e07050a0e02000b000f020007040e0306050e01080d0f0904060e0d00010d07070802020e06010801000f03060e0b080c010f0903080e0007
// out 3x8xi4 0b030601080e000f000d08060709030700090800060b0305 exact
func.func @p311_d(%a0: tensor<?x4x?xi4>, %a1: tensor<8x?x?xi4>) -> (tensor<?x?xi4>) {
  %v2 = stablehlo.dot_general %a0, %a1, batching_dims = [2, 0] x [1, 0], contracting_dims = [1] x [2] : (tensor<?x4x?xi4>, tensor<8x?x?xi4>) -> tensor<?x?xi4>
  return %v2 : tensor<?x?xi4>
}
// program p312_s: stablehlo.broadcast_in_dim complex<f32>
// in complex<f32> 0000c0ff000080ff
// out complex<f32> 0000c0ff000080ff exact
func.func @p312_s(%a0: tensor<complex<f32>>) -> (tensor<complex<f32>>) {
  %v1 = stablehlo.broadcast_in_dim %a0, dims = [] : (tensor<complex<f32>>) -> tensor<complex<f32>>
  return %v1 : tensor<complex<f32>>
}
// program p313_d: stablehlo.dynamic_update_slice complex<f32>
// in 6x1x0xcomplex<f32> 
// in 0x0x0xcomplex<f32> 
// in ui64 0400000000000000
// in ui64 0500000000000000
// in ui64 0500000000000000
// out 6x1x0xcomplex<f32>  exact
func.func @p313_d(%a0: tensor<?x?x?xcomplex<f32>>, %a1: tensor<?x?x?xcomplex<f32>>, %a2: tensor<ui64>, %a3: tensor<ui64>, %a4: tensor<ui64>) -> (tensor<?x?x?xcomplex<f32>>) {
  %v5 = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3, %a4 : (tensor<?x?x?xcomplex<f32>>, tensor<?x?x?xcomplex<f32>>, tensor<ui64>, tensor<ui64>, tensor<ui64>) -> tensor<?x?x?xcomplex<f32>>
  return %v5 : tensor<?x?x?xcomplex<f32>>
}
// program p317_d: stablehlo.scatter ui32
// in 1xui32 a7b90c16
// in 7x1xui32 0000000000000000ffffffffffffffff00000000ae8c869f01000000
// in 7x1x1xi64 0000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000000000000000000
// out 1xui32 554693b5 exact
func.func @p317_d(%a0: tensor<1xui32>, %a1: tensor<?x?xui32>, %a2: tensor<?x?x1xi64>) -> (tensor<1xui32>) {
  %v3 = "stablehlo.scatter"(%a0, %a2, %a1) ({
^bb0(%l: tensor<ui32>, %r: tensor<ui32>):
    %c = stablehlo.add %l, %r : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<1xui32>, tensor<?x?x1xi64>, tensor<?x?xui32>) -> (tensor<1xui32>)
  return %v3 : tensor<1xui32>
}
// program p319_d: stablehlo.uniform_quantize f32
// in 2xf32 a7c3cec12d82b9c1
// out 2xf32 00c0cec10080b9c1 value
func.func @p319_d(%a0: tensor<?xf32>) -> (tensor<?xf32>) {
  %q0 = stablehlo.uniform_quantize %a0 : (tensor<?xf32>) -> tensor<?x!quant.uniform<i32:f32, 0.03125:0>>
  %v1 = stablehlo.uniform_dequantize %q0 : (tensor<?x!quant.uniform<i32:f32, 0.03125:0>>) -> tensor<?xf32>
  return %v1 : tensor<?xf32>
}
