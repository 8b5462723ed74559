// Constants and a variable from files of all formats; at and off the alignment of buffers.
util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4xf32>
util.global private @m = #flow.parameter.named<"model"::"m"> : tensor<3x4xf32>
util.global private @odd = #flow.parameter.named<"odd"> : tensor<3xi8>
util.global private @g = #flow.parameter.named<"other"::"g"> : tensor<4xf32>
util.global private mutable @state = #flow.parameter.named<"model"::"w"> : tensor<4xf32>

func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = util.global.load @w : tensor<4xf32>
  %s = util.global.load @state : tensor<4xf32>
  %0 = stablehlo.add %x, %s : tensor<4xf32>
  util.global.store %0, @state : tensor<4xf32>
  %1 = stablehlo.multiply %0, %w : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @dense(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %m = util.global.load @m : tensor<3x4xf32>
  %g = util.global.load @g : tensor<4xf32>
  %0 = stablehlo.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
func.func @given() -> tensor<3xi8> {
  %odd = util.global.load @odd : tensor<3xi8>
  return %odd : tensor<3xi8>
}
