// Included by each_isa.h for float16.cc. Plain loops, which the compiler vectorises.
namespace {

/** The nearest float16, ties to the even one: of what is below 2^-14 by adding 1/2, as float32. */
TACET_IN_PLACE uint16_t float16_bits(float value) {
  uint32_t bits, tiny;
  std::memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  float rounded;
  std::memcpy(&rounded, &magnitude, sizeof rounded);
  rounded += 0.5f;
  std::memcpy(&tiny, &rounded, sizeof tiny);
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  const uint32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
  const uint32_t small = magnitude < 0x38800000 ? tiny - 0x3f000000 : normal;
  return static_cast<uint16_t>(sign | (magnitude >= 0x47800000 ? special : small));
}

}  // namespace

void to_float16(const float* values, uint8_t* bytes, size_t n) {
  constexpr size_t kPiece = 256;
  uint16_t piece[kPiece];
  for (size_t from = 0; from < n; from += kPiece) {
    const size_t size = n - from < kPiece ? n - from : kPiece;
    for (size_t i = 0; i < size; i++) piece[i] = float16_bits(values[from + i]);
    std::memcpy(bytes + 2 * from, piece, 2 * size);
  }
}
