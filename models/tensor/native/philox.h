// Places in the training stream, as philox.ts states it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacet {

/** Blocks of four words that are computed at a time, and the words that they hold. */
constexpr size_t kPhiloxBlocks = 16;
constexpr size_t kPhiloxWords = 4 * kPhiloxBlocks;

/** A stream from a block on. */
struct Stream {
  uint32_t key[2];
  uint64_t block;
};

}  // namespace tacet
