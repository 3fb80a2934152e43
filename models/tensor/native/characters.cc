// The greatest sum of a window of characters over each word, and its gradient.
#include <cmath>
#include <cstring>
#include <vector>

#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 65536;
/** Of a word without characters, which no window has. */
constexpr int32_t kNowhere = -1;

/** Words [words, steps] of codes, 0 from the end of each on, and tables [alphabet, width * filters]. */
struct Words {
  const int32_t* codes;
  /** `sums` is steps * width * filters. */
  size_t count, steps, width, filters, sums, alphabet;

  Words(const Value& record, size_t tables)
      : steps(record["steps"].positive()),
        width(record["width"].positive()),
        filters(record["filters"].positive()) {
    if (__builtin_mul_overflow(steps, width, &sums) ||
        __builtin_mul_overflow(sums, filters, &sums)) {
      record["steps"].wrong("so small that steps * width * filters is a size", "more");
    }
    alphabet = tables / (width * filters);
    const View<int32_t> view = record["codes"].ints_below(alphabet);
    codes = view.data;
    count = view.size / steps;
    record["codes"].ints({count, steps});
  }

  const int32_t* of(size_t word) const { return codes + word * steps; }

  size_t length(size_t word) const {
    size_t n = 0;
    while (n < steps && of(word)[n] != 0) n++;
    return n;
  }

  /** The offset in a table of character k of the window at `place`. */
  size_t at(size_t word, size_t length, size_t place, size_t k) const {
    const size_t from = place + k, half = width / 2;
    const bool inside = from >= half && from - half < length;
    const size_t code = inside ? of(word)[from - half] : 0;
    return (code * width + k) * filters;
  }
};

void character_maximum(Call& call) {
  const Value record = call.record();
  const View<float> tables = record["tables"].floats();
  const Words words(record, tables.size);
  const size_t filters = words.filters;
  const View<float> y = record["result"].floats({words.count, filters});
  const View<int32_t> places = record["places"].ints({words.count, filters});
  const size_t grain = 1 + kGrain / words.sums;
  parallel_for(words.count, grain, [&](size_t begin, size_t end) {
    std::vector<float> sums(filters);
    for (size_t word = begin; word < end; word++) {
      const size_t length = words.length(word);
      float* best = y.data + word * filters;
      int32_t* where = places.data + word * filters;
      std::fill(best, best + filters, length == 0 ? 0.0f : -INFINITY);
      std::fill(where, where + filters, kNowhere);
      for (size_t place = 0; place < length; place++) {
        const float* first = tables.data + words.at(word, length, place, 0);
        std::copy(first, first + filters, sums.begin());
        for (size_t k = 1; k < words.width; k++) {
          const float* part = tables.data + words.at(word, length, place, k);
          for (size_t f = 0; f < filters; f++) sums[f] += part[f];
        }
        for (size_t f = 0; f < filters; f++) {
          const bool greater = sums[f] > best[f];
          best[f] = greater ? sums[f] : best[f];
          where[f] = greater ? static_cast<int32_t>(place) : where[f];
        }
      }
    }
  });
}
const Registration maximum_registration("characterMaximum", character_maximum);

void character_maximum_gradient(Call& call) {
  const Value record = call.record();
  const View<float> result = record["result"].floats();
  const Words words(record, result.size);
  const size_t filters = words.filters;
  const View<float> dy = record["dy"].floats({words.count, filters});
  const View<int32_t> places = record["places"].ints({words.count, filters});
  std::fill(result.data, result.data + result.size, 0.0f);
  // Threads share out filters, so that every sum has its order.
  parallel_for(filters, 1 + kGrain / (1 + words.count * words.width), [&](size_t begin, size_t end) {
    for (size_t word = 0; word < words.count; word++) {
      const size_t length = words.length(word);
      for (size_t f = begin; f < end; f++) {
        const int32_t place = places[word * filters + f];
        if (place == kNowhere) continue;
        const float slope = dy[word * filters + f];
        for (size_t k = 0; k < words.width; k++)
          result[words.at(word, length, place, k) + f] += slope;
      }
    }
  });
}
const Registration gradient_registration("characterMaximumGradient", character_maximum_gradient);

}  // namespace

}  // namespace tacet
