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
inline Layout layout_of(const Value& value, size_t most) {
  const View<int32_t> packed = value.ints();
  const size_t rank = packed.size == 0 || packed[0] < 0 ? 0 : static_cast<size_t>(packed[0]);
  if (rank < 1 || rank > Layout::kMaxRank || packed.size != 1 + 3 * rank) {
    value.wrong("a rank of 1 to " + std::to_string(Layout::kMaxRank) + ", and so many counts and steps",
                std::to_string(packed.size) + " numbers");
  }
  const int32_t* dims = packed.data + 1;
  bool empty = false;
  for (size_t d = 0; d < rank; d++) {
    if (dims[d] < 0) value.wrong("of counts that are not negative", std::to_string(dims[d]));
    empty = empty || dims[d] == 0;
  }
  size_t size = empty ? 0 : 1;
  for (size_t d = 0; d < rank && !empty; d++) {
    size *= dims[d];
    if (size > most) {
      value.wrong("of the " + std::to_string(most) + " elements of the result", "more");
    }
  }
  return {rank, size, dims, dims + rank, dims + 2 * rank};
}

/**
 * The elements of an operand, `steps` apart along the axes of a layout from element `start` on. Throws
 * std::invalid_argument where one would be reached outside of them.
 */
inline float* operand_of(const Value& value, const Layout& layout, const int32_t* steps,
                         size_t start = 0) {
  const View<float> operand = value.floats();
  if (layout.size == 0) return operand.data;
  // A look after every axis keeps the sums from overflowing.
  int64_t lowest = static_cast<int64_t>(start), highest = lowest;
  for (size_t d = 0;; d++) {
    if (lowest < 0 || highest >= static_cast<int64_t>(operand.size)) {
      value.wrong("so long that the layout stays inside",
                  "element " + std::to_string(lowest < 0 ? lowest : highest) + " of " +
                      std::to_string(operand.size));
    }
    if (d == layout.rank) return operand.data + start;
    const int64_t reach = static_cast<int64_t>(layout.dims[d] - 1) * steps[d];
    (reach < 0 ? lowest : highest) += reach;
  }
}

}  // namespace tacet
