#include "unary.h"

#include <cmath>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "unary_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 16384;

// (x, result, c, d), the constants where the function has them
#define TACET_EXPORT(NAME, BODY)                                                        \
  void NAME(Call& call) {                                                               \
    const View<float> x = call.floats(0);                                               \
    const View<float> y = call.floats(1, x.size);                                       \
    const float c = call.has(2) ? static_cast<float>(call.number(2)) : 0.0f;            \
    const float d = call.has(3) ? static_cast<float>(call.number(3)) : 0.0f;            \
    parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {                        \
      TACET_DISPATCH(NAME##_loop, x.data + begin, y.data + begin, end - begin, c, d);   \
    });                                                                                 \
  }                                                                                     \
  const Registration NAME##_registration(#NAME, NAME);

TACET_SIMPLE(TACET_EXPORT)
TACET_ELEMENTARY(TACET_EXPORT)

}  // namespace

}  // namespace tacet
