// The matrix product's inner loop: a tile of at most TACET_ROWS rows and kPanel columns held in
// registers. Included by kernel files, after vector.h.
//
// The right matrix is packed in panels of kPanel columns, [k][kPanel]. The left one is read where it
// lies, through one pointer a row; its k advances by `step` inside a segment of `depth` terms and by
// `jump` between segments, which covers plain rows (one segment), the columns of a matrix (step = its
// row length) and the gate blocks of an LSTM (one segment a block).
// Every element is summed in the order of k, whatever the shape of its tile: results do not depend
// on how the work is cut.
namespace {

constexpr int kRows = TACET_ROWS;
constexpr int kVectors = 4;
constexpr int kPanel = kVectors * kLanes;

struct Terms {
  size_t segments;
  size_t depth;
  ptrdiff_t step;
  ptrdiff_t jump;
};

/** Products of floats. What a tile reads at a time is a word, which holds one term here. */
struct Single {
  static constexpr size_t kTerms = 1;

  static TACET_IN_PLACE void add_product(Vec& sum, Vec left, Vec right) { sum += left * right; }

  /** Words of the terms of kLanes columns. */
  static TACET_IN_PLACE Vec words(Vec first, Vec) { return first; }

  /** Terms at..at + kLanes of a row. */
  static TACET_IN_PLACE void store_terms(float* row, size_t at, Vec terms) { store(row + at, terms); }

  static TACET_IN_PLACE void copy_terms(const float* from, size_t count, float* to) {
    std::memcpy(to, from, count * sizeof(float));
  }
};

/** Words that hold `terms` terms. */
template <typename Arithmetic>
constexpr size_t words_of(size_t terms) {
  return (terms + Arithmetic::kTerms - 1) / Arithmetic::kTerms;
}

/**
 * out = init + a b; init_stride 0 takes one row of init for all. With kPacks, b is a plain matrix of
 * row stride `b_stride`, and is left in `packed` on the way.
 */
template <typename Arithmetic, int R, int C, bool kPacks = false>
__attribute__((noinline)) void tile(Terms terms, const float* const* a, const float* b,
                                    const float* init, ptrdiff_t init_stride, float* out,
                                    ptrdiff_t out_stride, ptrdiff_t b_stride = kPanel,
                                    float* packed = nullptr) {
  Vec sum[R][C];
  TACET_UNROLL
  for (int r = 0; r < R; r++) {
    TACET_UNROLL
    for (int c = 0; c < C; c++) sum[r][c] = load(init + r * init_stride + c * kLanes);
  }
  const float* row[R];
  TACET_UNROLL
  for (int r = 0; r < R; r++) row[r] = a[r];
  for (size_t segment = 0; segment < terms.segments; segment++) {
    ptrdiff_t at = 0;
    for (size_t k = 0; k < terms.depth; k++) {
      Vec right[C];
      TACET_UNROLL
      for (int c = 0; c < C; c++) right[c] = load(b + c * kLanes);
      if (kPacks) {
        TACET_UNROLL
        for (int c = 0; c < C; c++) store(packed + c * kLanes, right[c]);
        packed += kPanel;
      }
      TACET_UNROLL
      for (int r = 0; r < R; r++) {
        const Vec left = splat(row[r][at]);
        TACET_UNROLL
        for (int c = 0; c < C; c++) Arithmetic::add_product(sum[r][c], left, right[c]);
      }
      at += terms.step;
      b += kPacks ? b_stride : kPanel;
    }
    TACET_UNROLL
    for (int r = 0; r < R; r++) row[r] += terms.jump;
  }
  TACET_UNROLL
  for (int r = 0; r < R; r++) {
    TACET_UNROLL
    for (int c = 0; c < C; c++) store(out + r * out_stride + c * kLanes, sum[r][c]);
  }
}

template <typename Arithmetic, int R>
TACET_IN_PLACE void tile_of_rows(int vectors, Terms terms, const float* const* a, const float* b,
                               const float* init, ptrdiff_t init_stride, float* out,
                               ptrdiff_t out_stride) {
  switch (vectors) {
    case 1: return tile<Arithmetic, R, 1>(terms, a, b, init, init_stride, out, out_stride);
    case 2: return tile<Arithmetic, R, 2>(terms, a, b, init, init_stride, out, out_stride);
    case 3: return tile<Arithmetic, R, 3>(terms, a, b, init, init_stride, out, out_stride);
    default: return tile<Arithmetic, R, 4>(terms, a, b, init, init_stride, out, out_stride);
  }
}

template <typename Arithmetic = Single>
TACET_IN_PLACE void tile_of(int rows, int vectors, Terms terms, const float* const* a, const float* b,
                          const float* init, ptrdiff_t init_stride, float* out,
                          ptrdiff_t out_stride) {
  switch (rows) {
    case 1: return tile_of_rows<Arithmetic, 1>(vectors, terms, a, b, init, init_stride, out, out_stride);
    case 2: return tile_of_rows<Arithmetic, 2>(vectors, terms, a, b, init, init_stride, out, out_stride);
#if TACET_ROWS > 3
    case 3: return tile_of_rows<Arithmetic, 3>(vectors, terms, a, b, init, init_stride, out, out_stride);
    case 4: return tile_of_rows<Arithmetic, 4>(vectors, terms, a, b, init, init_stride, out, out_stride);
    case 5: return tile_of_rows<Arithmetic, 5>(vectors, terms, a, b, init, init_stride, out, out_stride);
#endif
    default: return tile_of_rows<Arithmetic, kRows>(vectors, terms, a, b, init, init_stride, out, out_stride);
  }
}

/** As tile_of, of a whole panel of a plain matrix, which is packed on the way. */
TACET_IN_PLACE void packing_tile_of(int rows, Terms terms, const float* const* a, const float* b,
                                    ptrdiff_t b_stride, float* packed, const float* init,
                                    ptrdiff_t init_stride, float* out, ptrdiff_t out_stride) {
  const auto with = [&](auto tile_of_rows) {
    tile_of_rows(terms, a, b, init, init_stride, out, out_stride, b_stride, packed);
  };
  switch (rows) {
    case 1: return with(&tile<Single, 1, kVectors, true>);
    case 2: return with(&tile<Single, 2, kVectors, true>);
#if TACET_ROWS > 3
    case 3: return with(&tile<Single, 3, kVectors, true>);
    case 4: return with(&tile<Single, 4, kVectors, true>);
    case 5: return with(&tile<Single, 5, kVectors, true>);
#endif
    default: return with(&tile<Single, kRows, kVectors, true>);
  }
}

constexpr size_t kDepth = 320;  // terms of a panel that the second-level cache feeds at full speed

/** k terms in equal blocks of at most kDepth. */
TACET_IN_PLACE size_t block_depth(size_t k) {
  const size_t blocks = (k + kDepth - 1) / kDepth;
  return blocks == 0 ? 0 : (k + blocks - 1) / blocks;
}

/** The rows of the next tile when `left` remain: equal tiles, none of them much smaller. */
TACET_IN_PLACE int next_rows(size_t left) {
  const size_t tiles = (left + kRows - 1) / kRows;
  return static_cast<int>((left + tiles - 1) / tiles);
}

alignas(64) constexpr float kZeros[kPanel] = {};

}  // namespace
