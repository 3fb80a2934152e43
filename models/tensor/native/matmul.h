// Matrix product of plain arrays: out = activation(op(a) op(b) + bias).
#pragma once

#include <cstddef>

namespace tacet {

enum class Activation { none, relu, sigmoid };

struct MatMul {
  size_t m, k, n;
  const float* a;    // [m, k], or [k, m] where transpose_a
  const float* b;    // [k, n], or [n, k] where transpose_b
  const float* bias; // [n] or null
  float* out;        // [m, n]
  bool transpose_a, transpose_b;
  Activation activation;
};

void matmul(const MatMul& product);

}  // namespace tacet
