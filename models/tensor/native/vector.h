// Vectors of TACET_LANES floats and their elementary functions. Included by each_isa.h alone.
//
// Error against the exact value, over every float (tested in test/models/tensor/vector-math.test.ts):
//   exp      3 units in the last place; denormal results and overflow included
//   tanh     4 units in the last place
//   sigmoid  4 units in the last place above -87; below, at most 1.7e-38 absolute
// NaN gives NaN.
namespace {

constexpr int kLanes = TACET_LANES;

typedef float Vec __attribute__((vector_size(4 * TACET_LANES)));
typedef float LooseVec __attribute__((vector_size(4 * TACET_LANES), aligned(4), may_alias));
typedef int32_t IntVec __attribute__((vector_size(4 * TACET_LANES)));
// For bit patterns: signed numbers may not overflow.
typedef uint32_t Bits __attribute__((vector_size(4 * TACET_LANES)));

TACET_IN_PLACE Vec load(const float* from) { return *reinterpret_cast<const LooseVec*>(from); }
TACET_IN_PLACE void store(float* to, Vec v) { *reinterpret_cast<LooseVec*>(to) = v; }
TACET_IN_PLACE Vec splat(float x) { return x - Vec{}; }

/** The first `count` lanes from memory, the others zero. */
TACET_IN_PLACE Vec load_part(const float* from, size_t count) {
  if (count >= static_cast<size_t>(kLanes)) return load(from);
  alignas(64) float lanes[kLanes] = {};
  for (size_t i = 0; i < count; i++) lanes[i] = from[i];
  return load(lanes);
}

TACET_IN_PLACE void store_part(float* to, Vec v, size_t count) {
  if (count >= static_cast<size_t>(kLanes)) return store(to, v);
  alignas(64) float lanes[kLanes];
  store(lanes, v);
  for (size_t i = 0; i < count; i++) to[i] = lanes[i];
}

#if TACET_LANES == 16
// The intrinsics without a mask warn of uninitialised values in GCC 12's own headers.
constexpr __mmask16 kAllLanes = 0xffff;
#endif

/** The greater of x and `least`; NaN stays NaN. */
TACET_IN_PLACE Vec at_least(Vec x, float least) {
#if TACET_LANES == 16
  return reinterpret_cast<Vec>(_mm512_maskz_max_ps(kAllLanes, _mm512_set1_ps(least), reinterpret_cast<__m512>(x)));
#else
  return x < least ? splat(least) : x;
#endif
}

/** The lesser of x and `most`; NaN stays NaN. */
TACET_IN_PLACE Vec at_most(Vec x, float most) {
#if TACET_LANES == 16
  return reinterpret_cast<Vec>(_mm512_maskz_min_ps(kAllLanes, _mm512_set1_ps(most), reinterpret_cast<__m512>(x)));
#else
  return x > most ? splat(most) : x;
#endif
}

/** 1 / x, where both are normal: with AVX-512 an estimate of 14 bits and one step of Newton's. */
TACET_IN_PLACE Vec reciprocal(Vec x) {
#if TACET_LANES == 16
  const Vec estimate = reinterpret_cast<Vec>(_mm512_maskz_rcp14_ps(kAllLanes, reinterpret_cast<__m512>(x)));
  return estimate + estimate * (1.0f - x * estimate);
#else
  return 1.0f / x;
#endif
}

// 1.5 * 2^23: adding it rounds to a whole number, which the low bits of the sum then hold.
constexpr float kShift = 12582912.0f;

/** The nearest whole number, |x| < 2^22. */
TACET_IN_PLACE Vec nearest(Vec x) {
#if TACET_LANES == 16
  return reinterpret_cast<Vec>(_mm512_maskz_roundscale_ps(kAllLanes, reinterpret_cast<__m512>(x), 0));
#else
  return (x + kShift) - kShift;
#endif
}

/** x 2^power for whole powers of normal numbers, -126..127; with AVX-512 of any numbers. */
TACET_IN_PLACE Vec scaled(Vec x, Vec power) {
#if TACET_LANES == 16
  return reinterpret_cast<Vec>(
      _mm512_maskz_scalef_ps(kAllLanes, reinterpret_cast<__m512>(x), reinterpret_cast<__m512>(power)));
#else
  const uint32_t shift_bits = 0x4b400000;
  return x * reinterpret_cast<Vec>((reinterpret_cast<Bits>(power + kShift) - shift_bits + 127) << 23);
#endif
}

/** A power of two and what remains: e^x = (1 + rest) 2^power. */
struct Exponential {
  Vec power;
  Vec rest;
};

// x = power * log 2 + r with |r| <= log 2 / 2 (Cody and Waite: log 2 in two parts, so that r is
// exact), rest = e^r - 1 by a polynomial whose error is below 1.8e-8 |r| (minimax, by Lawson's
// iteration).
TACET_IN_PLACE Exponential exponential(Vec x) {
  const Vec power = nearest(x * 1.44269504088896341f);
  Vec r = x - power * 0.693145751953125f;
  r = r - power * 1.42860682030941723e-6f;
  Vec p = splat(1.3882516650483012e-3f);
  p = p * r + 8.366547524929047e-3f;
  p = p * r + 4.166720062494278e-2f;
  p = p * r + 1.666654348373413e-1f;
  p = p * r + 4.999999701976776e-1f;
  return {power, p * (r * r) + r};
}

TACET_IN_PLACE Vec exp(Vec x) {
  const Exponential e = exponential(at_most(at_least(x, -104.0f), 89.0f));
#if TACET_LANES == 16
  return scaled(e.rest + 1.0f, e.power);
#else
  // Two factors: one power of two alone reaches neither denormal results nor overflow.
  const Vec half = nearest(e.power * 0.5f);
  return scaled(scaled(e.rest + 1.0f, half), e.power - half);
#endif
}

TACET_IN_PLACE Vec sigmoid(Vec x) {
  const Exponential e = exponential(at_least(at_most(-x, 87.0f), -87.0f));
  return reciprocal(1.0f + scaled(e.rest + 1.0f, e.power));
}

// tanh |x| = -m / (2 + m) with m = e^(-2 |x|) - 1, which cancels nowhere.
TACET_IN_PLACE Vec tanh(Vec x) {
  const Bits bits = reinterpret_cast<Bits>(x);
  const Bits sign = bits & 0x80000000;
  const Exponential e = exponential(at_least(reinterpret_cast<Vec>(bits ^ sign) * -2.0f, -20.0f));
  const Vec scale = scaled(splat(1.0f), e.power);
  const Vec m = e.rest * scale + (scale - 1.0f);
  const Bits magnitude = reinterpret_cast<Bits>(m * reciprocal(2.0f + m)) & 0x7fffffff;
  return reinterpret_cast<Vec>(magnitude | sign);
}

}  // namespace
