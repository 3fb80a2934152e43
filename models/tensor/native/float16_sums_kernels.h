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

}  // namespace

double float16_squares(const uint8_t* bytes, size_t n) {
#if TACET_LANES == 16
  constexpr size_t kParts = 2;
  typedef double EightDoubles __attribute__((vector_size(64)));
  constexpr __mmask8 kEight = 0xff;
  EightDoubles sums[2 * kParts] = {};
  const size_t whole = n - n % (16 * kParts);
  for (size_t i = 0; i < whole; i += 16 * kParts) {
    for (size_t part = 0; part < kParts; part++) {
      __m256i halves;
      std::memcpy(&halves, bytes + 2 * (i + 16 * part), sizeof halves);
      const Vec values = reinterpret_cast<Vec>(_mm512_maskz_cvtph_ps(kAllLanes, halves));
      const __m512 squares = reinterpret_cast<__m512>(values * values);
      const __m256 low = _mm512_maskz_extractf32x8_ps(kEight, squares, 0);
      const __m256 high = _mm512_maskz_extractf32x8_ps(kEight, squares, 1);
      sums[2 * part] += reinterpret_cast<EightDoubles>(_mm512_maskz_cvtps_pd(kEight, low));
      sums[2 * part + 1] += reinterpret_cast<EightDoubles>(_mm512_maskz_cvtps_pd(kEight, high));
    }
  }
  const EightDoubles sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double total = sum_of_fours(bytes + 2 * whole, n - whole);
  for (size_t i = 0; i < 8; i++) total += sum[i];
  return total;
#else
  return sum_of_fours(bytes, n);
#endif
}
