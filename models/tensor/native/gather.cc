// Rows by index, and its gradient; choosing between two tensors.
#include <algorithm>
#include <cstring>

#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 32768;
constexpr size_t kColumns = 256;

void check_indices(View<int32_t> indices, size_t count) {
  for (size_t i = 0; i < indices.size; i++) {
    if (indices[i] >= 0 && static_cast<size_t>(indices[i]) < count) continue;
    throw std::invalid_argument("index " + std::to_string(indices[i]) + " at " +
                                std::to_string(i) + "; expected 0 to " +
                                std::to_string(static_cast<int64_t>(count) - 1));
  }
}

/** x [outer, count, inner], indices [n], y [outer, n, inner], outer, count, inner. */
void gather(Call& call) {
  const size_t outer = call.size(3), count = call.size(4), inner = call.size(5);
  const View<int32_t> indices = call.ints(1);
  const float* x = call.floats(0, outer * count * inner).data;
  float* y = call.floats(2, outer * indices.size * inner).data;
  check_indices(indices, count);
  parallel_for(outer * indices.size, 1 + kGrain / std::max<size_t>(1, inner),
               [&](size_t begin, size_t end) {
                 for (size_t at = begin; at < end; at++) {
                   const size_t o = at / indices.size;
                   const size_t row = o * count + indices[at % indices.size];
                   std::memcpy(y + at * inner, x + row * inner, inner * sizeof(float));
                 }
               });
}
const Registration gather_registration("gather", gather);

/**
 * fixed [f, E], trained [t, E], rows [n], y [n, E], E: a row r from 0 on is one of the fixed, -1 is
 * zeros, and -2 - k is row k of the trained.
 */
void embedding_rows(Call& call) {
  const size_t width = call.size(4);
  if (width == 0) throw std::invalid_argument("rows must have elements");
  const View<float> fixed = call.floats(0), trained = call.floats(1);
  const View<int32_t> rows = call.ints(2);
  float* y = call.floats(3, rows.size * width).data;
  const int64_t fixed_rows = fixed.size / width, trained_rows = trained.size / width;
  for (size_t i = 0; i < rows.size; i++) {
    if (rows[i] >= -1 - trained_rows && rows[i] < fixed_rows) continue;
    throw std::invalid_argument("neither table has row " + std::to_string(rows[i]) + ", at " +
                                std::to_string(i));
  }
  parallel_for(rows.size, 1 + kGrain / width, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      float* to = y + i * width;
      const int32_t row = rows[i];
      if (row == -1) {
        std::memset(to, 0, width * sizeof(float));
      } else {
        const float* from = row >= 0 ? fixed.data + row * width : trained.data + (-2 - row) * width;
        std::memcpy(to, from, width * sizeof(float));
      }
    }
  });
}
const Registration embedding_registration("embeddingRows", embedding_rows);

/** x [n, inner], segments [n], y [count, inner], count, inner: y[s] is the sum of its segment's rows. */
void segment_sum(Call& call) {
  const size_t count = call.size(3), inner = call.size(4);
  const View<int32_t> segments = call.ints(1);
  const float* x = call.floats(0, segments.size * inner).data;
  float* y = call.floats(2, count * inner).data;
  check_indices(segments, count);
  std::fill(y, y + count * inner, 0.0f);
  // Threads share out columns, so that every sum has its order.
  const size_t blocks = (inner + kColumns - 1) / kColumns;
  parallel_for(blocks, 1 + kGrain / std::max<size_t>(1, segments.size * kColumns),
               [&](size_t begin, size_t end) {
                 const size_t first = begin * kColumns, last = std::min(inner, end * kColumns);
                 for (size_t i = 0; i < segments.size; i++) {
                   float* target = y + segments[i] * inner;
                   for (size_t c = first; c < last; c++) target[c] += x[i * inner + c];
                 }
               });
}
const Registration segment_sum_registration("segmentSum", segment_sum);

/** condition [n], a [n], b [n], y [n]. */
void select(Call& call) {
  const View<float> y = call.floats(3);
  const View<uint8_t> condition = call.bytes(0, y.size);
  const View<float> a = call.floats(1, y.size), b = call.floats(2, y.size);
  parallel_for(y.size, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) y[i] = condition[i] ? a[i] : b[i];
  });
}
const Registration select_registration("select", select);

/** Truth values x [n] as 0 and 1 in y [n]. */
void bool_to_float(Call& call) {
  const View<uint8_t> x = call.bytes(0);
  const View<float> y = call.floats(1, x.size);
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) y[i] = x[i] ? 1.0f : 0.0f;
  });
}
const Registration bool_registration("boolToFloat", bool_to_float);

}  // namespace

}  // namespace tacet
