// One head of attention over one sentence, as the kernels of each instruction set take it.
#pragma once

#include <cstddef>

namespace tacet {

/** queries, keys and values [length, dimension], each row `stride` floats after the one before. */
struct AttentionHead {
  size_t length, dimension, stride;
  /** Distances beyond it count as it. */
  size_t reach;
  const float *queries, *keys, *values;
  /** [2 reach + 1], what is added to a score by how far to the right the key is. */
  const float* distances;
};

/** As in the head, the gradient of its result and those to be written; `distances` is added to. */
struct AttentionGradient {
  const float* result;
  /** [length] */
  const float* log_sums;
  float *queries, *keys, *values;
  float* distances;
};

}  // namespace tacet
