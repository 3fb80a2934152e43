// Sums of squares of float16, as proto/element.ts states them.
#include <cstring>

#include "isa.h"
#include "registry.h"

#define TACET_KERNELS "float16_sums_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Of the bytes from places[2 i] to places[2 i + 1], for each i; the sums are doubles in the bytes of the third. */
void float16_squares(Call& call) {
  const View<uint8_t> bytes = call.argument(0, "bytes").bytes();
  const Value given = call.argument(1, "places");
  const View<int32_t> places = given.ints_below(bytes.size + 1);
  const size_t count = places.size / 2;
  const View<uint8_t> sums = call.argument(2, "sums").bytes({count, sizeof(double)});
  for (size_t i = 0; i < count; i++) {
    const size_t start = places[2 * i], stop = places[2 * i + 1];
    if (stop < start) given.wrong("of places in order", "one that ends before it starts");
    const double sum = TACET_DISPATCH(float16_squares, bytes.data + start, (stop - start) / 2);
    std::memcpy(sums.data + sizeof sum * i, &sum, sizeof sum);
  }
}
const Registration registration("float16Squares", float16_squares);

}  // namespace

}  // namespace tacet
