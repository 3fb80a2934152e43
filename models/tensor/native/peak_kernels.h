// Independent chains, enough to hide the latency of two multiply-add units; operands in registers.
double multiply_add_chain(size_t rounds, float seed) {
  constexpr int kChains = 12;
  Vec sums[kChains];
  TACET_UNROLL
  for (int i = 0; i < kChains; i++) sums[i] = splat(seed + static_cast<float>(i));
  const Vec factor = splat(1.0f - seed), term = splat(seed);
  for (size_t round = 0; round < rounds; round++) {
    _Pragma("GCC unroll 12")
    for (int i = 0; i < kChains; i++) sums[i] = sums[i] * factor + term;
  }
  Vec total = {};
  for (int i = 0; i < kChains; i++) total += sums[i];
  return kChains * kLanes * 2.0 * static_cast<double>(rounds) + (total[0] == 12345.0f ? 1 : 0);
}

auto multiply_add_chain_of() { return &multiply_add_chain; }

void triad(float* a, const float* b, const float* c, size_t n) {
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(a + i, load(b + i) + load(c + i) * 0.5f);
  for (; i < n; i++) a[i] = b[i] + c[i] * 0.5f;
}

auto triad_of() { return &triad; }
