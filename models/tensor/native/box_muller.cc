// Standard normals from random words, as reference/box-muller.ts states them.
#include <atomic>
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

void add_normals(Call& call) {
  const Value record = call.record();
  const View<float> x = record["x"].floats(), y = record["result"].floats({x.size});
  const View<float> stddev = row_of(record["stddev"], x);
  const size_t from = record["from"].size(), to = record["to"].size();
  if (from > to || to > x.size) {
    record["to"].wrong("in " + std::to_string(from) + ".." + std::to_string(x.size), std::to_string(to));
  }
  const size_t pairs = (to - from + 1) / 2;
  const View<uint32_t> words = record["words"].words({kWordsAPair, pairs});
  std::atomic<bool> finite{true};
  parallel_for(pairs, kGrain, [&](size_t begin, size_t end) {
    const size_t last = 2 * end < to - from ? 2 * end : to - from;
    const bool is_finite =
        TACET_DISPATCH(add_normals, words.data + begin, pairs, x.data, stddev.data, y.data,
                       from + 2 * begin, from + last, stddev.size);
    if (!is_finite) finite = false;
  });
  call.result(finite.load());
}
const Registration add_registration("addBoxMuller", add_normals);

}  // namespace

}  // namespace tacet
