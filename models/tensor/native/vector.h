// Vectors of TACET_LANES floats and their elementary functions. Included by each_isa.h alone.
//
// Error against the exact value, over every float (tested in test/models/tensor/vector-math.test.ts):
//   exp      3 units in the last place; denormal results and overflow included
//   tanh     4 units in the last place
//   sigmoid  4 units in the last place above -87; below, at most 1.2e-38 absolute
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

/** A power of two and what remains: e^x - 1 = scale * rest + (scale - 1), e^x = scale * (1 + rest). */
struct Exponential {
  IntVec power;
  Vec rest;
};

// x = power * log 2 + r with |r| <= log 2 / 2 (Cody and Waite: log 2 in two parts, so that r is
// exact), rest = e^r - 1 by its series, whose first term left out is below 5e-9 |r|.
TACET_IN_PLACE Exponential exponential(Vec x) {
  // 1.5 * 2^23: adding it rounds to a whole number, which the low bits of the sum then hold.
  const float shift = 12582912.0f;
  const uint32_t shift_bits = 0x4b400000;
  const Vec shifted = x * 1.44269504088896341f + shift;
  const Vec whole = shifted - shift;
  Vec r = x - whole * 0.693145751953125f;
  r = r - whole * 1.42860682030941723e-6f;
  Vec p = splat(1.0f / 40320);
  p = p * r + 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  return {reinterpret_cast<IntVec>(reinterpret_cast<Bits>(shifted) - shift_bits), p * (r * r) + r};
}

/** 2^power for powers of normal numbers, -126..127. */
TACET_IN_PLACE Vec two_to(IntVec power) {
  return reinterpret_cast<Vec>((reinterpret_cast<Bits>(power) + 127) << 23);
}

TACET_IN_PLACE Vec exp(Vec x) {
  x = x < -104.0f ? splat(-104.0f) : x;
  x = x > 89.0f ? splat(89.0f) : x;
  const Exponential e = exponential(x);
  // Two factors: one power of two alone reaches neither denormal results nor overflow.
  const IntVec half = e.power >> 1;
  return (e.rest + 1.0f) * two_to(half) * two_to(e.power - half);
}

TACET_IN_PLACE Vec sigmoid(Vec x) {
  Vec negative = -x;
  negative = negative > 87.0f ? splat(87.0f) : negative;
  negative = negative < -87.0f ? splat(-87.0f) : negative;
  const Exponential e = exponential(negative);
  const Vec scale = two_to(e.power);
  return 1.0f / (1.0f + (e.rest * scale + scale));
}

// tanh |x| = -m / (2 + m) with m = e^(-2 |x|) - 1, which cancels nowhere.
TACET_IN_PLACE Vec tanh(Vec x) {
  const Bits bits = reinterpret_cast<Bits>(x);
  const Bits sign = bits & 0x80000000;
  Vec twice = reinterpret_cast<Vec>(bits ^ sign) * -2.0f;
  twice = twice < -20.0f ? splat(-20.0f) : twice;
  const Exponential e = exponential(twice);
  const Vec scale = two_to(e.power);
  const Vec m = e.rest * scale + (scale - 1.0f);
  const Bits magnitude = reinterpret_cast<Bits>(m / (2.0f + m)) & 0x7fffffff;
  return reinterpret_cast<Vec>(magnitude | sign);
}

}  // namespace
