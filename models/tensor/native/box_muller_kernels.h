// Included by each_isa.h for box_muller.cc.
#include "vector_functions.h"
#include "polar.h"

namespace {

/** The first `count` words, the others zero. */
TACET_IN_PLACE Bits load_words(const uint32_t* from, size_t count) {
  Bits words = {};
  if (count >= kLanes) {
    std::memcpy(&words, from, sizeof words);
  } else {
    std::memcpy(&words, from, 4 * count);
  }
  return words;
}

}  // namespace

/** Words of pair i: words[i], words[plane + i] and words[2 plane + i]. */
void box_muller(const uint32_t* words, size_t plane, float* normals, size_t pairs) {
  for (size_t i = 0; i < pairs; i += kLanes) {
    const size_t count = pairs - i;
    const Bits first = load_words(words + i, count);
    const Bits second = load_words(words + plane + i, count);
    const Bits third = load_words(words + 2 * plane + i, count);
    // 24 bits and 29 of the 53 whose number, and one, is the uniform in 2^-53.
    const Vec high = to_floats(reinterpret_cast<IntVec>(first >> 8)) * 5.9604645e-8f;
    const Bits lower = ((first & 0xe0) << 21 | second >> 6) + 1;
    const Vec low = to_floats(reinterpret_cast<IntVec>(lower)) * 1.1102230246251565e-16f;
    const Vec uniform = high + low;
    const Vec radius = square_root(squared_radius(uniform, low - (uniform - high)));
    // The eleven bits that are left are the lowest of the angle's 43.
    const Bits below = (first & 31) << 6 | (second & 63);
    const Vec beside =
        beside_quarter(third) + to_floats(reinterpret_cast<IntVec>(below)) * 1.953125e-3f;
    Vec cosine, sine, pair[2];
    direction(third, beside, &cosine, &sine);
    interleave<1>(radius * cosine, radius * sine, &pair[0], &pair[1]);
    if (count >= kLanes) {
      store(normals + 2 * i, pair[0]);
      store(normals + 2 * i + kLanes, pair[1]);
    } else {
      std::memcpy(normals + 2 * i, pair, 8 * count);
    }
  }
}
