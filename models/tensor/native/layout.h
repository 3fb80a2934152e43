// A loop nest over two operands, as models/tensor/native-kernels/layout.ts packs it: rank, counts,
// steps of the first operand, steps of the second.
#pragma once

#include "registry.h"

namespace tacet {

struct Layout {
  static constexpr size_t kMaxRank = 12;

  size_t rank;
  size_t size;  // the product of the counts
  const int32_t *dims, *first, *second;
};

/** Throws std::invalid_argument for a layout of another form, or of over `most` elements. */
inline Layout layout_of(View<int32_t> packed, size_t most) {
  const size_t rank = packed.size == 0 || packed[0] < 0 ? 0 : static_cast<size_t>(packed[0]);
  if (rank < 1 || rank > Layout::kMaxRank || packed.size != 1 + 3 * rank) {
    throw std::invalid_argument("wrong layout");
  }
  const int32_t* dims = packed.data + 1;
  bool empty = false;
  for (size_t d = 0; d < rank; d++) {
    if (dims[d] < 0) {
      throw std::invalid_argument("dimension " + std::to_string(dims[d]) + "; expected at least 0");
    }
    empty = empty || dims[d] == 0;
  }
  size_t size = empty ? 0 : 1;
  for (size_t d = 0; d < rank && !empty; d++) {
    size *= dims[d];
    if (size > most) {
      throw std::invalid_argument("the dimensions hold more than the " + std::to_string(most) +
                                  " elements of the result");
    }
  }
  return {rank, size, dims, dims + rank, dims + 2 * rank};
}

/**
 * Throws std::invalid_argument where an operand of `size` elements, `steps` apart along the axes
 * of a layout from element `start` on, would be reached outside of them.
 */
inline void require_inside(const Layout& layout, const int32_t* steps, size_t start, size_t size) {
  if (layout.size == 0) return;
  // A look after every axis keeps the sums from overflowing.
  int64_t lowest = static_cast<int64_t>(start), highest = lowest;
  for (size_t d = 0; d <= layout.rank; d++) {
    if (lowest < 0 || highest >= static_cast<int64_t>(size)) {
      throw std::invalid_argument("the dimensions reach element " +
                                  std::to_string(lowest < 0 ? lowest : highest) + " of " +
                                  std::to_string(size));
    }
    if (d == layout.rank) return;
    const int64_t reach = static_cast<int64_t>(layout.dims[d] - 1) * steps[d];
    (reach < 0 ? lowest : highest) += reach;
  }
}

}  // namespace tacet
