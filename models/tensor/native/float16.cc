// float32 to float16, as proto/float16-bits.ts states it.
#include <cstring>

#include "isa.h"
#include "registry.h"

#define TACET_KERNELS "float16_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/**
 * Of values [b, steps, d] those of the tokens that each of `sentences` [b] has, to where its elements begin among
 * those of all. On the thread that calls: it takes less time than to wake others.
 */
void float16_sentences(Call& call) {
  const Value record = call.record();
  const View<uint32_t> sentences = record["sentences"].words();
  const View<uint32_t> starts = record["starts"].words();
  const size_t steps = record["steps"].size(), dimension = record["dimension"].positive();
  const View<float> vectors = record["vectors"].floats({sentences.size, steps, dimension});
  const View<uint8_t> elements = record["elements"].bytes();
  const auto is_placed = [&](size_t sentence) {
    if (sentence + 1 >= starts.size) return false;
    const size_t start = starts[sentence], end = starts[sentence + 1];
    return start <= end && end - start <= steps && end * dimension * 2 <= elements.size;
  };
  for (size_t row = 0; row < sentences.size; row++) {
    if (!is_placed(sentences[row])) {
      record["sentences"].wrong("of sentences that start and end among the elements", "another");
    }
    const size_t start = starts[sentences[row]], end = starts[sentences[row] + 1];
    TACET_DISPATCH(to_float16, vectors.data + row * steps * dimension,
                   elements.data + start * dimension * 2, (end - start) * dimension);
  }
}
const Registration registration("float16Sentences", float16_sentences);

}  // namespace

}  // namespace tacet
