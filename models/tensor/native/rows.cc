// Functions of each row of x [rows, width]: softmax, its cross-entropy, and scaling to unit length.
#include <algorithm>
#include <cmath>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "rows_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 16384;

/** Calls one(start of the row) for every row. */
template <typename One>
void over_rows(size_t size, size_t width, const One& one) {
  if (size == 0) return;
  parallel_for(size / width, 1 + kGrain / width, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; r++) one(r * width);
  });
}

// (x, result, width, whether the logarithm is wanted)
void softmax(Call& call) {
  const View<float> x = call.floats(0), y = call.floats(1, x.size);
  const size_t width = call.size(2);
  const bool logarithm = call.flag(3);
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(softmax_row, x.data + at, y.data + at, width, logarithm);
  });
}
const Registration softmax_registration("softmax", softmax);

void require_labels(const View<int32_t>& labels, size_t width) {
  for (size_t r = 0; r < labels.size; r++) {
    if (labels.data[r] < 0 || static_cast<size_t>(labels.data[r]) >= width) {
      throw std::invalid_argument("a label is outside its row");
    }
  }
}

// (x [N, width], labels [N], losses [N], log sums [N], width): log(sum of e^x) less x of the label
void softmax_loss(Call& call) {
  const View<int32_t> labels = call.ints(1);
  const View<float> losses = call.floats(2, labels.size), log_sums = call.floats(3, labels.size);
  const size_t width = call.size(4);
  const View<float> x = call.floats(0, labels.size * width);
  require_labels(labels, width);
  over_rows(x.size, width, [&](size_t at) {
    const size_t r = at / width;
    log_sums.data[r] = TACET_DISPATCH(log_sum_exp, x.data + at, width);
    losses.data[r] = log_sums.data[r] - x.data[at + labels.data[r]];
  });
}
const Registration softmax_loss_registration("softmaxLoss", softmax_loss);

// (x [N, width], labels [N], log sums [N], dy [N], dx [N, width], width)
void softmax_loss_gradient(Call& call) {
  const View<int32_t> labels = call.ints(1);
  const View<float> log_sums = call.floats(2, labels.size), dy = call.floats(3, labels.size);
  const size_t width = call.size(5);
  const View<float> x = call.floats(0, labels.size * width), dx = call.floats(4, x.size);
  require_labels(labels, width);
  over_rows(x.size, width, [&](size_t at) {
    const size_t r = at / width;
    TACET_DISPATCH(softmax_loss_gradient_row, x.data + at, log_sums.data[r], labels.data[r],
                   dy.data[r], dx.data + at, width);
  });
}
const Registration softmax_loss_gradient_registration("softmaxLossGradient", softmax_loss_gradient);

// (x, result, width, the least squared norm that is divided by)
void l2_normalise(Call& call) {
  const View<float> x = call.floats(0), y = call.floats(1, x.size);
  const size_t width = call.size(2);
  const float least = static_cast<float>(call.number(3));
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(l2_normalise_row, x.data + at, y.data + at, width, least);
  });
}
const Registration l2_normalise_registration("l2Normalise", l2_normalise);

// (dy, x, dx, width, least): dx = (dy - x (dy . x) / |x|^2) / |x|
void l2_normalise_gradient(Call& call) {
  const View<float> dy = call.floats(0);
  const View<float> x = call.floats(1, dy.size), dx = call.floats(2, dy.size);
  const size_t width = call.size(3);
  const float least = static_cast<float>(call.number(4));
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(l2_normalise_gradient_row, dy.data + at, x.data + at, dx.data + at, width,
                   least);
  });
}
const Registration l2_gradient_registration("l2NormaliseGradient", l2_normalise_gradient);

}  // namespace

}  // namespace tacet
