// float32 to float16, as proto/float16-bits.ts states it.
#include <cstring>

#include "isa.h"
#include "registry.h"

#define TACET_KERNELS "float16_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

// On the thread that calls: it takes less time than to wake others.
void to_float16(Call& call) {
  const View<float> values = call.argument(0, "values").floats();
  const View<uint8_t> bytes = call.argument(1, "bytes").bytes({values.size, 2});
  TACET_DISPATCH(to_float16, values.data, bytes.data, values.size);
}
const Registration registration("toFloat16", to_float16);

}  // namespace

}  // namespace tacet
