// Where a kernel draws from the training stream.
#pragma once

#include <string>

#include "philox.h"
#include "registry.h"

namespace tacet {

/** The stream at a StreamPosition of philox.ts, which must be the beginning of a block. */
inline Stream stream_at(const Value& position) {
  const Value key = position["key"], counter = position["counter"];
  const size_t word = counter.size();
  if (word % 4 != 0) counter.wrong("a multiple of 4", std::to_string(word));
  return {{static_cast<uint32_t>(key.at(0).size()), static_cast<uint32_t>(key.at(1).size())},
          word / 4};
}

}  // namespace tacet
