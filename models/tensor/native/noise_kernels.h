// Included by each_isa.h for noise.cc.
#include "vector_functions.h"

namespace {

typedef uint64_t WideVec __attribute__((vector_size(4 * TACET_LANES)));
constexpr size_t kWideLanes = TACET_LANES / 2;

/** The 64-bit products of the lower halves of all lanes with `factor`. */
TACET_IN_PLACE WideVec multiply_low(WideVec x, uint32_t factor) {
#if TACET_LANES == 16
  return (WideVec)_mm512_maskz_mul_epu32(0xff, (__m512i)x, _mm512_set1_epi64(factor));
#elif TACET_LANES == 8
  return (WideVec)_mm256_mul_epu32((__m256i)x, _mm256_set1_epi64x(factor));
#else
  return (x & 0xffffffffu) * static_cast<uint64_t>(factor);
#endif
}

/**
 * The words of the sixteen blocks from `at` words after the start of the stream on: words[j][i] is
 * word j of block i. A lane is a block; only the lower halves of the state's lanes count, so what a
 * product leaves above them is not cleared.
 */
TACET_IN_PLACE void philox_words(const Stream& stream, size_t at, uint32_t words[4][kPhiloxBlocks]) {
  constexpr size_t kParts = kPhiloxBlocks / kWideLanes;
  WideVec c0[kParts], c1[kParts], c2[kParts], c3[kParts];
  alignas(64) uint64_t counters[kPhiloxBlocks];
  for (size_t i = 0; i < kPhiloxBlocks; i++) counters[i] = stream.block + at / 4 + i;
  for (size_t part = 0; part < kParts; part++) {
    std::memcpy(&c0[part], counters + part * kWideLanes, sizeof(WideVec));
    c1[part] = c0[part] >> 32;
    c2[part] = WideVec{};
    c3[part] = WideVec{};
  }
  uint32_t k0 = stream.key[0], k1 = stream.key[1];
  for (int round = 0; round < 10; round++) {
    TACET_UNROLL
    for (size_t part = 0; part < kParts; part++) {
      const WideVec product0 = multiply_low(c0[part], 0xd2511f53u);
      const WideVec product1 = multiply_low(c2[part], 0xcd9e8d57u);
      c0[part] = (product1 >> 32) ^ c1[part] ^ static_cast<uint64_t>(k0);
      c1[part] = product1;
      c2[part] = (product0 >> 32) ^ c3[part] ^ static_cast<uint64_t>(k1);
      c3[part] = product0;
    }
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  for (size_t part = 0; part < kParts; part++) {
    for (size_t lane = 0; lane < kWideLanes; lane++) {
      const size_t i = part * kWideLanes + lane;
      words[0][i] = static_cast<uint32_t>(c0[part][lane]);
      words[1][i] = static_cast<uint32_t>(c1[part][lane]);
      words[2][i] = static_cast<uint32_t>(c2[part][lane]);
      words[3][i] = static_cast<uint32_t>(c3[part][lane]);
    }
  }
}

/** The stream's normals [64] from `at` on, by Box and Muller as reference/normals.ts states it. */
TACET_IN_PLACE void draw_normals(const Stream& stream, size_t at, float* normals) {
  alignas(64) uint32_t words[4][kPhiloxBlocks];
  alignas(64) float drawn[4][kPhiloxBlocks];
  philox_words(stream, at, words);
  const float unit = 5.9604644775390625e-8f;  // 2^-24
  for (size_t pair = 0; pair < 4; pair += 2) {
    for (size_t i = 0; i < kPhiloxBlocks; i += kLanes) {
      const Bits high = bits_of(load(reinterpret_cast<const float*>(words[pair] + i)));
      const Bits low = bits_of(load(reinterpret_cast<const float*>(words[pair + 1] + i)));
      const Vec uniform = to_floats(reinterpret_cast<IntVec>((high >> 8) + 1)) * unit;
      const Vec squared = log(uniform) * -2.0f;
      Vec radius = {};
      for (int lane = 0; lane < kLanes; lane++) radius[lane] = std::sqrt(squared[lane]);
      Vec cosine, sine;
      cos_sin_of_turns(to_floats(reinterpret_cast<IntVec>(low >> 8)) * unit, &cosine, &sine);
      store(drawn[pair] + i, radius * cosine);
      store(drawn[pair + 1] + i, radius * sine);
    }
  }
  for (size_t i = 0; i < kPhiloxBlocks; i++) {
    for (size_t j = 0; j < 4; j++) normals[4 * i + j] = drawn[j][i];
  }
}

/**
 * Calls run(at, column, normals, count) for every stretch of elements begin .. end of rows of
 * `width` that lies in one row and one draw; begin is a multiple of 64.
 */
template <typename Run>
TACET_IN_PLACE void over_normals(const Stream& stream, size_t begin, size_t end, size_t width,
                                 const Run& run) {
  alignas(64) float normals[kPhiloxWords];
  size_t column = begin % width;
  for (size_t at = begin; at < end; at += kPhiloxWords) {
    draw_normals(stream, at, normals);
    const size_t count = end - at < kPhiloxWords ? end - at : kPhiloxWords;
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

void drop(const Stream& stream, const float* x, float* y, size_t begin, size_t end,
          uint32_t threshold, float kept) {
  alignas(64) uint32_t words[4][kPhiloxBlocks];
  alignas(64) float mask[kPhiloxWords];
  for (size_t at = begin; at < end; at += kPhiloxWords) {
    philox_words(stream, at, words);
    for (size_t i = 0; i < kPhiloxBlocks; i++) {
      for (size_t j = 0; j < 4; j++) mask[4 * i + j] = words[j][i] < threshold ? 0.0f : kept;
    }
    const size_t count = end - at < kPhiloxWords ? end - at : kPhiloxWords;
    for (size_t i = 0; i < count; i++) y[at + i] = x[at + i] * mask[i];
  }
}
