// Layer normalisation of rows with a trained gain and bias (Ba et al. 2016, section 3.1), and its gradient.
#include <algorithm>
#include <cmath>
#include <vector>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "layer_norm_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Rows that a thread takes at a time; sums over rows are of so many, then of those. */
constexpr size_t kRowsAtATime = 64;

void layer_norm(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), gain = row_of(record["gain"], x);
  const size_t width = gain.size, rows = width == 0 ? 0 : x.size / width;
  const View<float> bias = record["bias"].floats({width}), y = record["result"].floats({x.size});
  const View<float> means = record["means"].floats({rows});
  const View<float> scales = record["scales"].floats({rows});
  const float least = record["least"].number();
  parallel_for(rows, kRowsAtATime, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; r++) {
      TACET_DISPATCH(layer_norm_row, x.data + r * width, gain.data, bias.data, y.data + r * width, width,
                     least, means.data + r, scales.data + r);
    }
  });
}
const Registration forward_registration("layerNorm", layer_norm);

void layer_norm_gradient(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), gain = row_of(record["gain"], x);
  const size_t width = gain.size, rows = width == 0 ? 0 : x.size / width;
  const View<float> means = record["means"].floats({rows});
  const View<float> scales = record["scales"].floats({rows});
  const View<float> dy = record["dy"].floats({x.size}), dx = record["dx"].floats({x.size});
  const View<float> d_gain = record["dGain"].floats({width}), d_bias = record["dBias"].floats({width});
  const size_t pieces = (rows + kRowsAtATime - 1) / kRowsAtATime;
  std::vector<float> parts(pieces * 2 * width);
  parallel_for(rows, kRowsAtATime, [&](size_t begin, size_t end) {
    float* const part = parts.data() + begin / kRowsAtATime * 2 * width;
    for (size_t r = begin; r < end; r++) {
      TACET_DISPATCH(layer_norm_gradient_row, x.data + r * width, gain.data, dy.data + r * width,
                     dx.data + r * width, width, means.data[r], scales.data[r], part, part + width);
    }
  });
  std::fill_n(d_gain.data, width, 0.0f);
  std::fill_n(d_bias.data, width, 0.0f);
  for (size_t piece = 0; piece < pieces; piece++) {
    const float* const part = parts.data() + piece * 2 * width;
    for (size_t i = 0; i < width; i++) {
      d_gain[i] += part[i];
      d_bias[i] += part[width + i];
    }
  }
}
const Registration gradient_registration("layerNormGradient", layer_norm_gradient);

}  // namespace

}  // namespace tacet
