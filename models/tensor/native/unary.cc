// Elementwise functions of one tensor: x, y and up to two constants.
#include <cmath>

#include "registry.h"
#include "smooth_math.h"
#include "thread_pool.h"

namespace tacet {

namespace {
constexpr size_t kGrain = 16384;
}

#define TACET_UNARY(NAME, EXPRESSION)                                                            \
  TACET_VECTORISED static void NAME##_loop(const float* __restrict x, float* __restrict y,       \
                                           size_t n, [[maybe_unused]] float c,                   \
                                           [[maybe_unused]] float d) {                           \
    for (size_t i = 0; i < n; i++) {                                                             \
      const float p = x[i];                                                                      \
      y[i] = EXPRESSION;                                                                         \
    }                                                                                            \
  }                                                                                              \
  static void NAME(Call& call) {                                                                 \
    const View<float> x = call.floats(0);                                                        \
    const View<float> y = call.floats(1, x.size);                                                \
    const float c = call.has(2) ? static_cast<float>(call.number(2)) : 0.0f;                     \
    const float d = call.has(3) ? static_cast<float>(call.number(3)) : 0.0f;                     \
    parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {                                 \
      NAME##_loop(x.data + begin, y.data + begin, end - begin, c, d);                            \
    });                                                                                          \
  }                                                                                              \
  static const Registration NAME##_registration(#NAME, NAME);

// p is the element, c and d are the constants.
TACET_UNARY(Abs, p < 0.0f ? -p : (p == 0.0f ? 0.0f : p))
TACET_UNARY(Neg, -p)
TACET_UNARY(Square, p* p)
TACET_UNARY(Sqrt, std::sqrt(p))
TACET_UNARY(Rsqrt, 1.0f / std::sqrt(p))
TACET_UNARY(Reciprocal, 1.0f / p)
TACET_UNARY(Relu, p > 0.0f || p != p ? p : 0.0f)
TACET_UNARY(Step, p != p ? p : (p > 0.0f ? 1.0f : c))
TACET_UNARY(ClipByValue, p < c ? c : (p > d ? d : p))
TACET_UNARY(Exp, smooth_exp(p))
TACET_UNARY(Log, smooth_log(p))
TACET_UNARY(Tanh, smooth_tanh(p))
TACET_UNARY(Sigmoid, smooth_sigmoid(p))
TACET_UNARY(Softplus, smooth_softplus(p))

}  // namespace tacet
