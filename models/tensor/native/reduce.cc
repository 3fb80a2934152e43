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

struct Shape {
  size_t outer, middle, inner;
};

/** Calls one(x, y, columns) for every block of columns of every outer index. */
template <typename One>
void over_columns(const float* x, float* y, const Shape& shape, const One& one) {
  const size_t blocks = (shape.inner + kColumns - 1) / kColumns;
  const size_t work = std::max<size_t>(1, shape.middle * kColumns);
  parallel_for(shape.outer * blocks, 1 + kGrain / work, [&](size_t begin, size_t end) {
    for (size_t at = begin; at < end; at++) {
      const size_t o = at / blocks, column = at % blocks * kColumns;
      one(x + o * shape.middle * shape.inner + column, y + o * shape.inner + column,
          std::min(kColumns, shape.inner - column));
    }
  });
}

/** x, y, outer, middle, inner, and what the sums are multiplied by. */
void sum(Call& call) {
  const Shape shape{call.size(2), call.size(3), call.size(4)};
  const float* x = call.floats(0, shape.outer * shape.middle * shape.inner).data;
  float* y = call.floats(1, shape.outer * shape.inner).data;
  const double scale = call.number(5);
  if (shape.inner == 1 && shape.outer == 1) {
    y[0] = static_cast<float>(sum_segments(x, shape.middle, sum_run) * scale);
  } else if (shape.inner == 1) {
    parallel_for(shape.outer, 1 + kGrain / std::max<size_t>(1, shape.middle),
                 [&](size_t begin, size_t end) {
                   for (size_t o = begin; o < end; o++) {
                     y[o] = static_cast<float>(
                         sum_run(x + o * shape.middle, shape.middle) * scale);
                   }
                 });
  } else {
    over_columns(x, y, shape, [&](const float* from, float* to, size_t columns) {
      TACET_DISPATCH(sum_columns, from, to, shape.middle, shape.inner, columns, scale);
    });
  }
}
const Registration sum_registration("sum", sum);

/** x, y, outer, middle, inner, and 1 for the greatest or -1 for the least element. */
void extreme(Call& call) {
  const Shape shape{call.size(2), call.size(3), call.size(4)};
  const float* x = call.floats(0, shape.outer * shape.middle * shape.inner).data;
  float* y = call.floats(1, shape.outer * shape.inner).data;
  const float sign = static_cast<float>(call.number(5));
  if (shape.inner == 1) {
    parallel_for(shape.outer, 1 + kGrain / std::max<size_t>(1, shape.middle),
                 [&](size_t begin, size_t end) {
                   for (size_t o = begin; o < end; o++) {
                     y[o] = TACET_DISPATCH(max_run, x + o * shape.middle, shape.middle, sign);
                   }
                 });
  } else {
    over_columns(x, y, shape, [&](const float* from, float* to, size_t columns) {
      TACET_DISPATCH(max_columns, from, to, shape.middle, shape.inner, columns, sign);
    });
  }
}
const Registration extreme_registration("extreme", extreme);

void squared_norm(Call& call) {
  const View<float> x = call.floats(0);
  call.result(sum_segments(x.data, x.size, sum_squares_run));
}
const Registration squared_norm_registration("squaredNorm", squared_norm);

}  // namespace

}  // namespace tacet
