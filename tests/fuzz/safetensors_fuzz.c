// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameter files of the format safetensors.
#include "parameters_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_parameters("safetensors", data, size); }
