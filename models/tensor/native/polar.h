// Radius and direction of a pair of normals from uniform numbers (Box and Muller 1958). Included by
// kernel files, after vector_functions.h.
//
// Error, tested against double precision in test/models/tensor/box-muller.test.ts: 1e-6 of the radius.
// Polynomials are minimax by Lawson's iteration.
namespace {

TACET_IN_PLACE Vec square_root(Vec x) {
#if TACET_LANES == 16
  return reinterpret_cast<Vec>(_mm512_maskz_sqrt_ps(kAllLanes, reinterpret_cast<__m512>(x)));
#elif TACET_LANES == 8
  return reinterpret_cast<Vec>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#else
  Vec root = {};
  for (int lane = 0; lane < kLanes; lane++) root[lane] = std::sqrt(x[lane]);
  return root;
#endif
}

constexpr uint32_t kRootHalf = 0x3f3504f3;

/** -2 log(u + rest), to 1.7e-7 of itself: u from 2^-53 to 1, `rest` what its last place leaves out. */
TACET_IN_PLACE Vec squared_radius(Vec u, Vec rest) {
  // u = (1 + m) 2^e, 1 + m in [sqrt(1/2), sqrt(2)), so that nothing cancels where it is near 1.
  const Bits above = bits_of(u) - kRootHalf;
  const Vec e = to_floats(reinterpret_cast<IntVec>(above) >> 23);
  const Vec m = of_bits((above & 0x007fffff) + kRootHalf) - 1.0f + scaled(rest, -e);
  Vec p = splat(0.20213795f);
  p = p * m - 0.32445170f;
  p = p * m + 0.34501663f;
  p = p * m - 0.39800331f;
  p = p * m + 0.49939817f;
  p = p * m - 0.66670120f;
  p = p * m + 1.0000073f;
  p = p * m - 1.9999999f;
  return p * m + e * -1.3862944f;
}

/** What two bits of w leave of it: how far the nearest quarter turn is, in 2^-34 turns. */
TACET_IN_PLACE Vec beside_quarter(Bits w) { return to_floats(reinterpret_cast<IntVec>(w << 2)); }

/** cos and sin of w / 2^32 turns, w with `beside` as above or more exact, to 1.5e-7. */
TACET_IN_PLACE void direction(Bits w, Vec beside, Vec* cosine, Vec* sine) {
  const Vec angle = beside * 3.6572952e-10f;  // 2 pi / 2^34
  const Bits quarter = w + 0x20000000;
  const Vec square = angle * angle;
  Vec s = splat(-1.9515282e-4f);
  s = s * square + 8.3321603e-3f;
  s = s * square - 0.16666655f;
  s = s * (square * angle) + angle;
  Vec c = splat(-1.3597823e-3f);
  c = c * square + 4.1656293e-2f;
  c = c * square - 0.49999896f;
  c = c * square + 1.0f;
  const IntVec swapped = (quarter & 0x40000000) != 0;
  *cosine = of_bits(bits_of(swapped ? s : c) ^ ((quarter + 0x40000000) & 0x80000000));
  *sine = of_bits(bits_of(swapped ? c : s) ^ (quarter & 0x80000000));
}

}  // namespace
