// What is drawn from the training stream: Gaussian noise with its gradient, dropout, and their words. Every
// sample is a function of its place in the stream, so nothing is kept between the passes.
#include <algorithm>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "stream_position.h"
#include "thread_pool.h"

namespace tacet {

/** Elements that are drawn for at a time, in every instruction set. */
constexpr int kDrawn = 64;

}  // namespace tacet

#define TACET_KERNELS "noise_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** STRETCH of noise-words.ts: what one thread takes at a time. */
constexpr size_t kStretch = 16384;
/** Of NORMAL_TABLE of normal-table.ts. */
constexpr size_t kTableSize = 2 * 8 * 16;

void gaussian_noise(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), y = record["result"].floats({x.size});
  const View<float> stddev = row_of(record["stddev"], x);
  const View<float> table = record["table"].floats({kTableSize});
  const Stream stream = stream_at(record["position"]);
  const size_t width = stddev.size;
  if (x.size == 0) return;
  static thread_local Scratch scratch;
  float* repeated = scratch.floats(width + kDrawn);
  for (size_t i = 0; i < width + kDrawn; i++) repeated[i] = stddev.data[i % width];
  parallel_for(x.size, kStretch, [&](size_t begin, size_t end) {
    TACET_DISPATCH(add_noise, stream, table.data, x.data, repeated, y.data, begin, end, width);
  });
}
const Registration noise_registration("gaussianNoise", gaussian_noise);

void gaussian_noise_gradient(Call& call) {
  const Value record = call.record();
  const View<float> dy = record["dy"].floats(), gradient = row_of(record["result"], dy);
  const View<float> table = record["table"].floats({kTableSize});
  const Stream stream = stream_at(record["position"]);
  const size_t width = gradient.size;
  const size_t stretches = (dy.size + kStretch - 1) / kStretch;
  // Each stretch sums for itself, and the sums are added in order.
  const size_t length = width + kDrawn;
  static thread_local Scratch scratch;
  float* partial = scratch.floats(stretches * length);
  std::fill_n(partial, stretches * length, 0.0f);
  parallel_for(dy.size, kStretch, [&](size_t begin, size_t end) {
    float* sums = partial + begin / kStretch * length;
    TACET_DISPATCH(sum_noise, stream, table.data, dy.data, sums, begin, end, width);
  });
  for (size_t column = 0; column < width; column++) {
    double sum = 0;
    for (size_t stretch = 0; stretch < stretches; stretch++) {
      for (size_t i = column; i < length; i += width) sum += partial[stretch * length + i];
    }
    gradient[column] = static_cast<float>(sum);
  }
}
const Registration noise_gradient_registration("gaussianNoiseGradient", gaussian_noise_gradient);

void dropout(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), y = record["result"].floats({x.size});
  const size_t least = record["threshold"].size();
  if (least > UINT32_MAX) record["threshold"].wrong("under 2^32", std::to_string(least));
  const uint32_t threshold = static_cast<uint32_t>(least);
  const float scale = record["scale"].number();
  const Stream stream = stream_at(record["position"]);
  parallel_for(x.size, kStretch, [&](size_t begin, size_t end) {
    TACET_DISPATCH(drop, stream, x.data, y.data, begin, end, threshold, scale);
  });
}
const Registration dropout_registration("dropout", dropout);

void words_of_stream(Call& call) {
  const Value record = call.record();
  const Stream stream = stream_at(record["position"]);
  const View<uint32_t> words = record["words"].words();
  parallel_for(words.size, kStretch, [&](size_t begin, size_t end) {
    TACET_DISPATCH(noise_words, stream, words.data, begin, end);
  });
}
const Registration words_registration("noiseWords", words_of_stream);

}  // namespace

}  // namespace tacet
