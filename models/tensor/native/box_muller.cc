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

}  // namespace

}  // namespace tacet
