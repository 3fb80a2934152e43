// The noise of a release: normals of Box and Muller from the words of a secure stream, drawn and added
// piece by piece.
#include <atomic>
#include <cstring>

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

namespace tacet {

namespace {

constexpr size_t kBlocksAGroup = 16;
/** Of three words a pair. */
constexpr size_t kPieceGroups = 6;
constexpr size_t kPieceWords = 16 * kBlocksAGroup * kPieceGroups;
constexpr size_t kPieceNormals = kPieceWords / 3 * 2;
/** Pieces that are worth another thread. */
constexpr size_t kGrain = 4;

/** Zeros that the compiler does not leave out although nobody reads them. */
void wipe(void* memory, size_t bytes) {
  std::memset(memory, 0, bytes);
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace

}  // namespace tacet

#define TACET_KERNELS "secure_noise_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

void secure_noise(Call& call) {
  const Value record = call.record();
  const View<uint32_t> key = record["key"].words({8});
  const View<float> x = record["x"].floats(), y = record["result"].floats({x.size});
  const View<float> stddev = row_of(record["stddev"], x);
  const size_t pieces = (x.size + kPieceNormals - 1) / kPieceNormals;
  std::atomic<bool> finite{true};
  parallel_for(pieces, kGrain, [&](size_t begin, size_t end) {
    const bool is_finite = TACET_DISPATCH(secure_noise, key.data, x.data, stddev.data, y.data, x.size,
                                          stddev.size, begin, end);
    if (!is_finite) finite = false;
  });
  call.result(finite.load());
}
const Registration registration("secureNoise", secure_noise);

}  // namespace

}  // namespace tacet
