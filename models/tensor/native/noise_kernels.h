// Included by each_isa.h for noise.cc.
#include "vector_functions.h"
#include "philox_words.h"
#include "polar.h"
#include "normals.h"

namespace {

/**
 * Calls run(at, column, normals, count) for every stretch of elements begin .. end of rows of
 * `width` that lies in one row and one draw; begin is a multiple of kWords.
 */
template <typename Run>
TACET_IN_PLACE void over_normals(const Stream& stream, size_t begin, size_t end, size_t width,
                                 const Run& run) {
  alignas(64) float normals[kWords];
  size_t column = begin % width;
  for (size_t at = begin; at < end; at += kWords) {
    draw_normals(stream, at, normals);
    const size_t count = end - at < kWords ? end - at : kWords;
    for (size_t done = 0; done < count;) {
      const size_t left = width - column;
      const size_t length = count - done < left ? count - done : left;
      run(at + done, column, normals + done, length);
      done += length;
      column = length == left ? 0 : column + length;
    }
  }
}

}  // namespace

/** y = x + stddev n. */
void add_noise(const Stream& stream, const float* x, const float* stddev, float* y, size_t begin,
               size_t end, size_t width) {
  over_normals(stream, begin, end, width,
               [&](size_t at, size_t column, const float* normals, size_t count) {
                 for (size_t i = 0; i < count; i++) {
                   y[at + i] = x[at + i] + stddev[column + i] * normals[i];
                 }
               });
}

/** sums += dy n, by column. */
void sum_noise(const Stream& stream, const float* dy, float* sums, size_t begin, size_t end,
               size_t width) {
  over_normals(stream, begin, end, width,
               [&](size_t at, size_t column, const float* normals, size_t count) {
                 for (size_t i = 0; i < count; i++) sums[column + i] += dy[at + i] * normals[i];
               });
}

/** y = x times `kept`, or 0 where the element's word is under the threshold. */
void drop(const Stream& stream, const float* x, float* y, size_t begin, size_t end,
          uint32_t threshold, float kept) {
  alignas(64) float mask[kWords];
  for (size_t at = begin; at < end; at += kWords) {
    Words words;
    philox(stream, at, &words);
    TACET_UNROLL
    for (size_t step = 0; step < kSteps; step++) {
      Vec drawn[2];
      interleave<2>(of_bits(in_turn(words.of[0][step], words.of[1][step])),
                    of_bits(in_turn(words.of[2][step], words.of[3][step])), &drawn[0], &drawn[1]);
      for (size_t half = 0; half < 2; half++) {
        const IntVec dropped = bits_of(drawn[half]) < threshold;
        store(mask + (2 * step + half) * kLanes, dropped ? Vec{} : splat(kept));
      }
    }
    const size_t count = end - at < kWords ? end - at : kWords;
    for (size_t i = 0; i < count; i++) y[at + i] = x[at + i] * mask[i];
  }
}
