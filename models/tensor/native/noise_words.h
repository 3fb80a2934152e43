// Words of a stretch of the training stream, as noise-words.ts states them. Included by kernel files,
// after vector_functions.h.
namespace {

constexpr int kGenerators = 16;
/** Vectors that hold a word of every generator. */
constexpr int kParts = kGenerators / kLanes;

TACET_IN_PLACE Bits rotated(Bits word, int by) { return word << by | word >> (32 - by); }

/** Sixteen of xoshiro128++, one a lane. */
class NoiseWords {
 public:
  /** At the stretch that begins `at` words after the start of the stream. */
  TACET_IN_PLACE NoiseWords(const Stream& stream, size_t at) {
    alignas(64) uint32_t words[4][kGenerators];
    philox<kGenerators>(stream.key, stream.block + at / 4, words);
    std::memcpy(state_, words, sizeof words);
  }

  /** The next word of each generator. */
  TACET_IN_PLACE void next(Bits words[kParts]) {
    TACET_UNROLL
    for (int part = 0; part < kParts; part++) {
      Bits &a = state_[0][part], &b = state_[1][part], &c = state_[2][part], &d = state_[3][part];
      words[part] = rotated(a + d, 7) + a;
      const Bits shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = rotated(d, 11);
    }
  }

 private:
  Bits state_[4][kParts];
};

}  // namespace
