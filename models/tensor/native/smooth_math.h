// Branch-free elementary functions in single precision, for loops that the compiler vectorises.
// Error bounds are over all finite arguments, in units in the last place of the result unless said
// otherwise; the tests hold them against double precision. NaN gives NaN, infinities their limits.
#pragma once

#include <cstdint>
#include <cstring>

#include "vectorise.h"

namespace tacet {

TACET_INLINE float float_of_bits(int32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TACET_INLINE int32_t bits_of_float(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/** x rounded to the nearest integer, |x| < 2^22. */
TACET_INLINE float nearest(float x) {
  const float shift = 12582912.0f;  // 1.5 * 2^23
  return (x + shift) - shift;
}

/** exp(x), within 2 ulp; results under 2^-126 are 0. */
TACET_INLINE float smooth_exp(float x) {
  const float low = -87.33654f, high = 88.72283f;
  float bounded = x < low ? low : x;
  bounded = bounded > high ? high : bounded;
  const float k = nearest(bounded * 1.44269504f);
  // ln 2 in two parts, so that k * ln 2 is exact to float precision.
  const float r = (bounded - k * 0.693359375f) + k * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float series = (p * r) * r + r + 1.0f;
  // Two factors, since 2^128 is no float.
  const int32_t exponent = static_cast<int32_t>(k);
  const int32_t half = exponent >> 1;
  const float y = series * float_of_bits((half + 127) << 23) *
                  float_of_bits((exponent - half + 127) << 23);
  const float limited = x < low ? 0.0f : (x > high ? float_of_bits(0x7f800000) : y);
  return x != x ? x : limited;
}

/** log(x), within 2 ulp for normal x; -infinity at 0, NaN under 0. */
TACET_INLINE float smooth_log(float x) {
  const bool tiny = x < 1.17549435e-38f;
  const float scaled = tiny ? x * 16777216.0f : x;
  const int32_t bits = bits_of_float(scaled);
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)).
  const int32_t shifted = bits - 0x3f3504f3;
  const int32_t e = shifted >> 23;
  const float m = float_of_bits((shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float k = static_cast<float>(e) - (tiny ? 24.0f : 0.0f);
  const float square = m * m;
  const float y = ((m * square * p - k * 2.12194440e-4f) - 0.5f * square) + m + k * 0.693359375f;
  const float infinity = float_of_bits(0x7f800000);
  const float limited = x == infinity ? infinity : (x == 0.0f ? -infinity : y);
  return (x < 0.0f || x != x) ? float_of_bits(0x7fc00000) : limited;
}

/** 1 / (1 + exp(-x)), within 4 ulp. */
TACET_INLINE float smooth_sigmoid(float x) {
  const float e = smooth_exp(x < 0.0f ? x : -x);
  const float y = (x < 0.0f ? e : 1.0f) / (1.0f + e);
  return x != x ? x : y;
}

/** tanh(x), within 4 ulp. */
TACET_INLINE float smooth_tanh(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float square = x * x;
  float p = -5.70498872745e-3f;
  p = p * square + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const float near = p * square * x + x;
  const float far = 1.0f - 2.0f / (smooth_exp(magnitude + magnitude) + 1.0f);
  const float y = magnitude < 0.625f ? near : (x < 0.0f ? -far : far);
  return x != x ? x : y;
}

/** log(1 + e) for e in [0, 1], within 1e-7 of the true value or 2e-7 of it. */
TACET_INLINE float smooth_log1p(float e) {
  // The part of 1 + e that rounding takes away, given back to first order.
  const float sum = 1.0f + e;
  const float lost = e - (sum - 1.0f);
  return smooth_log(sum) + lost / sum;
}

/** log(1 + exp(x)), without overflow. */
TACET_INLINE float smooth_softplus(float x) {
  const float tail = smooth_log1p(smooth_exp(x < 0.0f ? x : -x));
  const float y = (x > 0.0f ? x : 0.0f) + tail;
  return x != x ? x : y;
}

/** cos and sin of 2 pi t for t in [0, 1), within 1.2e-7. */
TACET_INLINE void smooth_cos_sin_turns(float t, float* cosine, float* sine) {
  const float quadrant = nearest(t * 4.0f);
  const float angle = (t - quadrant * 0.25f) * 6.28318531f;  // in [-pi/4, pi/4]
  const float square = angle * angle;
  float s = -1.9515295891e-4f;
  s = s * square + 8.3321608736e-3f;
  s = s * square - 1.6666654611e-1f;
  s = s * square * angle + angle;
  float c = 2.443315711809948e-5f;
  c = c * square - 1.388731625493765e-3f;
  c = c * square + 4.166664568298827e-2f;
  c = c * square * square - 0.5f * square + 1.0f;
  const int32_t q = static_cast<int32_t>(quadrant);
  const float swapped_c = (q & 1) ? s : c;
  const float swapped_s = (q & 1) ? c : s;
  *cosine = ((q + 1) & 2) ? -swapped_c : swapped_c;
  *sine = (q & 2) ? -swapped_s : swapped_s;
}

}  // namespace tacet
