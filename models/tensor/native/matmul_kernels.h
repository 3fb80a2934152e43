#include "tile.h"
#include "pack.h"

namespace {

constexpr size_t kColumnBlock = 2048;  // columns of b that are packed at a time
constexpr size_t kRowBlock = 96;       // rows of a task: with kDepth terms they fit the second level

TACET_IN_PLACE Vec activated(Vec x, Activation activation) {
  switch (activation) {
    case Activation::relu: return x < 0.0f ? Vec{} : x;
    case Activation::sigmoid: return sigmoid(x);
    case Activation::tanh: return tanh(x);
    default: return x;
  }
}

/** Columns row..row + R of a transposed left matrix, terms k0..k0 + depth, as [depth][R]. */
template <int R>
void pack_left_columns(const MatMul& p, size_t row, size_t k0, size_t depth, float* to) {
  const float* from = p.a + k0 * p.m + row;
  for (size_t k = 0; k < depth; k++, from += p.m, to += R) std::memcpy(to, from, R * sizeof(float));
}

/** Rows first..last of a transposed left matrix, terms k0..k0 + depth, as tiles [depth][rows]. */
void pack_left(const MatMul& p, size_t first, size_t last, size_t k0, size_t depth, float* to) {
  for (size_t row = first; row < last;) {
    const int rows = next_rows(last - row);
    switch (rows) {
      case 1: pack_left_columns<1>(p, row, k0, depth, to); break;
      case 2: pack_left_columns<2>(p, row, k0, depth, to); break;
      case 3: pack_left_columns<3>(p, row, k0, depth, to); break;
      case 4: pack_left_columns<4>(p, row, k0, depth, to); break;
      case 5: pack_left_columns<5>(p, row, k0, depth, to); break;
      default: pack_left_columns<kRows>(p, row, k0, depth, to);
    }
    to += rows * depth;
    row += rows;
  }
}

/** Panel `panel` of columns column0..column0 + columns of the right matrix, packed. */
void pack_right(const MatMul& p, size_t column0, size_t columns, size_t panel, float* to) {
  if (p.transpose_b) {
    pack_columns(p.b + column0 * p.k, p.k, p.k, columns, panel, to);
  } else {
    pack_rows(p.b + column0, p.n, p.k, columns, panel, to);
  }
}

/** Where a tile finds its part of the right matrix: packed, or where it is to pack it from `plain`. */
struct Right {
  float* packed;
  const float* plain;  // or null
};

/** A tile of the product at (row, column): straight to `out` where it is whole vectors. */
void tile_to_out(const MatMul& p, size_t row, int rows, size_t column, size_t columns, Terms terms,
                 const float* const* left, Right right, bool first, bool last) {
  float* out = p.out + row * p.n + column;
  const int vectors = static_cast<int>((columns + kLanes - 1) / kLanes);
  const bool whole = columns % kLanes == 0;
  // On their way from memory while the tile is computed.
  for (int r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) __builtin_prefetch(out + r * p.n + v * kLanes, 1);
  }
  alignas(64) float edge[kRows * kPanel];
  alignas(64) float bias[kPanel];
  const float* init = kZeros;
  ptrdiff_t init_stride = 0;
  if (!first) {
    init = whole ? out : edge;
    init_stride = whole ? static_cast<ptrdiff_t>(p.n) : kPanel;
    for (int r = 0; !whole && r < rows; r++) {
      for (int v = 0; v < vectors; v++) {
        store(edge + r * kPanel + v * kLanes,
              load_part(out + r * p.n + v * kLanes, columns - v * kLanes));
      }
    }
  } else if (p.bias != nullptr) {
    for (int v = 0; v < vectors; v++) {
      store(bias + v * kLanes, load_part(p.bias + column + v * kLanes, columns - v * kLanes));
    }
    init = bias;
  }
  float* to = whole ? out : edge;
  const ptrdiff_t stride = whole ? static_cast<ptrdiff_t>(p.n) : kPanel;
  if (right.plain != nullptr) {
    packing_tile_of(rows, terms, left, right.plain, p.n, right.packed, init, init_stride, to, stride);
  } else {
    tile_of(rows, vectors, terms, left, right.packed, init, init_stride, to, stride);
  }
  const bool activate = last && p.activation != Activation::none;
  if (whole && !activate) return;
  for (int r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) {
      Vec sum = load(to + r * stride + v * kLanes);
      if (activate) sum = activated(sum, p.activation);
      store_part(out + r * p.n + v * kLanes, sum, columns - v * kLanes);
    }
  }
}

/**
 * Rows first..last of the product, for columns column0..column0 + columns. Their panels are in
 * `packed`, or with `packs` come there with the first rows.
 */
void multiply_rows(const MatMul& p, size_t first, size_t last, size_t column0, size_t columns,
                   float* packed, bool packs) {
  thread_local Scratch left_scratch;
  const size_t block = block_depth(p.k);
  float* left = p.transpose_a ? left_scratch.floats((last - first) * block) : nullptr;
  for (size_t k0 = 0; k0 < p.k; k0 += block) {
    const size_t depth = block < p.k - k0 ? block : p.k - k0;
    if (p.transpose_a) pack_left(p, first, last, k0, depth, left);
    for (size_t column = 0; column < columns; column += kPanel) {
      const size_t width = columns - column < static_cast<size_t>(kPanel) ? columns - column : kPanel;
      const bool plain = packs && !p.transpose_b && width == static_cast<size_t>(kPanel);
      if (packs && !plain && k0 == 0) {
        pack_right(p, column0, columns, column / kPanel, packed + column * p.k);
      }
      Right right{packed + column * p.k + k0 * kPanel,
                  plain ? p.b + k0 * p.n + column0 + column : nullptr};
      for (size_t row = first; row < last;) {
        const int rows = next_rows(last - row);
        const float* pointers[kRows];
        for (int r = 0; r < rows; r++) {
          pointers[r] = p.transpose_a ? left + (row - first) * depth + r : p.a + (row + r) * p.k + k0;
        }
        const Terms terms{1, depth, p.transpose_a ? rows : 1, 0};
        tile_to_out(p, row, rows, column0 + column, width, terms, pointers, right, k0 == 0,
                    k0 + depth == p.k);
        right.plain = nullptr;
        row += rows;
      }
    }
  }
}

}  // namespace

void matmul(const MatMul& p) {
  thread_local Scratch packed_scratch;
  // Equal blocks of whole tiles.
  const size_t row_blocks = (p.m + kRowBlock - 1) / kRowBlock;
  const size_t block_tiles = ((p.m + row_blocks - 1) / row_blocks + kRows - 1) / kRows;
  const size_t block_rows = block_tiles * kRows;
  for (size_t column0 = 0; column0 < p.n; column0 += kColumnBlock) {
    const size_t columns = kColumnBlock < p.n - column0 ? kColumnBlock : p.n - column0;
    const size_t panels = (columns + kPanel - 1) / kPanel;
    float* packed = packed_scratch.floats(panels * kPanel * p.k);
    // One block of rows: who multiplies a panel packs it too.
    const bool packs = row_blocks == 1;
    if (!packs) {
      parallel_for(panels, 1, [&](size_t begin, size_t end) {
        for (size_t panel = begin; panel < end; panel++) {
          pack_right(p, column0, columns, panel, packed + panel * kPanel * p.k);
        }
      });
    }
    // Few rows: cut the columns too, so that every thread has work.
    const size_t wanted = 4 * thread_count();
    const size_t cuts = row_blocks >= wanted ? 1 : (wanted + row_blocks - 1) / row_blocks;
    const size_t per_cut = (panels + cuts - 1) / cuts;
    const size_t column_blocks = (panels + per_cut - 1) / per_cut;
    parallel_for(row_blocks * column_blocks, 1, [&](size_t begin, size_t end) {
      for (size_t task = begin; task < end; task++) {
        const size_t row = task / column_blocks * block_rows;
        const size_t panel = task % column_blocks * per_cut;
        const size_t column = panel * kPanel;
        const size_t width = per_cut * kPanel < columns - column ? per_cut * kPanel : columns - column;
        if (row >= p.m) continue;
        multiply_rows(p, row, row + block_rows < p.m ? row + block_rows : p.m, column0 + column, width,
                      packed + column * p.k, packs);
      }
    });
  }
}
