// One step of Adam or Nadam over one variable, as reference/moment-update.ts states it.
#include <cmath>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

namespace tacet {

struct MomentStep {
  float rate, beta1, beta2, epsilon, scale, gradient_weight, first_weight, second_weight;
};

}  // namespace tacet

#define TACET_KERNELS "moments_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 16384;

/** p, m, v, gradient, the three results, and the eight numbers of the step. */
void moment_update(Call& call) {
  const View<float> p = call.floats(0);
  const View<float> m = call.floats(1, p.size), v = call.floats(2, p.size);
  const View<float> g = call.floats(3, p.size);
  const View<float> p_new = call.floats(4, p.size);
  const View<float> m_new = call.floats(5, p.size), v_new = call.floats(6, p.size);
  float numbers[8];
  for (size_t i = 0; i < 8; i++) numbers[i] = static_cast<float>(call.number(7 + i));
  const MomentStep step{numbers[0], numbers[1], numbers[2], numbers[3],
                  numbers[4], numbers[5], numbers[6], numbers[7]};
  parallel_for(p.size, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(update_moments, p.data + begin, m.data + begin, v.data + begin, g.data + begin, p_new.data + begin,
           m_new.data + begin, v_new.data + begin, end - begin, step);
  });
}
const Registration moment_update_registration("momentUpdate", moment_update);

}  // namespace

}  // namespace tacet
