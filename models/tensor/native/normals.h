// The training stream's normals, as reference/normals.ts states them. Included by kernel files, after
// philox_words.h and polar.h.
namespace {

/** The kWords normals from `at` words after the start of the stream on. */
TACET_IN_PLACE void draw_normals(const Stream& stream, size_t at, float* normals) {
  Words words;
  philox(stream, at, &words);
  TACET_UNROLL
  for (size_t step = 0; step < kSteps; step++) {
    const Bits distance = in_turn(words.of[0][step], words.of[2][step]);
    const Vec radius = square_root(squared_radius((distance >> 8) + 1));
    Vec cosine, sine, first, second;
    const Bits turn = in_turn(words.of[1][step], words.of[3][step]);
    direction(turn, beside_quarter(turn), &cosine, &sine);
    interleave<1>(radius * cosine, radius * sine, &first, &second);
    store(normals + 2 * step * kLanes, first);
    store(normals + (2 * step + 1) * kLanes, second);
  }
}

}  // namespace
