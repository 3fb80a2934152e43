// Included by each_isa.h for chacha.cc.

namespace {

TACET_IN_PLACE Bits turned(Bits word, int by) { return word << by | word >> (32 - by); }

TACET_IN_PLACE void quarter_round(Bits& a, Bits& b, Bits& c, Bits& d) {
  a += b, d = turned(d ^ a, 16);
  c += d, b = turned(b ^ c, 12);
  a += b, d = turned(d ^ a, 8);
  c += d, b = turned(b ^ c, 7);
}

/** A block in each lane, from `block` on: its word j to out[16 j], a lane beside the other. */
TACET_IN_PLACE void blocks(const uint32_t key[8], uint64_t block, uint32_t* out) {
  Bits start[16];
  for (int j = 0; j < 4; j++) start[j] = Bits{} + kChaChaConstants[j];
  for (int j = 0; j < 8; j++) start[4 + j] = Bits{} + key[j];
  for (int lane = 0; lane < kLanes; lane++) {
    start[12][lane] = static_cast<uint32_t>(block + lane);
    start[13][lane] = static_cast<uint32_t>((block + lane) >> 32);
  }
  start[14] = start[15] = Bits{};
  Bits x[16];
  std::memcpy(x, start, sizeof x);
  for (int round = 0; round < 20; round += 2) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  TACET_UNROLL_LANES
  for (int j = 0; j < 16; j++) {
    const Bits word = x[j] + start[j];
    std::memcpy(out + 16 * j, &word, sizeof word);
  }
}

}  // namespace

/** Sixteen blocks from `block` on: word j of block i to words[16 j + i]. */
void chacha(const uint32_t key[8], uint64_t block, uint32_t words[256]) {
  for (int i = 0; i < 16; i += kLanes) blocks(key, block + i, words + i);
}
