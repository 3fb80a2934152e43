// Included by each_isa.h for lstm.cc: the forward pass with products of bfloat16, sums in float32.
#include "tile.h"
#include "pack.h"
#include "lstm_packing.h"

namespace {

/** Products of bfloat16, 8 bits of mantissa: a word holds two terms, the first in its low half. */
struct Bfloat16 {
  static constexpr size_t kTerms = 2;

  static TACET_IN_PLACE void add_product(Vec& sum, Vec left, Vec right) {
    sum = reinterpret_cast<Vec>(_mm512_dpbf16_ps(reinterpret_cast<__m512>(sum),
                                                 reinterpret_cast<__m512bh>(left),
                                                 reinterpret_cast<__m512bh>(right)));
  }

  /** The 16 high bits of each lane, rounded to nearest. */
  static TACET_IN_PLACE __m256i rounded(Vec x) {
    return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(reinterpret_cast<__m512>(x)));
  }

  static TACET_IN_PLACE Vec words(Vec first, Vec second) {
    const __m512i low = _mm512_maskz_cvtepu16_epi32(kAllLanes, rounded(first));
    const __m512i high = _mm512_maskz_cvtepu16_epi32(kAllLanes, rounded(second));
    return reinterpret_cast<Vec>(reinterpret_cast<Bits>(low) | reinterpret_cast<Bits>(high) << 16);
  }

  static TACET_IN_PLACE void store_terms(float* row, size_t at, Vec terms) {
    const __m256i halves = rounded(terms);
    std::memcpy(row + at / 2, &halves, sizeof halves);
  }

  static TACET_IN_PLACE void copy_terms(const float* from, size_t count, float* to) {
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) store_terms(to, i, load(from + i));
    if (i == count) return;
    const __m256i rest = rounded(load_part(from + i, count - i));
    std::memcpy(to + i / 2, &rest, (count - i + 1) / 2 * sizeof(float));
  }
};

}  // namespace

#include "lstm_forward_kernels.h"

void lstm_forward(const Lstm& lstm, const int32_t* lengths, const float* x, float* y) {
  forward_pass<Bfloat16>(lstm, lengths, x, y);
}

size_t lstm_packed_size(const Lstm& lstm) { return packed_size<Bfloat16>(lstm, width_of(lstm)); }
