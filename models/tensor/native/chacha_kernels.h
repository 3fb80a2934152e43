// Included by each_isa.h for chacha.cc.

namespace {

/** Vectors of blocks that are made beside one another: one has too few steps that wait for no other. */
#if TACET_LANES == 16
constexpr int kBeside = 2;
#else
constexpr int kBeside = 1;
#endif

TACET_IN_PLACE Bits turned(Bits word, int by) { return word << by | word >> (32 - by); }

TACET_IN_PLACE void quarter_round(Bits& a, Bits& b, Bits& c, Bits& d) {
  a += b, d = turned(d ^ a, 16);
  c += d, b = turned(b ^ c, 12);
  a += b, d = turned(d ^ a, 8);
  c += d, b = turned(b ^ c, 7);
}

/** The quarter rounds of the columns and of the diagonals. */
TACET_IN_PLACE void double_round(Bits x[16]) {
  quarter_round(x[0], x[4], x[8], x[12]);
  quarter_round(x[1], x[5], x[9], x[13]);
  quarter_round(x[2], x[6], x[10], x[14]);
  quarter_round(x[3], x[7], x[11], x[15]);
  quarter_round(x[0], x[5], x[10], x[15]);
  quarter_round(x[1], x[6], x[11], x[12]);
  quarter_round(x[2], x[7], x[8], x[13]);
  quarter_round(x[3], x[4], x[9], x[14]);
}

/** What a block begins with, in each lane that of the next from `block` on. */
TACET_IN_PLACE void begin(const uint32_t key[8], uint64_t block, Bits start[16]) {
  for (int j = 0; j < 4; j++) start[j] = Bits{} + kChaChaConstants[j];
  for (int j = 0; j < 8; j++) start[4 + j] = Bits{} + key[j];
  for (int lane = 0; lane < kLanes; lane++) {
    start[12][lane] = static_cast<uint32_t>(block + lane);
    start[13][lane] = static_cast<uint32_t>((block + lane) >> 32);
  }
  start[14] = start[15] = Bits{};
}

/** A block in each lane of kCount vectors, from `block` on: word j of vector i to out[i][16 j], a lane beside the other. */
template <int kCount>
TACET_IN_PLACE void blocks(const uint32_t key[8], uint64_t block, uint32_t* const out[kCount]) {
  Bits start[kCount][16], x[kCount][16];
  for (int i = 0; i < kCount; i++) begin(key, block + i * kLanes, start[i]);
  std::memcpy(x, start, sizeof x);
  for (int round = 0; round < 20; round += 2) {
    TACET_UNROLL
    for (int i = 0; i < kCount; i++) double_round(x[i]);
  }
  TACET_UNROLL_LANES
  for (int j = 0; j < 16; j++) {
    TACET_UNROLL
    for (int i = 0; i < kCount; i++) {
      const Bits word = x[i][j] + start[i][j];
      std::memcpy(out[i] + 16 * j, &word, sizeof word);
    }
  }
}

}  // namespace

/** Groups of sixteen blocks from `block` on: word j of block i of group g to words[256 g + 16 j + i]. */
void chacha(const uint32_t key[8], uint64_t block, uint32_t* words, size_t groups) {
  const auto at = [&](size_t vector) {
    const size_t first = vector * kLanes;
    return words + first / 16 * 256 + first % 16;
  };
  const size_t vectors = groups * 16 / kLanes;
  size_t vector = 0;
  for (; vector + kBeside <= vectors; vector += kBeside) {
    uint32_t* out[kBeside];
    for (int i = 0; i < kBeside; i++) out[i] = at(vector + i);
    blocks<kBeside>(key, block + vector * kLanes, out);
  }
  for (; vector < vectors; vector++) {
    uint32_t* const out[1] = {at(vector)};
    blocks<1>(key, block + vector * kLanes, out);
  }
}
