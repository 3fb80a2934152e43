// Elementwise functions of two tensors with broadcasting.
#include "binary.h"

#include "isa.h"
#include "layout.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "binary_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Elements that one thread takes at a time: 128 KiB of an array. */
constexpr size_t kGrain = 32768;

/**
 * The layout is the result's rank, dimensions, and the strides of a and of b, 0 where an operand is
 * broadcast; the last strides are 0 or 1.
 */
template <typename Y>
void broadcast(const Call& call, View<Y> result, const Rows<Y>& rows) {
  const Value packed = call.argument(3, "layout");
  const Layout layout = layout_of(packed, result.size);
  const size_t rank = layout.rank;
  const int32_t *dims = layout.dims, *a_strides = layout.first, *b_strides = layout.second;
  if (layout.size != result.size) {
    packed.wrong("of the " + std::to_string(result.size) + " elements of the result",
                 std::to_string(layout.size));
  }
  for (const int32_t step : {a_strides[rank - 1], b_strides[rank - 1]}) {
    if (step != 0 && step != 1) packed.wrong("of last steps of 0 or 1", std::to_string(step));
  }
  const float* a = operand_of(call.argument(0, "a"), layout, a_strides);
  const float* b = operand_of(call.argument(1, "b"), layout, b_strides);
  if (layout.size == 0) return;
  Y* y = result.data;
  const size_t width = dims[rank - 1];
  const size_t height = layout.size / width;
  const bool a_moves = a_strides[rank - 1] != 0;
  const bool b_moves = b_strides[rank - 1] != 0;
  const Row<Y> row = a_moves ? (b_moves ? rows.both : rows.right_scalar) : rows.left_scalar;
  if (height == 1) {
    parallel_for(width, kGrain, [&](size_t begin, size_t end) {
      row(a + (a_moves ? begin : 0), b + (b_moves ? begin : 0), y + begin, end - begin);
    });
    return;
  }
  parallel_for(height, 1 + kGrain / width, [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; line++) {
      size_t rest = line, a_at = 0, b_at = 0;
      for (size_t d = rank - 1; d-- > 0;) {
        const size_t index = rest % dims[d];
        rest /= dims[d];
        a_at += index * a_strides[d];
        b_at += index * b_strides[d];
      }
      row(a + a_at, b + b_at, y + line * width, width);
    }
  });
}

#define TACET_EXPORT(NAME, Y, ARRAY)                                                          \
  void NAME(Call& call) {                                                                     \
    broadcast<Y>(call, call.argument(2, "result").ARRAY(), TACET_DISPATCH(NAME##_rows));      \
  }                                                                                           \
  const Registration NAME##_registration(#NAME, NAME);
#define TACET_EXPORT_FLOAT(NAME, EXPRESSION) TACET_EXPORT(NAME, float, floats)
#define TACET_EXPORT_BOOL(NAME, EXPRESSION) TACET_EXPORT(NAME, uint8_t, bytes)

TACET_ARITHMETIC(TACET_EXPORT_FLOAT)
TACET_COMPARISONS(TACET_EXPORT_BOOL)

}  // namespace

}  // namespace tacet
