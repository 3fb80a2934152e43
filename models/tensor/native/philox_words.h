// Words of the training stream as philox.ts states them, a block a lane. Included by kernel files,
// after vector.h.
namespace {

typedef uint64_t WideVec __attribute__((vector_size(4 * TACET_LANES)));

/** Words that are drawn at a time, in steps of a block a lane. */
constexpr size_t kWords = 64;
constexpr size_t kBlocks = TACET_LANES / 2;
constexpr size_t kSteps = kWords / (4 * kBlocks);

/**
 * of[j][step][i] is word j of block i of a step. Only the lower halves of the lanes count, so what a
 * product leaves above them is not cleared.
 */
struct Words {
  WideVec of[4][kSteps];
};

/** The 64-bit products of the lower halves of all lanes with `factor`. */
TACET_IN_PLACE WideVec multiply_low(WideVec x, uint32_t factor) {
#if TACET_LANES == 16
  return (WideVec)_mm512_maskz_mul_epu32(0xff, (__m512i)x, _mm512_set1_epi64(factor));
#elif TACET_LANES == 8
  return (WideVec)_mm256_mul_epu32((__m256i)x, _mm256_set1_epi64x(factor));
#else
  return (x & 0xffffffffu) * static_cast<uint64_t>(factor);
#endif
}

/** The words from `at` words after the start of the stream on. */
TACET_IN_PLACE void philox(const Stream& stream, size_t at, Words* words) {
  auto& c = words->of;
  WideVec block;
  for (size_t i = 0; i < kBlocks; i++) block[i] = i;
  block += stream.block + at / 4;
  TACET_UNROLL
  for (size_t step = 0; step < kSteps; step++) {
    c[0][step] = block + step * kBlocks;
    c[1][step] = c[0][step] >> 32;
    c[2][step] = c[3][step] = WideVec{};
  }
  uint64_t k0 = stream.key[0], k1 = stream.key[1];
  TACET_UNROLL
  for (int round = 0; round < kNoiseRounds; round++) {
    TACET_UNROLL
    for (size_t step = 0; step < kSteps; step++) {
      const WideVec product0 = multiply_low(c[0][step], 0xd2511f53u);
      const WideVec product1 = multiply_low(c[2][step], 0xcd9e8d57u);
      c[0][step] = (product1 >> 32) ^ c[1][step] ^ k0;
      c[1][step] = product1;
      c[2][step] = (product0 >> 32) ^ c[3][step] ^ k1;
      c[3][step] = product0;
    }
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
}

/** The lower halves of the lanes of two vectors in turn. */
TACET_IN_PLACE Bits in_turn(WideVec even, WideVec odd) {
  return reinterpret_cast<Bits>((even & 0xffffffffu) | (odd << 32));
}

}  // namespace
