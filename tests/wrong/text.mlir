func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'stablehlo.add'
  %0 = stablehlo.ad %a, %b : tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'stablehlo.transpose'
  %0 = "stablehlo.trnspose"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'func.return'
  retrun
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: needs attribute 'permutation'; 'permuation' is none of its
  %0 = "stablehlo.transpose"(%a) {permuation = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: must be a list of numbers
  %0 = "stablehlo.transpose"(%a) {permutation = "0"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: given twice
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64, iota_dimension = 0 : i64} : () -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: one of EQ NE GE GT LE LT
  %0 = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparision_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'lhs_contracting_dimensions'
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dims = [0]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: unknown operation|did you mean
  %0 = "stablehlo.x"(%a) {k = #stablehlo.gathr<offset_dims = [0]>} : (tensor<4xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'f64'
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xfloat64>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: did you mean 'stablehlo.token'
  %0 = stablehlo.create_token : !stablehlo.tokn
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: DEFAULT, HIGH and HIGHEST
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], precision = [HIHG] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // WRONG: lhs, rhs
  %0 = "stablehlo.add"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // WRONG: cannot end a block; after it must come an op such as func.return
  %0 = stablehlo.negate %a : tensor<4xf32>
}
// -----
func.func @f(%p: tensor<?x4xf32, #stablehlo.bounds<3, ?>>) { return }
// WRONG: 1 bounds are given for a tensor of rank 2
func.func @g(%p: tensor<?x4xf32, #stablehlo.bounds<3>>) { return }
// -----
func.func @f(%a: tensor<4xf32>) {
  // WRONG: must be i1, integer
  %0 = stablehlo.not %a : tensor<4xf32>
  // WRONG: must be i1, integer
  %1 = stablehlo.not %a : tensor<4xf32>
  return
}
// -----
// Reading goes on behind a mistake; what uses its result is no mistake of its own.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // WRONG: did you mean 'stablehlo.add'
  %0 = stablehlo.ad %a, %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  // WRONG: did you mean 'stablehlo.subtract'
  %2 = stablehlo.sub %1, %a : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// WRONG: visibility 'pivate'; there are public, private and nested
"func.func"() ({
  return
}) {sym_name = "f", function_type = () -> (), sym_visibility = "pivate"} : () -> ()
// -----
// WRONG: expected a parameter, found '='
#layout = #hal.pipeline.layout< = [1]>
func.func @f() attributes {a = #layout} {
  return
}
