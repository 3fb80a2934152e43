// Included by each_isa.h for float16_sums.cc. Squares are rounded to float32 and added in double precision.
namespace {

typedef int32_t FourBits __attribute__((vector_size(16)));
typedef float FourSingles __attribute__((vector_size(16)));
typedef double FourDoubles __attribute__((vector_size(32)));

/** Of four magnitudes, which float32 holds exactly: those below 2^-14 as whole numbers of 2^-24. */
TACET_IN_PLACE FourSingles squares_of_four(const uint8_t* bytes) {
  uint64_t four;
  std::memcpy(&four, bytes, sizeof four);
#if defined(__SSE2__)
  const FourBits halves = reinterpret_cast<FourBits>(
      _mm_unpacklo_epi16(_mm_cvtsi64_si128(static_cast<int64_t>(four)), _mm_setzero_si128()));
#else
  const FourBits halves = {static_cast<int32_t>(four & 0xffff), static_cast<int32_t>(four >> 16 & 0xffff),
                           static_cast<int32_t>(four >> 32 & 0xffff), static_cast<int32_t>(four >> 48)};
#endif
  const FourBits magnitudes = halves & 0x7fff;
  const FourBits is_small = magnitudes < 0x400;
  // Infinities and NaNs become infinite.
  const FourBits beyond = magnitudes > 0x7bff;
  const FourBits normal = (((magnitudes << 13) + (112 << 23)) & ~beyond) | (beyond & 0x7f800000);
  const FourBits small = reinterpret_cast<FourBits>(__builtin_convertvector(magnitudes, FourSingles) * 0x1p-24f);
  const FourSingles values = reinterpret_cast<FourSingles>((small & is_small) | (normal & ~is_small));
  return values * values;
}

TACET_IN_PLACE double sum_of_fours(const uint8_t* bytes, size_t n) {
  constexpr size_t kParts = 4;
  FourDoubles sums[kParts] = {};
  const size_t whole = n - n % (4 * kParts);
  for (size_t i = 0; i < whole; i += 4 * kParts) {
    for (size_t part = 0; part < kParts; part++)
      sums[part] += __builtin_convertvector(squares_of_four(bytes + 2 * (i + 4 * part)), FourDoubles);
  }
  for (size_t i = whole; i < n; i++) {
    uint8_t last[8] = {};
    std::memcpy(last, bytes + 2 * i, 2);
    sums[0][0] += static_cast<double>(squares_of_four(last)[0]);
  }
  const FourDoubles sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#if TACET_LANES >= 8
typedef double HalfOfLanes __attribute__((vector_size(TACET_LANES / 2 * sizeof(double))));

/** Adds the squares of as many elements as a vector has lanes. */
TACET_IN_PLACE void add_squares(const uint8_t* bytes, HalfOfLanes* low, HalfOfLanes* high) {
#if TACET_LANES == 16
  constexpr __mmask8 kEight = 0xff;
  __m256i halves;
  std::memcpy(&halves, bytes, sizeof halves);
  const Vec values = reinterpret_cast<Vec>(_mm512_maskz_cvtph_ps(kAllLanes, halves));
  const __m512 squares = reinterpret_cast<__m512>(values * values);
  const __m256 first = _mm512_maskz_extractf32x8_ps(kEight, squares, 0);
  const __m256 second = _mm512_maskz_extractf32x8_ps(kEight, squares, 1);
  *low += reinterpret_cast<HalfOfLanes>(_mm512_maskz_cvtps_pd(kEight, first));
  *high += reinterpret_cast<HalfOfLanes>(_mm512_maskz_cvtps_pd(kEight, second));
#else
  __m128i halves;
  std::memcpy(&halves, bytes, sizeof halves);
  const __m256 values = _mm256_cvtph_ps(halves);
  const __m256 squares = values * values;
  *low += _mm256_cvtps_pd(_mm256_castps256_ps128(squares));
  *high += _mm256_cvtps_pd(_mm256_extractf128_ps(squares, 1));
#endif
}
#endif

}  // namespace

double float16_squares(const uint8_t* bytes, size_t n) {
#if TACET_LANES >= 8
  constexpr size_t kParts = 2;
  HalfOfLanes sums[2 * kParts] = {};
  const size_t whole = n - n % (TACET_LANES * kParts);
  for (size_t i = 0; i < whole; i += TACET_LANES * kParts) {
    for (size_t part = 0; part < kParts; part++)
      add_squares(bytes + 2 * (i + TACET_LANES * part), &sums[2 * part], &sums[2 * part + 1]);
  }
  const HalfOfLanes sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double total = sum_of_fours(bytes + 2 * whole, n - whole);
  for (size_t i = 0; i < TACET_LANES / 2; i++) total += sum[i];
  return total;
#else
  return sum_of_fours(bytes, n);
#endif
}
