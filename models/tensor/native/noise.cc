// What is drawn from the training stream: Gaussian noise with its gradient, and dropout. Every
// sample is a function of its place in the stream, so nothing is kept between the passes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "philox.h"
#include "registry.h"
#include "smooth_math.h"
#include "thread_pool.h"

namespace tacet {

namespace {

/** Words that are drawn at a time: what kPhiloxBlocks blocks hold. */
constexpr size_t kChunk = 4 * kPhiloxBlocks;
constexpr size_t kGrain = 256 * kChunk;

struct Stream {
  uint32_t key[2];
  uint64_t block;
};

/** The key's two words and the stream's position in words, a multiple of 4, from argument i on. */
Stream stream_at(Call& call, size_t i) {
  const size_t counter = call.size(i + 2);
  if (counter % 4 != 0) throw std::invalid_argument("the position is inside a block");
  return {{static_cast<uint32_t>(call.size(i)), static_cast<uint32_t>(call.size(i + 1))},
          counter / 4};
}

TACET_INLINE void draw_normals(const Stream& stream, size_t at, float out[kChunk]) {
  uint32_t words[4][kPhiloxBlocks];
  philox_blocks(stream.block + at / 4, stream.key, words);
  for (size_t half = 0; half < 2; half++) {
    float cosines[kPhiloxBlocks], sines[kPhiloxBlocks];
    for (size_t i = 0; i < kPhiloxBlocks; i++) {
      const int32_t high = static_cast<int32_t>(words[2 * half][i] >> 8) + 1;
      const int32_t low = static_cast<int32_t>(words[2 * half + 1][i] >> 8);
      const float uniform = static_cast<float>(high) * 5.9604644775390625e-8f;
      const float radius = std::sqrt(-2.0f * smooth_log(uniform));
      float cosine, sine;
      smooth_cos_sin_turns(static_cast<float>(low) * 5.9604644775390625e-8f, &cosine, &sine);
      cosines[i] = radius * cosine;
      sines[i] = radius * sine;
    }
    for (size_t i = 0; i < kPhiloxBlocks; i++) {
      out[4 * i + 2 * half] = cosines[i];
      out[4 * i + 2 * half + 1] = sines[i];
    }
  }
}

/** y = x + stddev n over elements begin .. end of rows of `width`; begin is a multiple of kChunk. */
TACET_VECTORISED void add_noise(const Stream& stream, const float* x, const float* stddev, float* y,
                                size_t begin, size_t end, size_t width) {
  float normals[kChunk];
  size_t column = begin % width;
  for (size_t at = begin; at < end; at += kChunk) {
    draw_normals(stream, at, normals);
    const size_t count = std::min(kChunk, end - at);
    for (size_t done = 0; done < count;) {
      const size_t run = std::min(count - done, width - column);
      for (size_t i = 0; i < run; i++) {
        y[at + done + i] = x[at + done + i] + stddev[column + i] * normals[done + i];
      }
      done += run;
      column = column + run == width ? 0 : column + run;
    }
  }
}

/** sums += dy n, by column, over elements begin .. end. */
TACET_VECTORISED void sum_noise(const Stream& stream, const float* dy, float* sums, size_t begin,
                                size_t end, size_t width) {
  float normals[kChunk];
  size_t column = begin % width;
  for (size_t at = begin; at < end; at += kChunk) {
    draw_normals(stream, at, normals);
    const size_t count = std::min(kChunk, end - at);
    for (size_t done = 0; done < count;) {
      const size_t run = std::min(count - done, width - column);
      for (size_t i = 0; i < run; i++) sums[column + i] += dy[at + done + i] * normals[done + i];
      done += run;
      column = column + run == width ? 0 : column + run;
    }
  }
}

/** x [N, D], stddev [D], y [N, D], and the stream. */
void gaussian_noise(Call& call) {
  const View<float> x = call.floats(0), stddev = call.floats(1);
  const View<float> y = call.floats(2, x.size);
  const Stream stream = stream_at(call, 3);
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    add_noise(stream, x.data, stddev.data, y.data, begin, end, stddev.size);
  });
}
const Registration noise_registration("gaussianNoise", gaussian_noise);

/** dy [N, D], dstddev [D], and the stream. */
void gaussian_noise_gradient(Call& call) {
  const View<float> dy = call.floats(0), gradient = call.floats(1);
  const Stream stream = stream_at(call, 2);
  const size_t width = gradient.size;
  const size_t pieces = (dy.size + kGrain - 1) / kGrain;
  std::vector<float> partial(pieces * width);
  parallel_for(pieces, 1, [&](size_t piece, size_t) {
    sum_noise(stream, dy.data, partial.data() + piece * width, piece * kGrain,
              std::min(dy.size, (piece + 1) * kGrain), width);
  });
  for (size_t column = 0; column < width; column++) {
    double sum = 0;
    for (size_t piece = 0; piece < pieces; piece++) sum += partial[piece * width + column];
    gradient[column] = static_cast<float>(sum);
  }
}
const Registration noise_gradient_registration("gaussianNoiseGradient", gaussian_noise_gradient);

TACET_VECTORISED void drop(const Stream& stream, const float* x, float* y, size_t begin, size_t end,
                           uint32_t threshold, float kept) {
  uint32_t words[4][kPhiloxBlocks];
  float mask[kChunk];
  for (size_t at = begin; at < end; at += kChunk) {
    philox_blocks(stream.block + at / 4, stream.key, words);
    for (size_t j = 0; j < 4; j++) {
      for (size_t i = 0; i < kPhiloxBlocks; i++) {
        mask[4 * i + j] = words[j][i] < threshold ? 0.0f : kept;
      }
    }
    const size_t count = std::min(kChunk, end - at);
    for (size_t i = 0; i < count; i++) y[at + i] = x[at + i] * mask[i];
  }
}

/** x, y, the threshold under which a word drops its element, what the others are multiplied by, and
 * the stream. */
void dropout(Call& call) {
  const View<float> x = call.floats(0);
  const View<float> y = call.floats(1, x.size);
  const uint32_t threshold = static_cast<uint32_t>(call.size(2));
  const float kept = static_cast<float>(call.number(3));
  const Stream stream = stream_at(call, 4);
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    drop(stream, x.data, y.data, begin, end, threshold, kept);
  });
}
const Registration dropout_registration("dropout", dropout);

}  // namespace

}  // namespace tacet
