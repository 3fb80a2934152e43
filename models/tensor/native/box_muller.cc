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

constexpr size_t kWordsAPair = 3;

void box_muller(Call& call) {
  const Value result = call.argument(1, "normals");
  const View<float> normals = result.floats();
  if (normals.size % 2 != 0) result.wrong("of an even length", std::to_string(normals.size));
  const size_t pairs = normals.size / 2;
  const View<uint32_t> words = call.argument(0, "words").words({kWordsAPair, pairs});
  parallel_for(pairs, kGrain, [&](size_t begin, size_t end) {
    TACET_DISPATCH(box_muller, words.data + begin, pairs, normals.data + 2 * begin, end - begin);
  });
}
const Registration registration("boxMuller", box_muller);

}  // namespace

}  // namespace tacet
