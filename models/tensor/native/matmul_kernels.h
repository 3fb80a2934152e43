#include "tile.h"
#include "pack.h"

namespace {

// Rows of a task: at most so many, which stream past a panel that stays in the second level; and at
// least so many that it is worth the task's while to pack its panel.
constexpr size_t kMostRows = 1536;
constexpr size_t kFewestRows = 8 * kRows;

TACET_IN_PLACE Vec activated(Vec x, Activation activation) {
  switch (activation) {
    case Activation::relu: return x < 0.0f ? Vec{} : x;
    case Activation::sigmoid: return sigmoid(x);
    default: return x;
  }
}

/** Terms k0..k0 + depth of panel `panel` of the right matrix, packed. */
void pack_right(const MatMul& p, size_t panel, size_t k0, size_t depth, float* to) {
  if (p.transpose_b) {
    pack_columns(p.b + k0, p.k, depth, p.n, panel, to);
  } else {
    pack_rows(p.b + k0 * p.n, p.n, depth, p.n, panel, to);
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
 * Fetches the rows that a later panel is packed from, which the processor cannot foresee, while `tiles`
 * tiles of this one are multiplied: a share for each.
 */
class Ahead {
 public:
  Ahead(const MatMul& p, size_t panel, size_t tiles) {
    const size_t first = panel * kPanel;
    if (!p.transpose_b || first >= p.n) return;
    const size_t columns = p.n - first < static_cast<size_t>(kPanel) ? p.n - first : kPanel;
    at_ = reinterpret_cast<const char*>(p.b + first * p.k);
    end_ = at_ + columns * p.k * sizeof(float);
    share_ = (end_ - at_) / tiles + kLine;
  }

  void fetch() {
    const char* stop = end_ - at_ > share_ ? at_ + share_ : end_;
    for (; at_ < stop; at_ += kLine) __builtin_prefetch(at_, 0, 2);
  }

 private:
  static constexpr ptrdiff_t kLine = 64;
  const char *at_ = nullptr, *end_ = nullptr;
  ptrdiff_t share_ = 0;
};

/** Rows first..last of the product and the columns of a panel. */
void multiply_panel(const MatMul& p, size_t first, size_t last, size_t panel) {
  thread_local Scratch packed_scratch;
  const size_t block = block_depth(p.k);
  float* packed = packed_scratch.floats(block * kPanel);
  const size_t column = panel * kPanel;
  const size_t width = p.n - column < static_cast<size_t>(kPanel) ? p.n - column : kPanel;
  // The first tile packs whole panels of plain rows on its way.
  const bool plain = !p.transpose_b && width == static_cast<size_t>(kPanel);
  // A transposed left matrix is read where it lies, too: the rows of a tile are neighbours in it.
  const size_t row_step = p.transpose_a ? 1 : p.k, term_step = p.transpose_a ? p.m : 1;
  const size_t blocks = (p.k + block - 1) / block;
  // The others take those between.
  Ahead ahead(p, panel + thread_count(), blocks * ((last - first + kRows - 1) / kRows));
  for (size_t k0 = 0; k0 < p.k; k0 += block) {
    const size_t depth = block < p.k - k0 ? block : p.k - k0;
    if (!plain) pack_right(p, panel, k0, depth, packed);
    Right right{packed, plain ? p.b + k0 * p.n + column : nullptr};
    for (size_t row = first; row < last;) {
      const int rows = next_rows(last - row);
      const float* pointers[kRows];
      for (int r = 0; r < rows; r++) {
        pointers[r] = p.a + (row + r) * row_step + k0 * term_step;
      }
      const Terms terms{1, depth, static_cast<ptrdiff_t>(term_step), 0};
      tile_to_out(p, row, rows, column, width, terms, pointers, right, k0 == 0, k0 + depth == p.k);
      ahead.fetch();
      right.plain = nullptr;
      row += rows;
    }
  }
}

/** Equal blocks of whole tiles that keep every thread busy with a panel each, some times over. */
size_t rows_of_block(size_t m, size_t panels) {
  const size_t wanted = (4 * thread_count() + panels - 1) / panels;
  const size_t most = (m + kFewestRows - 1) / kFewestRows;
  const size_t fewest = (m + kMostRows - 1) / kMostRows;
  const size_t blocks = wanted < fewest ? fewest : wanted < most ? wanted : most;
  return ((m + blocks - 1) / blocks + kRows - 1) / kRows * kRows;
}

}  // namespace

void matmul(const MatMul& p) {
  const size_t panels = (p.n + kPanel - 1) / kPanel;
  const size_t block_rows = rows_of_block(p.m, panels);
  const size_t row_blocks = (p.m + block_rows - 1) / block_rows;
  const auto end_of = [&](size_t row) { return row + block_rows < p.m ? row + block_rows : p.m; };
  parallel_for(row_blocks * panels, 1, [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; task++) {
      const size_t row = task / panels * block_rows;
      multiply_panel(p, row, end_of(row), task % panels);
    }
  });
}
