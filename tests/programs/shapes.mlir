// The shape dialect, as older exporters write it.
func.func @bcast(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %3 = stablehlo.dynamic_broadcast_in_dim %a, %2, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %4 = stablehlo.dynamic_broadcast_in_dim %b, %2, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %5 = stablehlo.add %3, %4 : tensor<?x?xf32>
    shape.assuming_yield %5 : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
func.func @flat(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<?xindex>
  %1 = shape.num_elements %0 : tensor<?xindex> -> index
  %2 = tensor.from_elements %1 : tensor<1xindex>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
func.func @shapes(%a: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %s = shape.shape_of %a : tensor<?x4xf32> -> !shape.shape
  %c0 = arith.constant 0 : index
  %c1 = shape.const_size 1
  %e = shape.get_extent %s, %c0 : !shape.shape, index -> !shape.size
  %i = shape.size_to_index %e : !shape.size
  %two = arith.constant 2 : index
  %m = shape.mul %i, %two : index, index -> index
  %f = shape.from_extents %m, %two : index, index
  %t = shape.to_extent_tensor %f : !shape.shape -> tensor<2xindex>
  %3 = stablehlo.dynamic_reshape %a, %t : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  return %3 : tensor<?x2xf32>
}
func.func @eq(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_eq %0, %1 : tensor<1xindex>, tensor<1xindex>
  %w2 = shape.const_witness true
  %w3 = shape.assuming_all %w, %w2
  %c = shape.const_shape [1, 2] : tensor<2xindex>
  %cast = arith.index_cast %0 : tensor<1xindex> to tensor<1xi32>
  %r = stablehlo.dynamic_reshape %a, %cast : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.add %r, %b : tensor<?xf32>
  return %2 : tensor<?xf32>
}
