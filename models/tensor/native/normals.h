// The training stream's normals, as reference/normals.ts states them. Included by kernel files, after
// philox_words.h.
//
// Error, tested against double precision in test/models/tensor/training-normals.test.ts: 1e-6 of a
// normal's radius. Polynomials are minimax by Lawson's iteration.
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

/**
 * -2 log(n / 2^24) for n from 1 to 2^24, to 1.7e-7 of itself: n / 2^24 = (1 + m) 2^e with 1 + m in
 * [sqrt(1/2), sqrt(2)), so that nothing cancels where it is near 1.
 */
TACET_IN_PLACE Vec squared_radius(Bits n) {
  const uint32_t root_half = 0x3f3504f3;
  const Bits above = bits_of(to_floats(reinterpret_cast<IntVec>(n))) - (root_half + (24u << 23));
  const Vec m = of_bits((above & 0x007fffff) + root_half) - 1.0f;
  const Vec e = to_floats(reinterpret_cast<IntVec>(above) >> 23);
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

/** cos and sin of 2 pi w / 2^32, to 1.5e-7. */
TACET_IN_PLACE void direction(Bits w, Vec* cosine, Vec* sine) {
  // Of the nearest quarter turn: two bits of w say which, the others how far it is, with a sign.
  const Vec angle = to_floats(reinterpret_cast<IntVec>(w << 2)) * 3.6572952e-10f;  // 2 pi / 2^34
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

/** The kWords normals from `at` words after the start of the stream on. */
TACET_IN_PLACE void draw_normals(const Stream& stream, size_t at, float* normals) {
  Words words;
  philox(stream, at, &words);
  TACET_UNROLL
  for (size_t step = 0; step < kSteps; step++) {
    const Bits distance = in_turn(words.of[0][step], words.of[2][step]);
    const Vec radius = square_root(squared_radius((distance >> 8) + 1));
    Vec cosine, sine, first, second;
    direction(in_turn(words.of[1][step], words.of[3][step]), &cosine, &sine);
    interleave<1>(radius * cosine, radius * sine, &first, &second);
    store(normals + 2 * step * kLanes, first);
    store(normals + (2 * step + 1) * kLanes, second);
  }
}

}  // namespace
