// Standard normals from random words, as reference/box-muller.ts states it.
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

// (words [2n], normals [n]), n even
void box_muller(Call& call) {
  const View<float> normals = call.floats(1);
  const View<uint32_t> words = call.words(0);
  if (normals.size % 2 != 0 || words.size < 2 * normals.size) {
    throw std::invalid_argument("a pair of normals needs four words");
  }
  parallel_for(normals.size / 2, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(box_muller, words.data + 4 * begin, normals.data + 2 * begin, end - begin);
  });
}
const Registration registration("boxMuller", box_muller);

// (words, x [N], stddev [D], result [N], from, to): result = x + stddev n for the elements between,
// two words an element, `from` even; D divides N
void add_normals(Call& call) {
  const View<uint32_t> words = call.words(0);
  const View<float> x = call.floats(1), stddev = call.floats(2), y = call.floats(3, x.size);
  const size_t from = call.size(4), to = call.size(5);
  if (from % 2 != 0 || from > to || to > x.size || words.size < 2 * (to - from + to % 2)) {
    throw std::invalid_argument("a pair of normals needs four words");
  }
  if (stddev.size == 0) throw std::invalid_argument("there is no standard deviation");
  parallel_for(to - from, 2 * kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(add_normals, words.data + 2 * begin, x.data, stddev.data, y.data, from + begin,
                   from + end, stddev.size);
  });
}
const Registration add_registration("addBoxMuller", add_normals);

}  // namespace

}  // namespace tacet
