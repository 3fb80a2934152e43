// Copies a box of elements between two layouts: slices, concatenations, transpositions, padding,
// tiling, reversal and their gradients are all this one loop nest.
#include <algorithm>
#include <cstring>

#include "layout.h"
#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 32768;
/** A square of this many floats a side fits the first-level cache twice. */
constexpr size_t kTile = 16;

struct Box {
  size_t rank;
  const int32_t* dims;
  const int32_t* from;
  const int32_t* to;
};

/** A plane of rows x columns, tile by tile, so that both sides use whole cache lines. */
void copy_plane(const float* x, float* y, size_t rows, size_t columns, ptrdiff_t from_row,
                ptrdiff_t from_column, ptrdiff_t to_row, ptrdiff_t to_column) {
  for (size_t r0 = 0; r0 < rows; r0 += kTile) {
    const size_t r1 = std::min(rows, r0 + kTile);
    for (size_t c0 = 0; c0 < columns; c0 += kTile) {
      const size_t c1 = std::min(columns, c0 + kTile);
      for (size_t r = r0; r < r1; r++) {
        const float* source = x + static_cast<ptrdiff_t>(r) * from_row;
        float* target = y + static_cast<ptrdiff_t>(r) * to_row;
        for (size_t c = c0; c < c1; c++) {
          target[static_cast<ptrdiff_t>(c) * to_column] =
              source[static_cast<ptrdiff_t>(c) * from_column];
        }
      }
    }
  }
}

/** The part of a box under its outermost `depth` dimensions. */
void copy_rest(const Box& box, size_t depth, const float* x, float* y) {
  const size_t left = box.rank - depth;
  const size_t width = box.dims[box.rank - 1];
  const ptrdiff_t from = box.from[box.rank - 1], to = box.to[box.rank - 1];
  if (left == 1) {
    if (from == 1 && to == 1) {
      std::memcpy(y, x, width * sizeof(float));
    } else {
      for (size_t i = 0; i < width; i++) {
        y[static_cast<ptrdiff_t>(i) * to] = x[static_cast<ptrdiff_t>(i) * from];
      }
    }
    return;
  }
  if (left == 2 && (from != 1 || to != 1)) {
    copy_plane(x, y, box.dims[depth], width, box.from[depth], from, box.to[depth], to);
    return;
  }
  for (int32_t i = 0; i < box.dims[depth]; i++) {
    copy_rest(box, depth + 1, x + static_cast<ptrdiff_t>(i) * box.from[depth],
              y + static_cast<ptrdiff_t>(i) * box.to[depth]);
  }
}

void strided_copy(Call& call) {
  const Value record = call.record(), to = record["to"];
  const Layout layout = layout_of(record["layout"], to.floats().size);
  const float* x = operand_of(record["from"], layout, layout.first, record["fromStart"].size());
  float* y = operand_of(to, layout, layout.second, record["toStart"].size());
  const size_t rank = layout.rank, size = layout.size;
  const int32_t* dims = layout.dims;
  const Box box{rank, dims, layout.first, layout.second};
  if (size == 0) return;
  if (rank == 1) {
    copy_rest(box, 0, x, y);
    return;
  }
  const size_t inner = size / dims[0];
  parallel_for(dims[0], 1 + kGrain / inner, [&](size_t begin, size_t end) {
    // A piece is a box of its own, so that a plane keeps its tiles.
    int32_t piece_dims[Layout::kMaxRank];
    std::copy(dims, dims + rank, piece_dims);
    piece_dims[0] = static_cast<int32_t>(end - begin);
    const Box piece{rank, piece_dims, box.from, box.to};
    copy_rest(piece, 0, x + static_cast<ptrdiff_t>(begin) * box.from[0],
              y + static_cast<ptrdiff_t>(begin) * box.to[0]);
  });
}
const Registration strided_copy_registration("stridedCopy", strided_copy);

}  // namespace

}  // namespace tacet
