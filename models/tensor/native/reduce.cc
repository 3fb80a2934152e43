// Reductions of the middle axis of x [outer, middle, inner] to y [outer, inner].
#include <algorithm>
#include <limits>

#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "thread_pool.h"

namespace tacet {
/** Columns that are reduced side by side. */
constexpr size_t kColumns = 64;
}  // namespace tacet

#define TACET_KERNELS "reduce_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 32768;
/** Elements of a long sum that are summed before the partial sums are. */
constexpr size_t kSegment = 16384;

double sum_run(const float* x, size_t n) { return TACET_DISPATCH(sum_run, x, n); }

double sum_squares_run(const float* x, size_t n) { return TACET_DISPATCH(sum_squares_run, x, n); }

/** The sum of run(segment) over segments of fixed length, added in order. */
template <typename Run>
double sum_segments(const float* x, size_t n, Run run) {
  if (n <= kSegment) return run(x, n);
  const size_t segments = (n + kSegment - 1) / kSegment;
  thread_local Scratch scratch;
  double* partial = scratch.doubles(segments);
  parallel_for(segments, 4, [&](size_t begin, size_t end) {
    for (size_t s = begin; s < end; s++) {
      partial[s] = run(x + s * kSegment, std::min(kSegment, n - s * kSegment));
    }
  });
  double sum = 0;
  for (size_t s = 0; s < segments; s++) sum += partial[s];
  return sum;
}

/** The arrays and counts that a reduction is given. */
struct Reduction {
  size_t outer, middle, inner;
  const float* x;
  float* y;

  explicit Reduction(const Value& record)
      : outer(record["outer"].size()),
        middle(record["middle"].size()),
        inner(record["inner"].size()),
        x(record["x"].floats({outer, middle, inner}).data),
        y(record["result"].floats({outer, inner}).data) {}
};

/** Sets y to one(start) for every outer index, where the inner axis is one element. */
template <typename One>
void over_runs(const Reduction& all, const One& one) {
  parallel_for(all.outer, 1 + kGrain / std::max<size_t>(1, all.middle),
               [&](size_t begin, size_t end) {
                 for (size_t o = begin; o < end; o++) all.y[o] = one(all.x + o * all.middle);
               });
}

/** Calls one(x, y, columns) for every block of columns of every outer index. */
template <typename One>
void over_columns(const Reduction& all, const One& one) {
  const size_t blocks = (all.inner + kColumns - 1) / kColumns;
  const size_t work = std::max<size_t>(1, all.middle * kColumns);
  parallel_for(all.outer * blocks, 1 + kGrain / work, [&](size_t begin, size_t end) {
    for (size_t at = begin; at < end; at++) {
      const size_t o = at / blocks, column = at % blocks * kColumns;
      one(all.x + o * all.middle * all.inner + column, all.y + o * all.inner + column,
          std::min(kColumns, all.inner - column));
    }
  });
}

void sum(Call& call) {
  const Value record = call.record();
  const Reduction all(record);
  const double scale = record["scale"].number();
  if (all.inner == 1 && all.outer == 1) {
    all.y[0] = static_cast<float>(sum_segments(all.x, all.middle, sum_run) * scale);
  } else if (all.inner == 1) {
    over_runs(all, [&](const float* x) { return static_cast<float>(sum_run(x, all.middle) * scale); });
  } else {
    over_columns(all, [&](const float* x, float* y, size_t columns) {
      TACET_DISPATCH(sum_columns, x, y, all.middle, all.inner, columns, scale);
    });
  }
}
const Registration sum_registration("sum", sum);

void extreme(Call& call) {
  const Value record = call.record();
  const Reduction all(record);
  const float sign = record["sign"].number();
  if (all.inner == 1) {
    over_runs(all, [&](const float* x) { return TACET_DISPATCH(max_run, x, all.middle, sign); });
  } else {
    over_columns(all, [&](const float* x, float* y, size_t columns) {
      TACET_DISPATCH(max_columns, x, y, all.middle, all.inner, columns, sign);
    });
  }
}
const Registration extreme_registration("extreme", extreme);

void squared_norm(Call& call) {
  const View<float> x = call.argument(0, "x").floats();
  call.result(sum_segments(x.data, x.size, sum_squares_run));
}
const Registration squared_norm_registration("squaredNorm", squared_norm);

}  // namespace

}  // namespace tacet
