#include "lstm_plan.h"

#include <algorithm>

namespace tacet {

void LstmPlan::make(const int32_t* lengths, size_t batch, size_t steps, size_t groups) {
  steps_ = steps;
  order_.clear();
  for (size_t b = 0; b < batch; b++) {
    if (lengths[b] > 0) order_.push_back(b);
  }
  std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    return lengths[a] != lengths[b] ? lengths[a] > lengths[b] : a < b;
  });
  length_.clear();
  for (const size_t b : order_) length_.push_back(static_cast<size_t>(lengths[b]));
  offsets_.assign(1, 0);
  sequence_.clear();
  step_.clear();
  size_t active = order_.size();
  for (size_t step = 0; active > 0; step++) {
    sequence_.insert(sequence_.end(), order_.begin(), order_.begin() + active);
    step_.insert(step_.end(), active, step);
    offsets_.push_back(sequence_.size());
    while (active > 0 && length_[active - 1] <= step + 1) active--;
  }
  // Groups of about equal work: each ends where its share of the rows is reached.
  groups_.clear();
  size_t done = 0;
  for (size_t place = 0, first = 0; place < order_.size(); place++) {
    done += length_[place];
    if (done * groups >= rows() * (groups_.size() + 1)) {
      groups_.push_back({first, place + 1});
      first = place + 1;
    }
  }
}

}  // namespace tacet
