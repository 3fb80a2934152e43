// Normals of random words, as normal-table.ts states them, to 4e-7. Included by kernel files, after
// noise_words.h.
namespace {

constexpr int kTerms = 8;
/** Entries that are looked up by the last four bits of an exponent, and the vectors that hold them. */
constexpr int kEntries = 16;
constexpr int kEntryParts = kEntries / kLanes;

/** The polynomials of sixteen octaves: [8, 16]. */
struct Polynomials {
  Vec terms[kTerms][kEntryParts];

  TACET_IN_PLACE explicit Polynomials(const float* table) {
    std::memcpy(terms, table, sizeof terms);
  }
};

/** In each lane the entry that the last four bits of its index name. */
TACET_IN_PLACE Vec entries(const Vec table[kEntryParts], Bits index) {
#if defined(__GNUC__) && !defined(__clang__) && TACET_LANES == 16
  return __builtin_shuffle(table[0], index);
#elif defined(__GNUC__) && !defined(__clang__) && TACET_LANES == 8
  return __builtin_shuffle(table[0], table[1], index);
#else
  Vec found;
  for (int lane = 0; lane < kLanes; lane++) {
    const uint32_t entry = index[lane] % kEntries;
    found[lane] = table[entry / kLanes][entry % kLanes];
  }
  return found;
#endif
}

TACET_IN_PLACE bool any_below(Bits x, uint32_t limit) {
#if TACET_LANES == 16
  return _mm512_cmplt_epu32_mask(reinterpret_cast<__m512i>(x), _mm512_set1_epi32(limit)) != 0;
#elif TACET_LANES == 8
  const IntVec below = x < limit;
  return _mm256_movemask_ps(reinterpret_cast<__m256>(below)) != 0;
#else
  bool found = false;
  for (int lane = 0; lane < kLanes; lane++) found |= x[lane] < limit;
  return found;
#endif
}

/** The polynomial of its octave at each distance, with the sign of `word`. */
TACET_IN_PLACE Vec evaluate(const Polynomials& polynomials, Vec distance, Bits word) {
  const Bits bits = bits_of(distance);
  const Bits octave = bits >> 23;
  const Vec x = of_bits((bits & 0x007fffff) | 0x3f800000) - 1.5f;
  Vec z = entries(polynomials.terms[kTerms - 1], octave);
  TACET_UNROLL
  for (int power = kTerms - 2; power >= 0; power--) {
    z = z * x + entries(polynomials.terms[power], octave);
  }
  return of_bits(bits_of(z) ^ (word & 0x80000000));
}

/** Less than this are the words of the rare octaves, their signs aside. */
constexpr uint32_t kRare = 1 << 15;

/** Makes normals of words. */
class Normals {
 public:
  /** `table` as normal-table.ts has it: [2, 8, 16]. */
  TACET_IN_PLACE explicit Normals(const float* table)
      : common_(table), rare_(table + kTerms * kEntries) {}

  /** Of kCount vectors. */
  template <int kCount>
  TACET_IN_PLACE void make(const Bits words[kCount], Vec normals[kCount]) const {
    Bits least = Bits{} + 0x7fffffff;
    TACET_UNROLL
    for (int i = 0; i < kCount; i++) {
      const Bits m = words[i] & 0x7fffffff;
      least = m < least ? m : least;
      // What rounding would take to the next octave is kept in the last.
      const Vec distance = at_most(to_floats(reinterpret_cast<IntVec>(m)), 2147483520.0f);
      normals[i] = evaluate(common_, distance, words[i]);
    }
    if (__builtin_expect(any_below(least, kRare), false)) {
      TACET_UNROLL
      for (int i = 0; i < kCount; i++) normals[i] = mended(words[i], normals[i], rare_);
    }
  }

 private:
  /** Apart, so that it takes no registers where it is not called. */
  __attribute__((noinline, cold)) static Vec mended(Bits word, Vec normal, const float* rare) {
    const Bits m = word & 0x7fffffff;
    const Vec distance = to_floats(reinterpret_cast<IntVec>(m)) + 0.5f;
    return m < kRare ? evaluate(Polynomials(rare), distance, word) : normal;
  }

  Polynomials common_;
  const float* rare_;
};

}  // namespace
