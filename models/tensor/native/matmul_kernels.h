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

/** Rows first..last of a transposed left matrix as tiles [k][rows of the tile], terms k0..k0+depth. */
void pack_left(const MatMul& p, size_t first, size_t last, size_t k0, size_t depth, float* to) {
  for (size_t row = first; row < last;) {
    const int rows = next_rows(last - row);
    for (size_t k = 0; k < depth; k++) {
      const float* from = p.a + (k0 + k) * p.m + row;
      for (int r = 0; r < rows; r++) *to++ = from[r];
    }
    row += rows;
  }
}

/** A tile of the product at (row, column): straight to `out` where it is whole vectors. */
void tile_to_out(const MatMul& p, size_t row, int rows, size_t column, size_t columns, Terms terms,
                 const float* const* left, const float* right, bool first, bool last) {
  float* out = p.out + row * p.n + column;
  const int vectors = static_cast<int>((columns + kLanes - 1) / kLanes);
  const bool whole = columns % kLanes == 0;
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
  tile_of(rows, vectors, terms, left, right, init, init_stride, to, stride);
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

/** Rows first..last of the product, for the columns whose packed panels are in `packed`. */
void multiply_rows(const MatMul& p, size_t first, size_t last, size_t column0, size_t columns,
                   const float* packed) {
  thread_local Scratch left_scratch;
  const size_t block = block_depth(p.k);
  float* left = p.transpose_a ? left_scratch.floats((last - first) * block) : nullptr;
  for (size_t k0 = 0; k0 < p.k; k0 += block) {
    const size_t depth = block < p.k - k0 ? block : p.k - k0;
    if (p.transpose_a) pack_left(p, first, last, k0, depth, left);
    for (size_t column = 0; column < columns; column += kPanel) {
      const float* right = packed + column * p.k + k0 * kPanel;
      const size_t width = columns - column < static_cast<size_t>(kPanel) ? columns - column : kPanel;
      for (size_t row = first; row < last;) {
        const int rows = next_rows(last - row);
        const float* pointers[kRows];
        for (int r = 0; r < rows; r++) {
          pointers[r] = p.transpose_a ? left + (row - first) * depth + r : p.a + (row + r) * p.k + k0;
        }
        const Terms terms{1, depth, p.transpose_a ? rows : 1, 0};
        tile_to_out(p, row, rows, column0 + column, width, terms, pointers, right, k0 == 0,
                    k0 + depth == p.k);
        row += rows;
      }
    }
  }
}

}  // namespace

void matmul(const MatMul& p) {
  thread_local Scratch packed_scratch;
  for (size_t column0 = 0; column0 < p.n; column0 += kColumnBlock) {
    const size_t columns = kColumnBlock < p.n - column0 ? kColumnBlock : p.n - column0;
    const size_t panels = (columns + kPanel - 1) / kPanel;
    float* packed = packed_scratch.floats(panels * kPanel * p.k);
    parallel_for(panels, 1, [&](size_t begin, size_t end) {
      for (size_t panel = begin; panel < end; panel++) {
        float* to = packed + panel * kPanel * p.k;
        if (p.transpose_b) {
          pack_columns(p.b + column0 * p.k, p.k, p.k, columns, panel, to);
        } else {
          pack_rows(p.b + column0, p.n, p.k, columns, panel, to);
        }
      }
    });
    const size_t row_blocks = (p.m + kRowBlock - 1) / kRowBlock;
    // Few rows: cut the columns too, so that every thread has work.
    const size_t wanted = 4 * thread_count();
    const size_t cuts = row_blocks >= wanted ? 1 : (wanted + row_blocks - 1) / row_blocks;
    const size_t per_cut = (panels + cuts - 1) / cuts;
    const size_t column_blocks = (panels + per_cut - 1) / per_cut;
    parallel_for(row_blocks * column_blocks, 1, [&](size_t begin, size_t end) {
      for (size_t task = begin; task < end; task++) {
        const size_t row = task / column_blocks * kRowBlock;
        const size_t panel = task % column_blocks * per_cut;
        const size_t column = panel * kPanel;
        const size_t width = per_cut * kPanel < columns - column ? per_cut * kPanel : columns - column;
        multiply_rows(p, row, row + kRowBlock < p.m ? row + kRowBlock : p.m, column0 + column, width,
                      packed + column * p.k);
      }
    });
  }
}
