// What is drawn from the training stream: Gaussian noise with its gradient, and dropout. Every
// sample is a function of its place in the stream, so nothing is kept between the passes.
#include <algorithm>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "isa.h"
#include "philox.h"
#include "registry.h"
#include "scratch.h"
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

/** The key's two words and the position in words, a multiple of 4, from argument i on. */
Stream stream_at(Call& call, size_t i) {
  const size_t counter = call.size(i + 2);
  if (counter % 4 != 0) throw std::invalid_argument("the position is inside a block");
  return {{static_cast<uint32_t>(call.size(i)), static_cast<uint32_t>(call.size(i + 1))},
          counter / 4};
}

// (x [N, D], stddev [D], result, table, key, key, position)
void gaussian_noise(Call& call) {
  const View<float> x = call.floats(0), stddev = call.floats(1), y = call.floats(2, x.size);
  const View<float> table = call.floats(3, kTableSize);
  const Stream stream = stream_at(call, 4);
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

// (dy [N, D], dstddev [D], table, key, key, position)
void gaussian_noise_gradient(Call& call) {
  const View<float> dy = call.floats(0), gradient = call.floats(1);
  const View<float> table = call.floats(2, kTableSize);
  const Stream stream = stream_at(call, 3);
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

// (x, result, the threshold under which a word drops its element, what the others are multiplied
//  by, key, key, position)
void dropout(Call& call) {
  const View<float> x = call.floats(0), y = call.floats(1, x.size);
  const uint32_t threshold = static_cast<uint32_t>(call.size(2));
  const float kept = static_cast<float>(call.number(3));
  const Stream stream = stream_at(call, 4);
  parallel_for(x.size, kStretch, [&](size_t begin, size_t end) {
    TACET_DISPATCH(drop, stream, x.data, y.data, begin, end, threshold, kept);
  });
}
const Registration dropout_registration("dropout", dropout);

}  // namespace

}  // namespace tacet
