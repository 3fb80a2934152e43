// Standard normals from random words, as reference/box-muller.ts states them.
#include <cmath>
#include <cstring>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "box_muller_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kGrain = 2048;

size_t pairs_of(const View<uint32_t>& words, size_t normals) {
  const size_t pairs = (normals + 1) / 2;
  if (words.size != 3 * pairs) throw std::invalid_argument("a pair of normals takes three words");
  return pairs;
}

// (words [3, n / 2], normals [n]), n even
void box_muller(Call& call) {
  const View<float> normals = call.floats(1);
  const View<uint32_t> words = call.words(0);
  if (normals.size % 2 != 0) throw std::invalid_argument("normals come in pairs");
  const size_t pairs = pairs_of(words, normals.size);
  parallel_for(pairs, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(box_muller, words.data + begin, pairs, normals.data + 2 * begin, end - begin);
  });
}
const Registration registration("boxMuller", box_muller);

// (words [3, (to - from) / 2, rounded up], x [N], stddev [D], result [N], from, to):
// result = x + stddev n for the elements between; D divides N
void add_normals(Call& call) {
  const View<uint32_t> words = call.words(0);
  const View<float> x = call.floats(1), stddev = call.floats(2), y = call.floats(3, x.size);
  const size_t from = call.size(4), to = call.size(5);
  if (from > to || to > x.size) throw std::invalid_argument("there are no such elements");
  if (stddev.size == 0) throw std::invalid_argument("there is no standard deviation");
  const size_t pairs = pairs_of(words, to - from);
  parallel_for(pairs, kGrain, [&](size_t begin, size_t end) {
    const size_t last = 2 * end < to - from ? 2 * end : to - from;
    TACET_DISPATCH(add_normals, words.data + begin, pairs, x.data, stddev.data, y.data,
                   from + 2 * begin, from + last, stddev.size);
  });
}
const Registration add_registration("addBoxMuller", add_normals);

}  // namespace

}  // namespace tacet
