// Packing of matrices into the panels that tile.h multiplies. Included by kernel files, after tile.h.
namespace {

/** Panel `panel` of b [k, n] (row stride `stride`): [k][kPanel], zero past column n. */
TACET_IN_PLACE void pack_rows(const float* b, ptrdiff_t stride, size_t k, size_t n, size_t panel,
                            float* to) {
  const size_t first = panel * kPanel;
  const size_t count = n - first < static_cast<size_t>(kPanel) ? n - first : kPanel;
  for (size_t i = 0; i < k; i++, to += kPanel) {
    const float* row = b + i * stride + first;
    if (count == static_cast<size_t>(kPanel)) {
      for (int v = 0; v < kVectors; v++) store(to + v * kLanes, load(row + v * kLanes));
    } else {
      for (size_t j = 0; j < static_cast<size_t>(kPanel); j++) to[j] = j < count ? row[j] : 0.0f;
    }
  }
}

/** A square of kLanes rows of `from`, transposed, to `to`. */
TACET_IN_PLACE void transpose_square(const float* from, ptrdiff_t from_stride, float* to,
                                     ptrdiff_t to_stride) {
#if defined(__clang__)
  for (int i = 0; i < kLanes; i++) {
    for (int j = 0; j < kLanes; j++) to[i * to_stride + j] = from[j * from_stride + i];
  }
#else
  Vec rows[kLanes];
  TACET_UNROLL_LANES
  for (int i = 0; i < kLanes; i++) rows[i] = load(from + i * from_stride);
  // Blocks of 1, 2, 4.. lanes change places across the diagonal.
  TACET_UNROLL_LANES
  for (int size = 1; size < kLanes; size *= 2) {
    IntVec low, high;
    TACET_UNROLL_LANES
    for (int j = 0; j < kLanes; j++) {
      low[j] = j & size ? kLanes + j - size : j;
      high[j] = j & size ? kLanes + j : j + size;
    }
    TACET_UNROLL_LANES
    for (int i = 0; i < kLanes; i++) {
      if (i & size) continue;
      const Vec upper = rows[i], lower = rows[i + size];
      rows[i] = __builtin_shuffle(upper, lower, low);
      rows[i + size] = __builtin_shuffle(upper, lower, high);
    }
  }
  TACET_UNROLL_LANES
  for (int i = 0; i < kLanes; i++) store(to + i * to_stride, rows[i]);
#endif
}

/** As pack_rows, of the transpose of b [n, k]. Goes by squares, which stay in the cache. */
TACET_IN_PLACE void pack_columns(const float* b, ptrdiff_t stride, size_t k, size_t n, size_t panel,
                               float* to) {
  const size_t lanes = kLanes;
  const size_t first = panel * kPanel;
  const size_t count = n - first < static_cast<size_t>(kPanel) ? n - first : kPanel;
  const size_t whole = count / lanes * lanes, whole_k = k / lanes * lanes;
  for (size_t i = 0; i < whole_k; i += lanes) {
    for (size_t j = 0; j < whole; j += lanes) {
      transpose_square(b + (first + j) * stride + i, stride, to + i * kPanel + j, kPanel);
    }
  }
  for (size_t i = 0; i < k; i++) {
    for (size_t j = i < whole_k ? whole : 0; j < static_cast<size_t>(kPanel); j++) {
      to[i * kPanel + j] = j < count ? b[(first + j) * stride + i] : 0.0f;
    }
  }
}

}  // namespace
