#include "matmul.h"

#include <algorithm>

#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "thread_pool.h"

#define TACET_KERNELS "matmul_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Sums of no terms: the bias, activated as by a product with one zero term. */
void matmul_of_nothing(MatMul product) {
  static const float zero = 0;
  Scratch zeros;
  const size_t size = std::max(product.m, product.n);
  float* empty = zeros.floats(size);
  std::fill(empty, empty + size, zero);
  product.k = 1;
  product.a = empty;
  product.b = empty;
  TACET_DISPATCH(matmul, product);
}

Activation activation_of(const std::string& name) {
  if (name == "linear") return Activation::none;
  if (name == "relu") return Activation::relu;
  if (name == "sigmoid") return Activation::sigmoid;
  throw std::invalid_argument("there is no activation '" + name + "'");
}

// (a, b, bias | null, out, batch, m, k, n, transposeA, transposeB, a has the batch, b has the batch,
//  activation)
void matmul_function(Call& call) {
  const size_t batch = call.size(4), m = call.size(5), k = call.size(6), n = call.size(7);
  const bool a_batched = call.flag(10), b_batched = call.flag(11);
  MatMul product{m, k, n, nullptr, nullptr, nullptr, nullptr, call.flag(8), call.flag(9),
                 activation_of(call.text(12))};
  const float* a = call.floats(0, (a_batched ? batch : 1) * m * k).data;
  const float* b = call.floats(1, (b_batched ? batch : 1) * k * n).data;
  product.bias = call.optional_floats(2, n).data;
  float* out = call.floats(3, batch * m * n).data;
  for (size_t i = 0; i < batch; i++) {
    product.a = a + (a_batched ? i * m * k : 0);
    product.b = b + (b_batched ? i * k * n : 0);
    product.out = out + i * m * n;
    matmul(product);
  }
}
const Registration registration("matMul", matmul_function);

}  // namespace

void matmul(const MatMul& product) {
  if (product.m == 0 || product.n == 0) return;
  if (product.k == 0) return matmul_of_nothing(product);
  TACET_DISPATCH(matmul, product);
}

}  // namespace tacet
