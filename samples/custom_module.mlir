// A program that calls a function of the application, which samples/custom_module.c provides.
func.func private @app.scale(i32) -> i32

func.func @main(%x: i32) -> i32 {
  %once = call @app.scale(%x) : (i32) -> i32
  %twice = call @app.scale(%once) : (i32) -> i32
  return %twice : i32
}
