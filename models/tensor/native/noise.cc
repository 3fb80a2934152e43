// What is drawn from the training stream: Gaussian noise with its gradient, and dropout. Every
// sample is a function of its place in the stream, so nothing is kept between the passes.
#include <algorithm>
#include <cmath>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "isa.h"
#include "philox.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "noise_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Elements that one thread takes at a time: whole draws of any instruction set. */
constexpr size_t kGrain = 16384;

/** The key's two words and the position in words, a multiple of 4, from argument i on. */
Stream stream_at(Call& call, size_t i) {
  const size_t counter = call.size(i + 2);
  if (counter % 4 != 0) throw std::invalid_argument("the position is inside a block");
  return {{static_cast<uint32_t>(call.size(i)), static_cast<uint32_t>(call.size(i + 1))},
          counter / 4};
}

// (x [N, D], stddev [D], result, key, key, position)
void gaussian_noise(Call& call) {
  const View<float> x = call.floats(0), stddev = call.floats(1), y = call.floats(2, x.size);
  const Stream stream = stream_at(call, 3);
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(add_noise, stream, x.data, stddev.data, y.data, begin, end, stddev.size);
  });
}
const Registration noise_registration("gaussianNoise", gaussian_noise);

// (dy [N, D], dstddev [D], key, key, position)
void gaussian_noise_gradient(Call& call) {
  const View<float> dy = call.floats(0), gradient = call.floats(1);
  const Stream stream = stream_at(call, 2);
  const size_t width = gradient.size;
  const size_t pieces = (dy.size + kGrain - 1) / kGrain;
  // Each piece sums for itself, and the sums are added in order.
  std::vector<float> partial(pieces * width);
  parallel_for(pieces, 1, [&](size_t piece, size_t) {
    TACET_DISPATCH(sum_noise, stream, dy.data, partial.data() + piece * width, piece * kGrain,
                   std::min(dy.size, (piece + 1) * kGrain), width);
  });
  for (size_t column = 0; column < width; column++) {
    double sum = 0;
    for (size_t piece = 0; piece < pieces; piece++) sum += partial[piece * width + column];
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
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(drop, stream, x.data, y.data, begin, end, threshold, kept);
  });
}
const Registration dropout_registration("dropout", dropout);

}  // namespace

}  // namespace tacet
