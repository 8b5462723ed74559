// Only the first rewrites that could be left out; the search for the one that a test does not like.
// RUN: iree-opt --input-simplify --opt-bisect-limit=1 %s 2>%t.err | FileCheck-22 %s
// RUN: FileCheck-22 %s --check-prefix=TOLD --input-file=%t.err
// RUN: iree-opt --input-simplify --opt-bisect-verbose %s 2>&1 >%t.all | FileCheck-22 %s --check-prefix=ALL
// RUN: iree-opt --input-simplify %s -o %t.good --opt-bisect-test="grep -q addi %t.good" | FileCheck-22 %s --check-prefix=FOUND
// RUN: iree-opt --input-simplify --mlir-pass-statistics %s 2>&1 >%t.all | FileCheck-22 %s --check-prefix=COUNT
// RUN: not iree-opt --input-simplify %s -o %t.good --opt-bisect-test=true 2>&1 | FileCheck-22 %s --check-prefix=RIGHT

// CHECK:      arith.constant 3 : i32
// CHECK:      arith.addi
// TOLD:       BISECT: running rewrite (1) fold arith.addi in input-simplify at {{.*}}bisect.mlir:[[#]]:8
// TOLD-NEXT:  BISECT: NOT running rewrite (2) fold arith.addi in input-simplify
// TOLD-NOT:   BISECT
// ALL:        BISECT: running rewrite (1)
// ALL-NEXT:   BISECT: running rewrite (2)
// FOUND:      BISECT: all rewrites (2): bad
// FOUND-NEXT: BISECT: limit 0: good
// FOUND-NEXT: BISECT: limit 1: good
// FOUND-NEXT: first bad rewrite: 2 fold arith.addi in input-simplify at {{.*}}bisect.mlir:[[#]]:8
// COUNT:      ... Pass statistics report ...
// COUNT:      input-simplify
// COUNT-NEXT: (S) 2 rewrites
// RIGHT:      right with all rewrites
util.func public @f() -> i32 {
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %3 = arith.addi %1, %2 : i32
  %4 = arith.addi %3, %2 : i32
  util.return %4 : i32
}
