// The multiply-add rate that products are measured against in bench/.
#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "peak_kernels.h"
#include "each_isa.h"

namespace tacet {

// (rounds) -> floating-point operations done, by all threads together
static void peak(Call& call) {
  const size_t rounds = call.size(0);
  const size_t threads = thread_count();
  double operations = 0;
  const auto chain = TACET_DISPATCH(multiply_add_chain_of);
  parallel_for(threads, 1, [&](size_t begin, size_t) {
    const double done = chain(rounds, 1e-9f);
    if (begin == 0) operations = done;
  });
  call.result(operations * static_cast<double>(threads));
}
static const Registration registration("peakMultiplyAdds", peak);

}  // namespace tacet
