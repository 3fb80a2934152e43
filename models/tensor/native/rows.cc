// Functions of each row of x [rows, width]: softmax and scaling to unit length.
#include <algorithm>
#include <cmath>

#include "registry.h"
#include "smooth_math.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 16384;
constexpr size_t kLanes = 16;

template <typename One>
void over_rows(size_t rows, size_t width, const One& one) {
  parallel_for(rows, 1 + kGrain / std::max<size_t>(1, width), [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; r++) one(r * width);
  });
}

TACET_VECTORISED void softmax_row(const float* x, float* y, size_t n, bool logarithm) {
  float greatest = x[0];
  for (size_t i = 1; i < n; i++) greatest = x[i] > greatest ? x[i] : greatest;
  float lanes[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; lane++) {
      const float e = smooth_exp(x[i + lane] - greatest);
      y[i + lane] = e;
      lanes[lane] += e;
    }
  }
  float sum = 0;
  for (; i < n; i++) sum += y[i] = smooth_exp(x[i] - greatest);
  for (size_t lane = 0; lane < kLanes; lane++) sum += lanes[lane];
  if (logarithm) {
    const float shift = greatest + smooth_log(sum);
    for (size_t k = 0; k < n; k++) y[k] = x[k] - shift;
  } else {
    const float scale = 1.0f / sum;
    for (size_t k = 0; k < n; k++) y[k] *= scale;
  }
}

/** x, y, the width of a row, and whether the logarithm is wanted. */
void softmax(Call& call) {
  const View<float> x = call.floats(0);
  const View<float> y = call.floats(1, x.size);
  const size_t width = call.size(2);
  const bool logarithm = call.flag(3);
  if (x.size == 0) return;
  over_rows(x.size / width, width,
            [&](size_t at) { softmax_row(x.data + at, y.data + at, width, logarithm); });
}
const Registration softmax_registration("softmax", softmax);

TACET_VECTORISED float dot(const float* a, const float* b, size_t n) {
  float lanes[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; lane++) lanes[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (; i < n; i++) sum += a[i] * b[i];
  for (size_t lane = 0; lane < kLanes; lane++) sum += lanes[lane];
  return sum;
}

/** x, y, the width of a row, and the least squared norm that is divided by. */
void l2_normalise(Call& call) {
  const View<float> x = call.floats(0);
  const View<float> y = call.floats(1, x.size);
  const size_t width = call.size(2);
  const float least = static_cast<float>(call.number(3));
  if (x.size == 0) return;
  over_rows(x.size / width, width, [&](size_t at) {
    const float* row = x.data + at;
    const float scale = 1.0f / std::sqrt(std::max(dot(row, row, width), least));
    for (size_t i = 0; i < width; i++) y[at + i] = row[i] * scale;
  });
}
const Registration l2_normalise_registration("l2Normalise", l2_normalise);

/** dy, x, dx, and as above. dx = (dy - x (dy . x) / |x|^2) / |x|. */
void l2_normalise_gradient(Call& call) {
  const View<float> dy = call.floats(0);
  const View<float> x = call.floats(1, dy.size);
  const View<float> dx = call.floats(2, dy.size);
  const size_t width = call.size(3);
  const float least = static_cast<float>(call.number(4));
  if (x.size == 0) return;
  over_rows(x.size / width, width, [&](size_t at) {
    const float square = dot(x.data + at, x.data + at, width);
    const float scale = 1.0f / std::sqrt(std::max(square, least));
    const float along =
        square > least ? dot(dy.data + at, x.data + at, width) * scale * scale : 0.0f;
    for (size_t i = 0; i < width; i++) {
      dx[at + i] = (dy[at + i] - x[at + i] * along) * scale;
    }
  });
}
const Registration l2_gradient_registration("l2NormaliseGradient", l2_normalise_gradient);

}  // namespace

}  // namespace tacet
