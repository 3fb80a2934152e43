// Places in the training stream, as philox.ts states it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacet {

/** NOISE_ROUNDS of philox.ts. */
constexpr int kNoiseRounds = 7;

/** A stream from a block on. */
struct Stream {
  uint32_t key[2];
  uint64_t block;
};

}  // namespace tacet
