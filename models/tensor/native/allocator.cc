// How the C library hands out the memory of large arrays, those of tensors among them. Left alone, glibc
// raises its limit for blocks that are mapped each for itself to the largest that was ever freed, and
// carves arrays of all sizes from one heap, whose gaps grow over epochs.
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>

namespace tacet {

namespace {

constexpr int kMappedFrom = 1 << 20;

[[maybe_unused]] const int set = mallopt(M_MMAP_THRESHOLD, kMappedFrom);

}  // namespace

}  // namespace tacet
#endif
