// Included by each_isa.h for noise.cc.
#include "vector_functions.h"
#include "noise_words.h"
#include "normals.h"

namespace {

/** Vectors that are drawn at a time. */
constexpr int kDraws = kDrawn / kLanes;

/** Floats of a cache line, and how many ahead of the arithmetic lines are asked of the memory. */
constexpr int kLineFloats = 16;
constexpr int kAhead = 1024;

TACET_IN_PLACE void draw(NoiseWords* generators, Bits words[kDraws]) {
  TACET_UNROLL
  for (int i = 0; i < kDraws; i += kParts) generators->next(words + i);
}

/** Calls run(at, column, normals, count) for all elements of a stretch of rows of `width`. */
template <typename Run>
TACET_IN_PLACE void over_normals(const Stream& stream, const float* table, size_t begin, size_t end,
                                 size_t width, const Run& run) {
  NoiseWords generators(stream, begin);
  const Normals normals(table);
  size_t column = begin % width;
  for (size_t at = begin; at < end; at += kDrawn) {
    Bits words[kDraws];
    Vec drawn[kDraws];
    draw(&generators, words);
    normals.make<kDraws>(words, drawn);
    run(at, column, drawn);
    column += kDrawn;
    while (column >= width) column -= width;
  }
}

/** y = combine(x, i), i the vector's place among those at hand, for the kDrawn elements or fewer. */
template <typename Combine>
TACET_IN_PLACE void combined(const float* x, float* y, size_t count, const Combine& combine) {
  if (count >= kDrawn) {
    TACET_UNROLL
    for (int i = 0; i < kDraws; i++) store(y + i * kLanes, combine(load(x + i * kLanes), i));
    return;
  }
  for (size_t at = 0; at < count; at += kLanes) {
    const size_t left = count - at;
    store_part(y + at, combine(load_part(x + at, left), at / kLanes), left);
  }
}

}  // namespace

/** The words of a stretch as they are. */
void noise_words(const Stream& stream, uint32_t* words, size_t begin, size_t end) {
  NoiseWords generators(stream, begin);
  for (size_t at = begin; at < end; at += kGenerators) {
    Bits drawn[kParts];
    generators.next(drawn);
    std::memcpy(words + at, drawn, std::min<size_t>(kGenerators, end - at) * sizeof *words);
  }
}

/** y = x + stddev n; stddev[width + kDrawn] goes on from its beginning. */
void add_noise(const Stream& stream, const float* table, const float* x, const float* stddev,
               float* y, size_t begin, size_t end, size_t width) {
  over_normals(stream, table, begin, end, width, [&](size_t at, size_t column, const Vec* normals) {
    TACET_UNROLL
    for (int line = 0; line < kDrawn; line += kLineFloats) {
      __builtin_prefetch(x + at + kAhead + line);
      __builtin_prefetch(y + at + kAhead + line, 1);
    }
    combined(x + at, y + at, end - at, [&](Vec mean, int i) {
      return mean + load(stddev + column + i * kLanes) * normals[i];
    });
  });
}

/** sums += dy n, by column; what is past the row goes into sums[width .. width + kDrawn]. */
void sum_noise(const Stream& stream, const float* table, const float* dy, float* sums, size_t begin,
               size_t end, size_t width) {
  over_normals(stream, table, begin, end, width, [&](size_t at, size_t column, const Vec* normals) {
    float* sum = sums + column;
    combined(sum, sum, kDrawn, [&](Vec before, int i) {
      const size_t first = at + i * kLanes;
      return first < end ? before + load_part(dy + first, end - first) * normals[i] : before;
    });
  });
}

/** y = x times `kept`, or 0 where the element's word is under the threshold. */
void drop(const Stream& stream, const float* x, float* y, size_t begin, size_t end,
          uint32_t threshold, float kept) {
  NoiseWords generators(stream, begin);
  for (size_t at = begin; at < end; at += kDrawn) {
    Bits words[kDraws];
    draw(&generators, words);
    combined(x + at, y + at, end - at, [&](Vec element, int i) {
      const IntVec dropped = words[i] < threshold;
      return element * (dropped ? Vec{} : splat(kept));
    });
  }
}
