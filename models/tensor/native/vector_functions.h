// More elementary functions of vectors (see vector.h). Included inside each_isa.h alone.
//
// Error against the exact value, over every float (tested in test/models/tensor/native-kernels.test.ts):
//   log       2 units in the last place; -infinity at 0, NaN below
//   softplus  4 units in the last place
// NaN gives NaN.
namespace {

TACET_IN_PLACE Bits bits_of(Vec x) { return reinterpret_cast<Bits>(x); }
TACET_IN_PLACE Vec of_bits(Bits bits) { return reinterpret_cast<Vec>(bits); }
TACET_IN_PLACE Vec to_floats(IntVec x) { return __builtin_convertvector(x, Vec); }

/** The series log(1 + m) = m - m^2 / 2 + m^3 p(m), m in [sqrt(1/2) - 1, sqrt(2) - 1]. */
TACET_IN_PLACE Vec log_series(Vec m) {
  Vec p = splat(7.0376836292e-2f);
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  return p * m + 3.3333331174e-1f;
}

TACET_IN_PLACE Vec log(Vec x) {
  const IntVec denormal = x < 1.17549435e-38f;
  const Vec scaled = denormal ? x * 16777216.0f : x;
  // x = (1 + m) 2^e with 1 + m in [sqrt(1/2), sqrt(2)): 0x3f3504f3 is sqrt(1/2).
  const IntVec above = reinterpret_cast<IntVec>(bits_of(scaled) - 0x3f3504f3);
  const Bits fraction = reinterpret_cast<Bits>(above) & 0x007fffff;
  const Vec m = of_bits(fraction + 0x3f3504f3) - 1.0f;
  const Vec e = to_floats(above >> 23) - (denormal ? splat(24.0f) : Vec{});
  const Vec square = m * m;
  // log 2 in two parts, the small one added first.
  const Vec y = ((m * square * log_series(m) - e * 2.12194440e-4f) - 0.5f * square) + m +
                e * 0.693359375f;
  const Vec infinity = of_bits(Bits{} + 0x7f800000);
  const Vec limited = x == infinity ? infinity : (x == 0.0f ? -infinity : y);
  return x >= 0.0f ? limited : of_bits(Bits{} + 0x7fc00000);
}

/** log(1 + e^x) = max(x, 0) + log(1 + e^-|x|). */
TACET_IN_PLACE Vec softplus(Vec x) {
  const Vec e = exp(x < 0.0f ? x : -x);
  const Vec sum = 1.0f + e;
  // What rounding took from 1 + e, given back to first order.
  const Vec tail = log(sum) + (e - (sum - 1.0f)) / sum;
  const Vec y = (x > 0.0f ? x : Vec{}) + tail;
  return x == x ? y : x;
}

/** Two vectors of what groups of kGroup lanes of `even` and of `odd` are in turn. */
template <int kGroup>
TACET_IN_PLACE void interleave(Vec even, Vec odd, Vec* first, Vec* second) {
#if defined(__clang__)
  for (int i = 0; i < kLanes; i++) {
    const int lane = i / kGroup / 2 * kGroup + i % kGroup;
    const Vec from = i / kGroup % 2 == 0 ? even : odd;
    (*first)[i] = from[lane];
    (*second)[i] = from[lane + kLanes / 2];
  }
#else
  IntVec low;
  TACET_UNROLL_LANES
  for (int i = 0; i < kLanes; i++) {
    low[i] = i / kGroup / 2 * kGroup + i % kGroup + i / kGroup % 2 * kLanes;
  }
  *first = __builtin_shuffle(even, odd, low);
  *second = __builtin_shuffle(even, odd, low + kLanes / 2);
#endif
}

}  // namespace
