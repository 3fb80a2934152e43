// Included by each_isa.h for attention.cc.
#include "tile.h"
#include "pack.h"
#include "vector_functions.h"

namespace {

/** Rows of queries at a time, whole tiles: what is held of the scores is so many rows of them. */
constexpr size_t kBlock = 48;

TACET_IN_PLACE size_t panels_of(size_t columns) { return (columns + kPanel - 1) / kPanel; }

/** All panels of b [k, n] with row stride `stride`. */
void pack_all_rows(const float* b, size_t stride, size_t k, size_t n, float* to) {
  for (size_t panel = 0; panel < panels_of(n); panel++)
    pack_rows(b, stride, k, n, panel, to + panel * k * kPanel);
}

/** All panels of the transpose of b [n, k]. */
void pack_all_columns(const float* b, size_t stride, size_t k, size_t n, float* to) {
  for (size_t panel = 0; panel < panels_of(n); panel++)
    pack_columns(b, stride, k, n, panel, to + panel * k * kPanel);
}

/** A left matrix: where it begins, and from a row and from a term to the next. */
struct Left {
  const float* from;
  size_t row_step, term_step;
};

/** out [m, n] = left [m, k] right, or that added to it; rows of `out` are whole panels. */
void multiply(size_t m, size_t k, size_t n, Left left, const float* packed, float* out, bool adds) {
  const size_t stride = panels_of(n) * kPanel;
  for (size_t panel = 0; panel < panels_of(n); panel++) {
    const size_t columns = n - panel * kPanel;
    const int vectors = static_cast<int>(std::min<size_t>(kVectors, (columns + kLanes - 1) / kLanes));
    for (size_t row = 0; row < m;) {
      const int rows = next_rows(m - row);
      const float* pointers[kRows];
      for (int r = 0; r < rows; r++) pointers[r] = left.from + (row + r) * left.row_step;
      float* to = out + row * stride + panel * kPanel;
      const Terms terms{1, k, static_cast<ptrdiff_t>(left.term_step), 0};
      tile_of(rows, vectors, terms, pointers, packed + panel * k * kPanel, adds ? to : kZeros,
              adds ? stride : 0, to, stride);
      row += rows;
    }
  }
}

/** The first `columns` of each row of whole panels, times `scale`. */
void copy_rows(const float* from, size_t rows, size_t columns, float scale, float* to, size_t stride) {
  const size_t from_stride = panels_of(columns) * kPanel;
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = 0; i < columns; i++) to[r * stride + i] = from[r * from_stride + i] * scale;
  }
}

/** What a head adds to scores, [2 n - 1]: that of row i and column j at j - i + n - 1. */
void spread_distances(const AttentionHead& head, float* to) {
  const ptrdiff_t n = head.length, reach = head.reach;
  for (ptrdiff_t d = 1 - n; d < n; d++)
    to[d + n - 1] = head.distances[std::clamp(d, -reach, reach) + reach];
}

float greatest_of(const float* x, size_t n) {
  float greatest = x[0];
  for (size_t i = 1; i < n; i++) greatest = x[i] > greatest ? x[i] : greatest;
  return greatest;
}

float sum_of_lanes(Vec x) {
  float sum = 0;
  for (int lane = 0; lane < kLanes; lane++) sum += x[lane];
  return sum;
}

/** The first `count` lanes, the others zero. */
TACET_IN_PLACE Vec only(Vec x, size_t count) {
  if (count >= static_cast<size_t>(kLanes)) return x;
  for (size_t lane = count; lane < static_cast<size_t>(kLanes); lane++) x[lane] = 0.0f;
  return x;
}

/** scores = scores scale + added; returns the logarithm of the sum of their exponentials. */
float score_row(float* scores, const float* added, size_t n, float scale) {
  for (size_t j = 0; j < n; j += kLanes)
    store(scores + j, load(scores + j) * scale + load_part(added + j, n - j));
  const float greatest = greatest_of(scores, n);
  Vec sums{};
  for (size_t j = 0; j < n; j += kLanes) sums += only(exp(load(scores + j) - greatest), n - j);
  return greatest + log(splat(sum_of_lanes(sums)))[0];
}

/** e^(scores - log_sum), in place. */
void probabilities_row(float* scores, size_t n, float log_sum) {
  for (size_t j = 0; j < n; j += kLanes) store(scores + j, exp(load(scores + j) - log_sum));
}

/** d = p (d - p . d), the gradient of the scores of a row. */
void softmax_gradient_row(const float* p, float* d, size_t n) {
  Vec sums{};
  for (size_t j = 0; j < n; j += kLanes) sums += only(load(p + j) * load(d + j), n - j);
  const float along = sum_of_lanes(sums);
  for (size_t j = 0; j < n; j += kLanes) store(d + j, load(p + j) * (load(d + j) - along));
}

}  // namespace

/** y [n, D] = softmax(q k' / sqrt(D) + distances) v, its rows as far apart as those of the queries. */
void attend(const AttentionHead& head, float* y, float* log_sums) {
  const size_t n = head.length, D = head.dimension;
  if (n == 0) return;
  const size_t wide = panels_of(n) * kPanel, deep = panels_of(D) * kPanel;
  thread_local Scratch memory;
  float* const keys = memory.floats(D * wide + n * deep + kBlock * (wide + deep) + 2 * n);
  float* const values = keys + D * wide;
  float* const scores = values + n * deep;
  float* const sums = scores + kBlock * wide;
  float* const added = sums + kBlock * deep;
  pack_all_columns(head.keys, head.stride, D, n, keys);
  pack_all_rows(head.values, head.stride, n, D, values);
  spread_distances(head, added);
  const float scale = 1.0f / std::sqrt(static_cast<float>(D));
  for (size_t first = 0; first < n; first += kBlock) {
    const size_t rows = std::min(kBlock, n - first);
    multiply(rows, D, n, {head.queries + first * head.stride, head.stride, 1}, keys, scores, false);
    for (size_t r = 0; r < rows; r++) {
      float* const row = scores + r * wide;
      log_sums[first + r] = score_row(row, added + (n - 1 - first - r), n, scale);
      probabilities_row(row, n, log_sums[first + r]);
    }
    multiply(rows, n, D, {scores, wide, 1}, values, sums, false);
    copy_rows(sums, rows, D, 1.0f, y + first * head.stride, head.stride);
  }
}

void attend_gradient(const AttentionHead& head, const AttentionGradient& gradient) {
  const size_t n = head.length, D = head.dimension, stride = head.stride;
  if (n == 0) return;
  const size_t wide = panels_of(n) * kPanel, deep = panels_of(D) * kPanel;
  thread_local Scratch memory;
  float* const keys_across = memory.floats(2 * D * wide + 3 * n * deep + 2 * kBlock * wide +
                                           2 * kBlock * deep + 4 * n);
  float* const values_across = keys_across + D * wide;
  float* const keys = values_across + D * wide;
  float* const d_keys = keys + n * deep;
  float* const d_values = d_keys + n * deep;
  float* const scores = d_values + n * deep;
  float* const d_scores = scores + kBlock * wide;
  float* const right = d_scores + kBlock * wide;
  float* const d_queries = right + kBlock * deep;
  float* const added = d_queries + kBlock * deep;
  float* const d_added = added + 2 * n;
  pack_all_columns(head.keys, stride, D, n, keys_across);
  pack_all_columns(head.values, stride, D, n, values_across);
  pack_all_rows(head.keys, stride, n, D, keys);
  spread_distances(head, added);
  for (size_t i = 0; i < 2 * n; i++) d_added[i] = 0.0f;
  const float scale = 1.0f / std::sqrt(static_cast<float>(D));
  for (size_t first = 0; first < n; first += kBlock) {
    const size_t rows = std::min(kBlock, n - first);
    const float* const queries = head.queries + first * stride;
    const float* const dy = gradient.result + first * stride;
    multiply(rows, D, n, {queries, stride, 1}, keys_across, scores, false);
    multiply(rows, D, n, {dy, stride, 1}, values_across, d_scores, false);
    for (size_t r = 0; r < rows; r++) {
      float* const p = scores + r * wide;
      float* const d = d_scores + r * wide;
      const size_t shift = n - 1 - first - r;
      for (size_t j = 0; j < n; j += kLanes)
        store(p + j, load(p + j) * scale + load_part(added + shift + j, n - j));
      probabilities_row(p, n, gradient.log_sums[first + r]);
      softmax_gradient_row(p, d, n);
      for (size_t j = 0; j < n; j++) d_added[shift + j] += d[j];
    }
    multiply(rows, n, D, {d_scores, wide, 1}, keys, d_queries, false);
    copy_rows(d_queries, rows, D, scale, gradient.queries + first * stride, stride);
    pack_all_rows(queries, stride, rows, D, right);
    multiply(n, rows, D, {d_scores, 1, wide}, right, d_keys, first > 0);
    pack_all_rows(dy, stride, rows, D, right);
    multiply(n, rows, D, {scores, 1, wide}, right, d_values, first > 0);
  }
  copy_rows(d_keys, n, D, scale, gradient.keys, stride);
  copy_rows(d_values, n, D, 1.0f, gradient.values, stride);
  const ptrdiff_t reach = head.reach, last = n - 1;
  for (ptrdiff_t d = -last; d <= last; d++)
    gradient.distances[std::clamp(d, -reach, reach) + reach] += d_added[d + last];
}
