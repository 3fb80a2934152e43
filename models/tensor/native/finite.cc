// Whether an array holds numbers alone, neither NaN nor an infinity.
#include <atomic>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "finite_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 65536;

void all_finite(Call& call) {
  const View<float> x = call.argument(0, "x").floats();
  std::atomic<bool> finite{true};
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    if (!TACET_DISPATCH(all_finite, x.data + begin, end - begin)) finite = false;
  });
  call.result(finite.load());
}
const Registration registration("allFinite", all_finite);

}  // namespace

}  // namespace tacet
