// The generator of the training stream, as philox.ts states it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacet {

/** A stream from a block on. */
struct Stream {
  uint32_t key[2];
  uint64_t block;
};

/** Ten rounds over kCount counters: words[j][i] is word j of counter i before, and of its block after. */
template <size_t kCount>
inline __attribute__((always_inline)) void philox_rounds(const uint32_t key[2],
                                                         uint32_t words[4][kCount]) {
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    for (size_t i = 0; i < kCount; i++) {
      const uint64_t product0 = uint64_t{0xd2511f53} * words[0][i];
      const uint64_t product1 = uint64_t{0xcd9e8d57} * words[2][i];
      words[0][i] = static_cast<uint32_t>(product1 >> 32) ^ words[1][i] ^ k0;
      words[1][i] = static_cast<uint32_t>(product1);
      words[2][i] = static_cast<uint32_t>(product0 >> 32) ^ words[3][i] ^ k1;
      words[3][i] = static_cast<uint32_t>(product0);
    }
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
}

/** words[j][i] = word j of the block at counter (block, i + 1, 0), i < kCount. */
template <size_t kCount>
inline __attribute__((always_inline)) void philox(const uint32_t key[2], uint64_t block,
                                                  uint32_t words[4][kCount]) {
  for (size_t i = 0; i < kCount; i++) {
    words[0][i] = static_cast<uint32_t>(block);
    words[1][i] = static_cast<uint32_t>(block >> 32);
    words[2][i] = static_cast<uint32_t>(i + 1);
    words[3][i] = 0;
  }
  philox_rounds<kCount>(key, words);
}

/** words[j][i] = word j of block `block` + i of the stream itself, i < kCount. */
template <size_t kCount>
inline void philox_blocks(const uint32_t key[2], uint64_t block, uint32_t words[4][kCount]) {
  for (size_t i = 0; i < kCount; i++) {
    words[0][i] = static_cast<uint32_t>(block + i);
    words[1][i] = static_cast<uint32_t>((block + i) >> 32);
    words[2][i] = words[3][i] = 0;
  }
  philox_rounds<kCount>(key, words);
}

}  // namespace tacet
