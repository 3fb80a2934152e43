// Philox 4x32-10, the same stream as philox.ts, many blocks at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vectorise.h"

namespace tacet {

/** Blocks that are computed side by side. */
constexpr size_t kPhiloxBlocks = 16;

/** The words of blocks first .. first + 15 under `key`: words[j][i] is word j of block first + i. */
TACET_INLINE void philox_blocks(uint64_t first, const uint32_t key[2],
                                uint32_t words[4][kPhiloxBlocks]) {
  uint32_t c0[kPhiloxBlocks], c1[kPhiloxBlocks], c2[kPhiloxBlocks], c3[kPhiloxBlocks];
  for (size_t i = 0; i < kPhiloxBlocks; i++) {
    c0[i] = static_cast<uint32_t>(first + i);
    c1[i] = static_cast<uint32_t>((first + i) >> 32);
    c2[i] = 0;
    c3[i] = 0;
  }
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    for (size_t i = 0; i < kPhiloxBlocks; i++) {
      const uint64_t product0 = static_cast<uint64_t>(c0[i]) * 0xd2511f53u;
      const uint64_t product1 = static_cast<uint64_t>(c2[i]) * 0xcd9e8d57u;
      c0[i] = static_cast<uint32_t>(product1 >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<uint32_t>(product1);
      c2[i] = static_cast<uint32_t>(product0 >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<uint32_t>(product0);
    }
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  for (size_t i = 0; i < kPhiloxBlocks; i++) {
    words[0][i] = c0[i];
    words[1][i] = c1[i];
    words[2][i] = c2[i];
    words[3][i] = c3[i];
  }
}

}  // namespace tacet
