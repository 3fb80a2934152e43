// Scaled dot-product attention of several heads over sentences at their true lengths, with a trained number for
// each head and distance, and its gradient. No probability outlives a block of rows: the backward pass computes
// them again from the logarithms of their sums (Dao et al. 2022, section 3.1).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "attention.h"
#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "thread_pool.h"

#define TACET_KERNELS "attention_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Multiply-adds that are worth a thread's while. */
constexpr size_t kGrain = 262144;

/** What both passes read. */
struct Sentences {
  const int32_t* lengths;
  size_t count, steps, heads, width, reach;
  const float *queries, *keys, *values, *distances;

  explicit Sentences(const Value& record)
      : steps(record["steps"].size()), heads(record["heads"].positive()) {
    const View<int32_t> view = record["lengths"].ints_below(steps + 1);
    lengths = view.data;
    count = view.size;
    width = record["width"].positive();
    if (width % heads != 0) record["width"].wrong("a multiple of heads", std::to_string(width));
    queries = record["queries"].floats({count, steps, width}).data;
    keys = record["keys"].floats({count, steps, width}).data;
    values = record["values"].floats({count, steps, width}).data;
    reach = record["reach"].size();
    distances = record["distances"].floats({heads, 2 * reach + 1}).data;
  }

  size_t items() const { return count * heads; }
  size_t grain() const { return 1 + kGrain / (1 + steps * steps * (width / heads)); }

  /** Where a head of a sentence begins in a tensor of the queries' shape. */
  size_t at(size_t item) const { return item / heads * steps * width + item % heads * (width / heads); }

  AttentionHead head(size_t item) const {
    const size_t from = at(item);
    AttentionHead head{};
    head.length = lengths[item / heads];
    head.dimension = width / heads;
    head.stride = width;
    head.reach = reach;
    head.queries = queries + from;
    head.keys = keys + from;
    head.values = values + from;
    head.distances = distances + item % heads * (2 * reach + 1);
    return head;
  }

  /** Zeros in a head's columns of the rows beyond its sentence. */
  void clear_padding(size_t item, float* tensor) const {
    const size_t dimension = width / heads;
    for (size_t t = lengths[item / heads]; t < steps; t++)
      std::fill_n(tensor + at(item) + t * width, dimension, 0.0f);
  }
};

void attention(Call& call) {
  const Value record = call.record();
  const Sentences sentences(record);
  const size_t steps = sentences.steps;
  const View<float> result = record["result"].floats({sentences.count, steps, sentences.width});
  const View<float> log_sums = record["logSums"].floats({sentences.items(), steps});
  parallel_for(sentences.items(), sentences.grain(), [&](size_t begin, size_t end) {
    for (size_t item = begin; item < end; item++) {
      float* const sums = log_sums.data + item * steps;
      TACET_DISPATCH(attend, sentences.head(item), result.data + sentences.at(item), sums);
      sentences.clear_padding(item, result.data);
      std::fill(sums + sentences.lengths[item / sentences.heads], sums + steps, 0.0f);
    }
  });
}
const Registration forward_registration("attention", attention);

void attention_gradient(Call& call) {
  const Value record = call.record();
  const Sentences sentences(record);
  const size_t steps = sentences.steps, distances = 2 * sentences.reach + 1;
  const auto tensor = [&](const char* name) {
    return record[name].floats({sentences.count, steps, sentences.width}).data;
  };
  const float* const dy = tensor("dy");
  float* const gradients[] = {tensor("dQueries"), tensor("dKeys"), tensor("dValues")};
  const float* const log_sums = record["logSums"].floats({sentences.items(), steps}).data;
  float* const total = record["dDistances"].floats({sentences.heads, distances}).data;
  std::vector<float> parts(sentences.items() * distances);
  parallel_for(sentences.items(), sentences.grain(), [&](size_t begin, size_t end) {
    for (size_t item = begin; item < end; item++) {
      const size_t from = sentences.at(item);
      const AttentionGradient gradient{dy + from,           log_sums + item * steps, gradients[0] + from,
                                       gradients[1] + from, gradients[2] + from,
                                       parts.data() + item * distances};
      TACET_DISPATCH(attend_gradient, sentences.head(item), gradient);
      for (float* one : gradients) sentences.clear_padding(item, one);
    }
  });
  // In the order of the sentences, however many threads there were.
  std::fill_n(total, sentences.heads * distances, 0.0f);
  for (size_t i = 0; i < parts.size(); i++) total[i % (sentences.heads * distances)] += parts[i];
}
const Registration gradient_registration("attentionGradient", attention_gradient);

}  // namespace

}  // namespace tacet
