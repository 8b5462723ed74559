// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include <string.h>

#include "compiler/dialects/stablehlo.h"

hlo_dims_t hlo_list(ir_attr_t attr, const char *name) {
  hlo_dims_t out = {.n = 0};
  ir_attr_t list = ir_attr_param(attr, name);
  for (uint32_t i = 0; ir_is(list, IR_A_ARRAY) && i < list->n_kids && out.n < HLO_MAX_RANK; ++i)
    if (ir_is(ir_kid(list, i), IR_A_INT)) out.at[out.n++] = ir_int(ir_kid(list, i), 0);
  return out;
}
int64_t hlo_number(ir_attr_t attr, const char *name, int64_t absent) {
  ir_attr_t value = ir_attr_param(attr, name);
  return ir_is(value, IR_A_INT) ? ir_int(value, 0) : absent;
}
hlo_dims_t hlo_dims(const ir_op_t *op, const char *name, size_t n, int64_t absent) {
  hlo_dims_t out = {.n = n < HLO_MAX_RANK ? n : HLO_MAX_RANK};
  ir_attr_t list = ir_op_attr(op, name);
  if (!list || !list->n_ints) {  // an empty list where there are dimensions says nothing
    for (size_t i = 0; i < out.n; ++i) out.at[i] = absent;
    return out;
  }
  out.n = list->n_ints < HLO_MAX_RANK ? list->n_ints : HLO_MAX_RANK;
  for (size_t i = 0; i < out.n; ++i) out.at[i] = ir_int(list, i);
  return out;
}
void hlo_padding(const ir_op_t *op, size_t i, int64_t *out_low, int64_t *out_high) {
  ir_attr_t a = ir_op_attr(op, "padding");
  *out_low = *out_high = 0;
  if (!ir_is(a, IR_A_DENSE)) return;
  size_t at = ir_dense_is_splat(a) ? 0 : i * 16, second = ir_dense_is_splat(a) ? 0 : 8;
  if (at + second + 8 > ir_dense_bytes(a)) return;
  memcpy(out_low, (const char *)ir_dense_data(a) + at, 8);
  memcpy(out_high, (const char *)ir_dense_data(a) + at + second, 8);
}

// One bracket of the dimension numbers: letters |a| and |b| name two dimensions, digits the spatial
// ones.
static const char *conv_bracket(const char *t, char a, char b, int64_t *out_a, int64_t *out_b,
                                int64_t *spatial, size_t *n_spatial) {
  int64_t position = 0;
  *out_a = *out_b = -1;
  *n_spatial = 0;
  while (*t && *t != '[') ++t;
  if (!*t) return NULL;
  for (++t; *t && *t != ']';) {
    if (*t == ' ' || *t == ',') {
      ++t;
      continue;
    }
    if (*t == a)
      *out_a = position, ++t;
    else if (*t == b)
      *out_b = position, ++t;
    else if (*t >= '0' && *t <= '9') {
      char *end;
      long i = strtol(t, &end, 10);
      if (i < 0 || i >= HLO_MAX_RANK) return NULL;
      spatial[i] = position;
      ++*n_spatial;
      t = end;
    } else if (*t == '?') {
      ++t;
    } else {
      return NULL;
    }
    ++position;
  }
  return *out_a < 0 || *out_b < 0 || !*t ? NULL : t + 1;
}
// #stablehlo.conv<raw input_batch_dimension = 0, ...>: the form without letters. The word `raw` sticks
// to the first name.
static int64_t raw_number(ir_attr_t attr, const char *name) {
  ir_attr_t first = ir_kid(ir_kid(attr, 0), 0);
  const char *word = ir_bytes(first) + 3;
  while (*word == ' ' || *word == '\n' || *word == '\t' || *word == '\r') ++word;
  ir_attr_t value = strcmp(word, name) ? ir_attr_param(attr, name) : ir_kid(ir_kid(attr, 0), 1);
  return ir_is(value, IR_A_INT) ? ir_int(value, 0) : -1;
}
static size_t raw_spatial(ir_attr_t attr, const char *name, int64_t *out) {
  hlo_dims_t list = hlo_list(attr, name);
  memcpy(out, list.at, list.n * sizeof *out);
  return list.n;
}
// Whether |first|, |second| and |spatial| name each of n + 2 dimensions once.
static bool is_permutation(int64_t first, int64_t second, const int64_t *spatial, size_t n) {
  bool seen[HLO_MAX_RANK + 2] = {false};
  for (size_t i = 0; i < n + 2; ++i) {
    int64_t at = i == n ? first : i == n + 1 ? second : spatial[i];
    if (at < 0 || at >= (int64_t)n + 2 || seen[at]) return false;
    seen[at] = true;
  }
  return true;
}
static bool conv_raw(ir_attr_t attr, hlo_conv_t *c) {
  const struct {
    const char *name;
    int64_t *to;
  } numbers[] = {{"input_batch_dimension", &c->input_batch},
                 {"input_feature_dimension", &c->input_feature},
                 {"kernel_input_feature_dimension", &c->kernel_input},
                 {"kernel_output_feature_dimension", &c->kernel_output},
                 {"output_batch_dimension", &c->output_batch},
                 {"output_feature_dimension", &c->output_feature}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if ((*numbers[i].to = raw_number(attr, numbers[i].name)) < 0) return false;
  c->n_spatial = raw_spatial(attr, "input_spatial_dimensions", c->input_spatial);
  size_t n = c->n_spatial;
  return raw_spatial(attr, "kernel_spatial_dimensions", c->kernel_spatial) == n &&
         raw_spatial(attr, "output_spatial_dimensions", c->output_spatial) == n &&
         is_permutation(c->input_batch, c->input_feature, c->input_spatial, n) &&
         is_permutation(c->kernel_input, c->kernel_output, c->kernel_spatial, n) &&
         is_permutation(c->output_batch, c->output_feature, c->output_spatial, n);
}
bool hlo_conv_dims(ir_attr_t attr, hlo_conv_t *out) {
  memset(out, 0, sizeof *out);
  if (!attr || !attr->n_kids) return false;
  if (ir_is(ir_kid(attr, 0), IR_A_PARAM) && !strncmp(ir_bytes(ir_kid(ir_kid(attr, 0), 0)), "raw", 3))
    return conv_raw(attr, out);
  if (!ir_is(ir_kid(attr, 0), IR_A_KEYWORD)) return false;
  size_t kernel, output;
  const char *t = conv_bracket(ir_bytes(ir_kid(attr, 0)), 'b', 'f', &out->input_batch,
                               &out->input_feature, out->input_spatial, &out->n_spatial);
  if (t)
    t = conv_bracket(t, 'i', 'o', &out->kernel_input, &out->kernel_output, out->kernel_spatial,
                     &kernel);
  if (t)
    t = conv_bracket(t, 'b', 'f', &out->output_batch, &out->output_feature, out->output_spatial,
                     &output);
  return t && kernel == out->n_spatial && output == out->n_spatial;
}
