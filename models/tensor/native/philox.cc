// Words of the training stream, as philoxWords of philox.ts states them.
#include <algorithm>

#include "registry.h"
#include "stream_position.h"

namespace tacet {

namespace {

constexpr size_t kBlocks = 16;
constexpr size_t kWordsABlock = 4;

void philox_words(Call& call) {
  const Value record = call.record();
  const Stream stream = stream_at(record["position"]);
  const View<uint32_t> words = record["words"].words();
  for (size_t at = 0; at < words.size; at += kBlocks * kWordsABlock) {
    uint32_t blocks[kWordsABlock][kBlocks];
    philox_blocks<kBlocks>(stream.key, stream.block + at / kWordsABlock, blocks);
    const size_t count = std::min(kBlocks * kWordsABlock, words.size - at);
    for (size_t i = 0; i < count; i++)
      words.data[at + i] = blocks[i % kWordsABlock][i / kWordsABlock];
  }
}
const Registration registration("philoxWords", philox_words);

}  // namespace

}  // namespace tacet
