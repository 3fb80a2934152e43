// The rates of multiply-adds, of memory and of the clock that kernels are measured against in bench/.
#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "peak_kernels.h"
#include "each_isa.h"

namespace tacet {

static void peak(Call& call) {
  const size_t rounds = call.argument(0, "rounds").size();
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

// Each addition waits for the last, so that there is one a cycle.
static void dependent_additions(Call& call) {
  size_t sum = 0;
  const size_t rounds = call.argument(0, "count").size() / 8;
  for (size_t round = 0; round < rounds; round++) {
    for (int i = 0; i < 8; i++) {
      sum++;
      __asm__ volatile("" : "+r"(sum));  // the compiler may not add them up
    }
  }
  call.result(static_cast<double>(sum));
}
static const Registration additions_registration("dependentAdditions", dependent_additions);

static void stream_triad(Call& call) {
  const View<float> a = call.argument(0, "a").floats();
  const View<float> b = call.argument(1, "b").floats({a.size});
  const View<float> c = call.argument(2, "c").floats({a.size});
  const auto triad = TACET_DISPATCH(triad_of);
  const size_t share = (a.size + thread_count() - 1) / thread_count();
  parallel_for(a.size, share, [&](size_t begin, size_t end) {
    triad(a.data + begin, b.data + begin, c.data + begin, end - begin);
  });
}
static const Registration triad_registration("streamTriad", stream_triad);

}  // namespace tacet
