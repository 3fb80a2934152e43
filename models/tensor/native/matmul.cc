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

Activation activation_of(const Value& value) {
  const std::string name = value.text();
  if (name == "linear") return Activation::none;
  if (name == "relu") return Activation::relu;
  if (name == "sigmoid") return Activation::sigmoid;
  value.wrong("linear, relu or sigmoid", "'" + name + "'");
}

void matmul_function(Call& call) {
  const Value record = call.record();
  const size_t batch = record["batch"].size();
  const size_t m = record["m"].size(), k = record["k"].size(), n = record["n"].size();
  const bool a_batched = record["aBatched"].flag(), b_batched = record["bBatched"].flag();
  const float* a = record["a"].floats({a_batched ? batch : 1, m, k}).data;
  const float* b = record["b"].floats({b_batched ? batch : 1, k, n}).data;
  float* out = record["result"].floats({batch, m, n}).data;
  MatMul product{};
  product.m = m;
  product.k = k;
  product.n = n;
  product.bias = record["bias"].optional_floats({n}).data;
  product.transpose_a = record["transposeA"].flag();
  product.transpose_b = record["transposeB"].flag();
  product.activation = activation_of(record["activation"]);
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
