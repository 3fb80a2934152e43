// Rows by index, and its gradient; choosing between two tensors.
#include <algorithm>
#include <cstring>

#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 32768;
constexpr size_t kColumns = 256;

void gather(Call& call) {
  const Value record = call.record();
  const size_t outer = record["outer"].size(), count = record["count"].size();
  const size_t inner = record["inner"].size();
  const View<int32_t> indices = record["indices"].ints_below(count);
  const float* x = record["x"].floats({outer, count, inner}).data;
  float* y = record["result"].floats({outer, indices.size, inner}).data;
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

void embedding_rows(Call& call) {
  const Value record = call.record();
  const size_t width = record["width"].positive();
  const View<float> fixed = record["fixed"].floats(), further = record["further"].floats();
  const View<float> trained = record["trained"].floats();
  const Value rows_value = record["rows"];
  const View<int32_t> rows = rows_value.ints();
  float* y = record["result"].floats({rows.size, width}).data;
  const int64_t fixed_rows = fixed.size / width, trained_rows = trained.size / width;
  const int64_t all_rows = fixed_rows + further.size / width;
  for (size_t i = 0; i < rows.size; i++) {
    if (rows[i] >= -1 - trained_rows && rows[i] < all_rows) continue;
    rows_value.wrong(
        "from " + std::to_string(-1 - trained_rows) + " to " + std::to_string(all_rows - 1),
        std::to_string(rows[i]) + " at " + std::to_string(i));
  }
  parallel_for(rows.size, 1 + kGrain / width, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      float* to = y + i * width;
      const int64_t row = rows[i];
      if (row == -1) {
        std::memset(to, 0, width * sizeof(float));
      } else {
        const float* from = row < 0            ? trained.data + (-2 - row) * width
                            : row < fixed_rows ? fixed.data + row * width
                                               : further.data + (row - fixed_rows) * width;
        std::memcpy(to, from, width * sizeof(float));
      }
    }
  });
}
const Registration embedding_registration("embeddingRows", embedding_rows);

void segment_sum(Call& call) {
  const Value record = call.record();
  const size_t count = record["count"].size(), inner = record["inner"].size();
  const View<int32_t> segments = record["segments"].ints_below(count);
  const float* x = record["x"].floats({segments.size, inner}).data;
  float* y = record["result"].floats({count, inner}).data;
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

void select(Call& call) {
  const View<float> y = call.argument(3, "result").floats();
  const View<uint8_t> condition = call.argument(0, "condition").bytes({y.size});
  const View<float> a = call.argument(1, "a").floats({y.size});
  const View<float> b = call.argument(2, "b").floats({y.size});
  parallel_for(y.size, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) y[i] = condition[i] ? a[i] : b[i];
  });
}
const Registration select_registration("select", select);

void bool_to_float(Call& call) {
  const View<uint8_t> x = call.argument(0, "x").bytes();
  const View<float> y = call.argument(1, "result").floats({x.size});
  parallel_for(x.size, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) y[i] = x[i] ? 1.0f : 0.0f;
  });
}
const Registration bool_registration("boolToFloat", bool_to_float);

}  // namespace

}  // namespace tacet
