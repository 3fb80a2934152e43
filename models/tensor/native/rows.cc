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

/** The elements of a row of x [rows, width]. */
size_t width_of(const Value& value, const View<float>& x) {
  const size_t width = value.size();
  if (width == 0 ? x.size != 0 : x.size % width != 0) {
    value.wrong("a divisor of the " + std::to_string(x.size) + " elements", std::to_string(width));
  }
  return width;
}

/** Calls one(start of the row) for every row. */
template <typename One>
void over_rows(size_t size, size_t width, const One& one) {
  if (size == 0) return;
  parallel_for(size / width, 1 + kGrain / width, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; r++) one(r * width);
  });
}

void softmax(Call& call) {
  const View<float> x = call.argument(0, "x").floats();
  const View<float> y = call.argument(1, "result").floats({x.size});
  const size_t width = width_of(call.argument(2, "width"), x);
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(softmax_row, x.data + at, y.data + at, width);
  });
}
const Registration softmax_registration("softmax", softmax);

void softmax_loss(Call& call) {
  const Value record = call.record();
  const size_t width = record["width"].size();
  const View<int32_t> labels = record["labels"].ints_below(width);
  const View<float> x = record["x"].floats({labels.size, width});
  const View<float> losses = record["losses"].floats({labels.size});
  const View<float> log_sums = record["logSums"].floats({labels.size});
  over_rows(x.size, width, [&](size_t at) {
    const size_t r = at / width;
    log_sums.data[r] = TACET_DISPATCH(log_sum_exp, x.data + at, width);
    losses.data[r] = log_sums.data[r] - x.data[at + labels.data[r]];
  });
}
const Registration softmax_loss_registration("softmaxLoss", softmax_loss);

void softmax_loss_gradient(Call& call) {
  const Value record = call.record();
  const size_t width = record["width"].size();
  const View<int32_t> labels = record["labels"].ints_below(width);
  const View<float> x = record["x"].floats({labels.size, width});
  const View<float> log_sums = record["logSums"].floats({labels.size});
  const View<float> dy = record["dy"].floats({labels.size}), dx = record["dx"].floats({x.size});
  over_rows(x.size, width, [&](size_t at) {
    const size_t r = at / width;
    TACET_DISPATCH(softmax_loss_gradient_row, x.data + at, log_sums.data[r], labels.data[r],
                   dy.data[r], dx.data + at, width);
  });
}
const Registration softmax_loss_gradient_registration("softmaxLossGradient", softmax_loss_gradient);

void l2_normalise(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), y = record["result"].floats({x.size});
  const size_t width = width_of(record["width"], x);
  const float least = record["least"].number();
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(l2_normalise_row, x.data + at, y.data + at, width, least);
  });
}
const Registration l2_normalise_registration("l2Normalise", l2_normalise);

// dx = (dy - x (dy . x) / |x|^2) / |x|
void l2_normalise_gradient(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats();
  const View<float> dy = record["dy"].floats({x.size}), dx = record["dx"].floats({x.size});
  const size_t width = width_of(record["width"], x);
  const float least = record["least"].number();
  over_rows(x.size, width, [&](size_t at) {
    TACET_DISPATCH(l2_normalise_gradient_row, dy.data + at, x.data + at, dx.data + at, width,
                   least);
  });
}
const Registration l2_gradient_registration("l2NormaliseGradient", l2_normalise_gradient);

}  // namespace

}  // namespace tacet
