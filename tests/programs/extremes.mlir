// The larger and the smaller of a number and a zero, bit by bit: -0 is below +0, NaN stays NaN.
func.func @f32(%bits: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %x = stablehlo.bitcast_convert %bits : (tensor<6xi32>) -> tensor<6xf32>
  %c0 = stablehlo.constant dense<0.0> : tensor<6xf32>
  %r0 = stablehlo.maximum %c0, %x : tensor<6xf32>
  %b0 = stablehlo.bitcast_convert %r0 : (tensor<6xf32>) -> tensor<6xi32>
  %c1 = stablehlo.constant dense<-0.0> : tensor<6xf32>
  %r1 = stablehlo.maximum %x, %c1 : tensor<6xf32>
  %b1 = stablehlo.bitcast_convert %r1 : (tensor<6xf32>) -> tensor<6xi32>
  %c2 = stablehlo.constant dense<0.0> : tensor<6xf32>
  %r2 = stablehlo.minimum %c2, %x : tensor<6xf32>
  %b2 = stablehlo.bitcast_convert %r2 : (tensor<6xf32>) -> tensor<6xi32>
  %c3 = stablehlo.constant dense<-0.0> : tensor<6xf32>
  %r3 = stablehlo.minimum %x, %c3 : tensor<6xf32>
  %b3 = stablehlo.bitcast_convert %r3 : (tensor<6xf32>) -> tensor<6xi32>
  return %b0, %b1, %b2, %b3 : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}
func.func @f16(%bits: tensor<6xi16>) -> (tensor<6xi16>, tensor<6xi16>, tensor<6xi16>, tensor<6xi16>) {
  %x = stablehlo.bitcast_convert %bits : (tensor<6xi16>) -> tensor<6xf16>
  %c0 = stablehlo.constant dense<0.0> : tensor<6xf16>
  %r0 = stablehlo.maximum %c0, %x : tensor<6xf16>
  %b0 = stablehlo.bitcast_convert %r0 : (tensor<6xf16>) -> tensor<6xi16>
  %c1 = stablehlo.constant dense<-0.0> : tensor<6xf16>
  %r1 = stablehlo.maximum %x, %c1 : tensor<6xf16>
  %b1 = stablehlo.bitcast_convert %r1 : (tensor<6xf16>) -> tensor<6xi16>
  %c2 = stablehlo.constant dense<0.0> : tensor<6xf16>
  %r2 = stablehlo.minimum %c2, %x : tensor<6xf16>
  %b2 = stablehlo.bitcast_convert %r2 : (tensor<6xf16>) -> tensor<6xi16>
  %c3 = stablehlo.constant dense<-0.0> : tensor<6xf16>
  %r3 = stablehlo.minimum %x, %c3 : tensor<6xf16>
  %b3 = stablehlo.bitcast_convert %r3 : (tensor<6xf16>) -> tensor<6xi16>
  return %b0, %b1, %b2, %b3 : tensor<6xi16>, tensor<6xi16>, tensor<6xi16>, tensor<6xi16>
}
func.func @bf16(%bits: tensor<6xi16>) -> (tensor<6xi16>, tensor<6xi16>, tensor<6xi16>, tensor<6xi16>) {
  %x = stablehlo.bitcast_convert %bits : (tensor<6xi16>) -> tensor<6xbf16>
  %c0 = stablehlo.constant dense<0.0> : tensor<6xbf16>
  %r0 = stablehlo.maximum %c0, %x : tensor<6xbf16>
  %b0 = stablehlo.bitcast_convert %r0 : (tensor<6xbf16>) -> tensor<6xi16>
  %c1 = stablehlo.constant dense<-0.0> : tensor<6xbf16>
  %r1 = stablehlo.maximum %x, %c1 : tensor<6xbf16>
  %b1 = stablehlo.bitcast_convert %r1 : (tensor<6xbf16>) -> tensor<6xi16>
  %c2 = stablehlo.constant dense<0.0> : tensor<6xbf16>
  %r2 = stablehlo.minimum %c2, %x : tensor<6xbf16>
  %b2 = stablehlo.bitcast_convert %r2 : (tensor<6xbf16>) -> tensor<6xi16>
  %c3 = stablehlo.constant dense<-0.0> : tensor<6xbf16>
  %r3 = stablehlo.minimum %x, %c3 : tensor<6xbf16>
  %b3 = stablehlo.bitcast_convert %r3 : (tensor<6xbf16>) -> tensor<6xi16>
  return %b0, %b1, %b2, %b3 : tensor<6xi16>, tensor<6xi16>, tensor<6xi16>, tensor<6xi16>
}
func.func @f64(%bits: tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) {
  %x = stablehlo.bitcast_convert %bits : (tensor<6xi64>) -> tensor<6xf64>
  %c0 = stablehlo.constant dense<0.0> : tensor<6xf64>
  %r0 = stablehlo.maximum %c0, %x : tensor<6xf64>
  %b0 = stablehlo.bitcast_convert %r0 : (tensor<6xf64>) -> tensor<6xi64>
  %c1 = stablehlo.constant dense<-0.0> : tensor<6xf64>
  %r1 = stablehlo.maximum %x, %c1 : tensor<6xf64>
  %b1 = stablehlo.bitcast_convert %r1 : (tensor<6xf64>) -> tensor<6xi64>
  %c2 = stablehlo.constant dense<0.0> : tensor<6xf64>
  %r2 = stablehlo.minimum %c2, %x : tensor<6xf64>
  %b2 = stablehlo.bitcast_convert %r2 : (tensor<6xf64>) -> tensor<6xi64>
  %c3 = stablehlo.constant dense<-0.0> : tensor<6xf64>
  %r3 = stablehlo.minimum %x, %c3 : tensor<6xf64>
  %b3 = stablehlo.bitcast_convert %r3 : (tensor<6xf64>) -> tensor<6xi64>
  return %b0, %b1, %b2, %b3 : tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>
}
