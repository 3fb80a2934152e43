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

MomentStep step_of(const Value& update) {
  const auto number = [&](const char* field) { return static_cast<float>(update[field].number()); };
  return {number("learningRate"),  number("beta1"),          number("beta2"),
          number("epsilon"),       number("gradientScale"),  number("gradientWeight"),
          number("firstWeight"),   number("secondWeight")};
}

void moment_update(Call& call) {
  const Value record = call.record();
  const View<float> p = record["parameter"].floats();
  const auto alike = [&](const char* field) { return record[field].floats({p.size}); };
  const View<float> m = alike("first"), v = alike("second"), g = alike("gradient");
  const View<float> p_new = alike("newParameter"), m_new = alike("newFirst");
  const View<float> v_new = alike("newSecond");
  const MomentStep step = step_of(record["update"]);
  parallel_for(p.size, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(update_moments, p.data + begin, m.data + begin, v.data + begin, g.data + begin, p_new.data + begin,
           m_new.data + begin, v_new.data + begin, end - begin, step);
  });
}
const Registration moment_update_registration("momentUpdate", moment_update);

}  // namespace

}  // namespace tacet
