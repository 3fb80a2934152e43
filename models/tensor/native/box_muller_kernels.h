// Included by each_isa.h for box_muller.cc. Plain loops over doubles, which the compiler vectorises.
namespace {

/** A multiple of 2^-53 in [0, 1): 27 bits of the first word, 26 of the second. */
TACET_IN_PLACE double uniform53(uint32_t first, uint32_t second) {
  const double high = static_cast<int32_t>(first >> 5);
  const double low = static_cast<int32_t>(second >> 6);
  return (high * 67108864.0 + low) * 1.1102230246251565e-16;
}

/** A multiple of 2^-43 in [0, 1): the third word, and the bits that uniform53 left. */
TACET_IN_PLACE double uniform43(uint32_t first, uint32_t second, uint32_t third) {
  const double high = static_cast<int32_t>(third >> 1);
  const double low = static_cast<int32_t>((third & 1) << 11 | (first & 31) << 6 | (second & 63));
  return (high * 4096.0 + low) * 1.1368683772161603e-13;
}

/**
 * log x for x from 2^-53 to 1, within 1e-10 of max(1, |log x|): x = m 2^e with m in
 * [sqrt(1/2), sqrt(2)), log m = 2 artanh((m - 1) / (m + 1)) by its series.
 */
TACET_IN_PLACE double log_of_uniform(double x) {
  int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const int64_t above = bits - 0x3fe6a09e667f3bcd;
  const int64_t mantissa = (above & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd;
  // The exponent as a double by the low bits of 1.5 * 2^52 + e: no processor needs 64-bit conversion.
  const int64_t exponent = (above >> 52) + 0x4338000000000000;
  double m, e;
  std::memcpy(&m, &mantissa, sizeof m);
  std::memcpy(&e, &exponent, sizeof e);
  e -= 6755399441055744.0;
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return e * 0.69314718055994530942 + 2.0 * s * p;
}

struct Direction {
  double cosine, sine;
};

/** cos and sin of 2 pi t, t in [0, 1), within 1e-9, by their series around the nearest quarter turn. */
TACET_IN_PLACE Direction direction(double t) {
  const double shift = 6755399441055744.0;
  const double quadrant = (t * 4.0 + shift) - shift;
  const double angle = (t - quadrant * 0.25) * 6.28318530717958647693;
  const double z = angle * angle;
  double s = -1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = s * z * angle + angle;
  double c = 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = c * z + 1.0;
  const bool swapped = quadrant == 1.0 || quadrant == 3.0;
  const double cosine = swapped ? s : c;
  const double sine = swapped ? c : s;
  return {quadrant == 1.0 || quadrant == 2.0 ? -cosine : cosine,
          quadrant == 2.0 || quadrant == 3.0 ? -sine : sine};
}

}  // namespace

/** Words of pair i: words[i], words[plane + i] and words[2 plane + i]. */
void box_muller(const uint32_t* __restrict words, size_t plane, float* __restrict normals,
                size_t pairs) {
  for (size_t i = 0; i < pairs; i++) {
    const uint32_t first = words[i], second = words[plane + i], third = words[2 * plane + i];
    const double uniform = uniform53(first, second) + 1.1102230246251565e-16;
    const double radius = std::sqrt(-2.0 * log_of_uniform(uniform));
    const Direction to = direction(uniform43(first, second, third));
    normals[2 * i] = static_cast<float>(radius * to.cosine);
    normals[2 * i + 1] = static_cast<float>(radius * to.sine);
  }
}

/** y = x + stddev n for the elements from begin to end of rows of `width`; words as above. */
void add_normals(const uint32_t* words, size_t plane, const float* x, const float* stddev, float* y,
                 size_t begin, size_t end, size_t width) {
  constexpr size_t kPiece = 512;
  float normals[kPiece];
  size_t column = begin % width;
  for (size_t piece = begin; piece < end; piece += kPiece) {
    const size_t stop = piece + kPiece < end ? piece + kPiece : end;
    box_muller(words + (piece - begin) / 2, plane, normals, (stop - piece + 1) / 2);
    for (size_t at = piece; at < stop;) {
      const size_t left = width - column;
      const size_t span = stop - at < left ? stop - at : left;
      const float* n = normals + (at - piece);
      for (size_t i = 0; i < span; i++) y[at + i] = x[at + i] + stddev[column + i] * n[i];
      at += span;
      column = span == left ? 0 : column + span;
    }
  }
}
