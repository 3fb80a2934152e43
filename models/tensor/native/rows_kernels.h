// Included by each_isa.h for rows.cc.
#include "vector_functions.h"

namespace {

/** Partial sums that are carried side by side. */
constexpr size_t kSums = 16;

float dot(const float* a, const float* b, size_t n) {
  float lanes[kSums] = {};
  size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (size_t lane = 0; lane < kSums; lane++) lanes[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (; i < n; i++) sum += a[i] * b[i];
  for (size_t lane = 0; lane < kSums; lane++) sum += lanes[lane];
  return sum;
}

}  // namespace

void softmax_row(const float* x, float* y, size_t n) {
  float greatest = x[0];
  for (size_t i = 1; i < n; i++) greatest = x[i] > greatest ? x[i] : greatest;
  for (size_t i = 0; i < n; i += kLanes) {
    store_part(y + i, exp(load_part(x + i, n - i) - greatest), n - i);
  }
  float sums[kSums] = {};
  for (size_t i = 0; i < n; i++) sums[i % kSums] += y[i];
  float sum = 0;
  for (float one : sums) sum += one;
  const float scale = 1.0f / sum;
  for (size_t i = 0; i < n; i++) y[i] *= scale;
}

/** log(sum of e^x). */
float log_sum_exp(const float* x, size_t n) {
  float greatest = x[0];
  for (size_t i = 1; i < n; i++) greatest = x[i] > greatest ? x[i] : greatest;
  Vec sums[2] = {};
  for (size_t i = 0; i < n; i += kLanes) {
    const Vec power = exp(load_part(x + i, n - i) - greatest);
    if (n - i >= kLanes) {
      sums[i / kLanes % 2] += power;
    } else {
      for (size_t lane = 0; lane < n - i; lane++) sums[0][lane] += power[lane];
    }
  }
  float sum = 0;
  for (int lane = 0; lane < kLanes; lane++) sum += sums[0][lane] + sums[1][lane];
  return greatest + log(splat(sum))[0];
}

/** dx = dy (e^(x - log_sum) - 1 where i is the label). */
void softmax_loss_gradient_row(const float* x, float log_sum, size_t label, float dy, float* dx,
                               size_t n) {
  for (size_t i = 0; i < n; i += kLanes) {
    store_part(dx + i, exp(load_part(x + i, n - i) - log_sum) * dy, n - i);
  }
  dx[label] -= dy;
}

void l2_normalise_row(const float* x, float* y, size_t n, float least) {
  const float scale = 1.0f / std::sqrt(std::max(dot(x, x, n), least));
  for (size_t i = 0; i < n; i++) y[i] = x[i] * scale;
}

void l2_normalise_gradient_row(const float* dy, const float* x, float* dx, size_t n, float least) {
  const float square = dot(x, x, n);
  const float scale = 1.0f / std::sqrt(std::max(square, least));
  const float along = square > least ? dot(dy, x, n) * scale * scale : 0.0f;
  for (size_t i = 0; i < n; i++) dx[i] = (dy[i] - x[i] * along) * scale;
}
