// Included by each_isa.h for finite.cc.
bool all_finite(const float* x, size_t n) {
  // A product with zero is zero, or NaN for what is not finite; NaN stays in the sum.
  Vec sums[4] = {};
  size_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    for (int v = 0; v < 4; v++) sums[v] += load(x + i + v * kLanes) * 0.0f;
  }
  for (; i < n; i += kLanes) sums[0] += load_part(x + i, n - i) * 0.0f;
  const Vec sum = sums[0] + sums[1] + sums[2] + sums[3];
  for (int lane = 0; lane < kLanes; lane++) {
    if (sum[lane] != 0.0f) return false;
  }
  return true;
}
