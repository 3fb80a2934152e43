// The random words of a secure stream: ChaCha20 (RFC 8439, section 2.3), sixteen blocks at a time.
#include <algorithm>
#include <cstring>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr uint32_t kChaChaConstants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

}  // namespace

}  // namespace tacet

#define TACET_KERNELS "chacha_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kBlocks = 16;
constexpr size_t kWords = 16 * kBlocks;
constexpr size_t kGrain = 16;

void chacha_words(Call& call) {
  const View<uint32_t> key = call.argument(0, "key").words({8});
  const size_t first = call.argument(1, "first").size();
  const View<uint32_t> words = call.argument(2, "words").words();
  const size_t groups = (words.size + kWords - 1) / kWords;
  parallel_for(groups, kGrain, [&](size_t begin, size_t end) {
    const size_t whole = std::min(end, words.size / kWords) - begin;
    const uint64_t block = kBlocks * (first + begin);
    uint32_t* to = words.data + kWords * begin;
    TACET_DISPATCH(chacha, key.data, block, to, whole);
    if (begin + whole == end) return;
    uint32_t last[kWords];
    TACET_DISPATCH(chacha, key.data, block + kBlocks * whole, last, 1);
    std::memcpy(to + kWords * whole, last, sizeof *to * (words.size - kWords * (begin + whole)));
  });
}
const Registration registration("chachaWords", chacha_words);

}  // namespace

}  // namespace tacet
