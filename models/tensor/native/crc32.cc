// CRC-32 (ISO 3309) by carry-less products: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction", Intel, 2009. Sixteen bytes, read as a polynomial, are replaced by ones with the same remainder further
// on, until sixteen are left, which a table divides.
#include <array>

#include "registry.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tacet {

namespace {

/** Remainders of all bytes, bits reflected. */
constexpr std::array<uint32_t, 256> remainders() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320u ^ (rest >> 1) : rest >> 1;
    table[byte] = rest;
  }
  return table;
}

uint32_t divided(uint32_t rest, const uint8_t* bytes, size_t n) {
  static constexpr std::array<uint32_t, 256> kTable = remainders();
  for (size_t i = 0; i < n; i++) rest = kTable[(rest ^ bytes[i]) & 0xff] ^ (rest >> 8);
  return rest;
}

bool has_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
#else
  return false;
#endif
}

#if defined(__x86_64__)

constexpr size_t kLane = 16, kTurn = 4 * kLane;

#define TACET_PRODUCTS __attribute__((target("pclmul,sse4.1")))

TACET_PRODUCTS inline __m128i lane(const uint8_t* bytes, size_t i) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + kLane * i));
}

/** `bytes` moved on by the distance that `powers` stand for, added to what stands there. */
TACET_PRODUCTS inline __m128i folded(__m128i bytes, __m128i powers, __m128i there) {
  const __m128i low = _mm_clmulepi64_si128(bytes, powers, 0x00);
  const __m128i high = _mm_clmulepi64_si128(bytes, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/** Of at least kTurn bytes. */
TACET_PRODUCTS uint32_t rest_by_products(const uint8_t* bytes, size_t n) {
  // x^(8 distance + 32) and x^(8 distance - 32) modulo the polynomial, bits reflected.
  const __m128i by_turn = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by_lane = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i a = _mm_xor_si128(lane(bytes, 0), _mm_cvtsi32_si128(-1));
  __m128i b = lane(bytes, 1), c = lane(bytes, 2), d = lane(bytes, 3);
  size_t done = kTurn;
  for (; done + kTurn <= n; done += kTurn) {
    a = folded(a, by_turn, lane(bytes + done, 0));
    b = folded(b, by_turn, lane(bytes + done, 1));
    c = folded(c, by_turn, lane(bytes + done, 2));
    d = folded(d, by_turn, lane(bytes + done, 3));
  }
  uint8_t last[kLane];
  const __m128i all = folded(folded(folded(a, by_lane, b), by_lane, c), by_lane, d);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last), all);
  return divided(divided(0, last, kLane), bytes + done, n - done);
}

#endif

void crc32(Call& call) {
  const View<uint8_t> bytes = call.argument(0, "bytes").bytes();
#if defined(__x86_64__)
  if (has_products() && bytes.size >= kTurn) {
    call.result(static_cast<double>(~rest_by_products(bytes.data, bytes.size)));
    return;
  }
#endif
  call.result(static_cast<double>(~divided(~0u, bytes.data, bytes.size)));
}
const Registration crc32_registration("crc32", crc32);

void has_carryless_products(Call& call) { call.result(has_products()); }
const Registration has_carryless_products_registration("hasCarrylessProducts", has_carryless_products);

}  // namespace

}  // namespace tacet
