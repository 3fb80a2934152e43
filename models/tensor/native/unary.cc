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

#define TACET_EXPORT(NAME, CONSTANTS, BODY)                                             \
  void NAME(Call& call) {                                                               \
    const View<float> x = call.argument(0, "x").floats();                               \
    const View<float> y = call.argument(1, "result").floats({x.size});                  \
    const float c = CONSTANTS > 0 ? call.argument(2, "c").number() : 0.0;               \
    const float d = CONSTANTS > 1 ? call.argument(3, "d").number() : 0.0;               \
    parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {                        \
      TACET_DISPATCH(NAME##_loop, x.data + begin, y.data + begin, end - begin, c, d);   \
    });                                                                                 \
  }                                                                                     \
  const Registration NAME##_registration(#NAME, NAME);

TACET_SIMPLE(TACET_EXPORT)
TACET_ELEMENTARY(TACET_EXPORT)

}  // namespace

}  // namespace tacet
