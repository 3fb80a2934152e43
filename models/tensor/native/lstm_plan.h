// How a batch of sequences is laid out for the recurrence, so that padding costs nothing.
//
// Sequences are sorted by length, longest first, so at step s the first active(s) still run. Their
// rows stand together, steps after one another: the row of the r-th sequence at step s is
// offset(s) + r. A reversed direction takes its steps from each sequence's own end, so one layout
// serves both. Groups of neighbouring sequences run side by side; the layout does not depend on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacet {

/** The sequences first..last of the sorted order. */
struct LstmGroup {
  size_t first;
  size_t last;
};

class LstmPlan {
 public:
  /** Of lengths from 0 to `steps`. */
  void make(const int32_t* lengths, size_t batch, size_t steps, size_t groups);

  const std::vector<LstmGroup>& groups() const { return groups_; }

  /** Rows of the layout: the sum of the lengths. */
  size_t rows() const { return sequence_.size(); }

  /** Steps of a group's longest sequence. */
  size_t steps(const LstmGroup& group) const { return length_[group.first]; }

  /** The row of a group's first sequence at a step. */
  size_t begin(const LstmGroup& group, size_t step) const { return offsets_[step] + group.first; }

  /** How many of a group's sequences run at a step; they are its first. */
  size_t active(const LstmGroup& group, size_t step) const {
    if (step + 1 >= offsets_.size()) return 0;
    const size_t all = offsets_[step + 1] - offsets_[step];
    return all <= group.first ? 0 : (all < group.last ? all : group.last) - group.first;
  }

  /** Row of x [B * T] that a row of the layout reads. */
  size_t source(size_t row, bool reverse) const {
    const size_t step = step_[row];
    return sequence_[row] * steps_ + (reverse ? length_[row - offsets_[step]] - 1 - step : step);
  }
  size_t sequence(size_t row) const { return sequence_[row]; }

  /** The row of the same sequence as many steps from its end: where the other direction meets. */
  size_t mirror(size_t row) const {
    const size_t rank = row - offsets_[step_[row]];
    return offsets_[length_[rank] - 1 - step_[row]] + rank;
  }

 private:
  size_t steps_ = 0;
  std::vector<LstmGroup> groups_;
  std::vector<size_t> order_;           // sequences, longest first
  std::vector<size_t> length_;          // by place in the order
  std::vector<size_t> offsets_;         // by step, and the end
  std::vector<size_t> sequence_, step_; // by row
};

}  // namespace tacet
