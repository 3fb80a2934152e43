// Matrix product of plain arrays: out = op(a) op(b) + bias.
#pragma once

#include <cstddef>

namespace tacet {

struct MatMul {
  size_t m, k, n;
  const float* a;    // [m, k], or [k, m] where transpose_a
  const float* b;    // [k, n], or [n, k] where transpose_b
  const float* bias; // [n] or null
  float* out;        // [m, n]
  bool transpose_a, transpose_b;
};

void matmul(const MatMul& product);

}  // namespace tacet
