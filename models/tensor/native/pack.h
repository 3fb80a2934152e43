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

/** As pack_rows, of the transpose of b [n, k]. Goes by squares, which stay in the cache. */
TACET_IN_PLACE void pack_columns(const float* b, ptrdiff_t stride, size_t k, size_t n, size_t panel,
                               float* to) {
  const size_t first = panel * kPanel;
  const size_t count = n - first < static_cast<size_t>(kPanel) ? n - first : kPanel;
  for (size_t k0 = 0; k0 < k; k0 += 16) {
    const size_t k1 = k0 + 16 < k ? k0 + 16 : k;
    for (size_t j = 0; j < count; j++) {
      const float* row = b + (first + j) * stride;
      for (size_t i = k0; i < k1; i++) to[i * kPanel + j] = row[i];
    }
    for (size_t j = count; j < static_cast<size_t>(kPanel); j++) {
      for (size_t i = k0; i < k1; i++) to[i * kPanel + j] = 0.0f;
    }
  }
}

}  // namespace
