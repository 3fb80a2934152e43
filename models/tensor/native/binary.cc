// Elementwise functions of two tensors with broadcasting.
#include "binary.h"

#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

#define TACET_KERNELS "binary_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

/** Elements that one thread takes at a time: 128 KiB of an array. */
constexpr size_t kGrain = 32768;
constexpr size_t kMaxRank = 12;

/**
 * The layout is the result's rank, dimensions, and the strides of a and of b, 0 where an operand is
 * broadcast; the last strides are 0 or 1.
 */
template <typename Y>
void broadcast(const float* a, const float* b, Y* y, View<int32_t> layout, const Rows<Y>& rows) {
  const size_t rank = layout.size == 0 ? 0 : static_cast<size_t>(layout[0]);
  if (rank < 1 || rank > kMaxRank || layout.size != 1 + 3 * rank) {
    throw std::invalid_argument("wrong layout");
  }
  const int32_t* dims = layout.data + 1;
  const int32_t* a_strides = dims + rank;
  const int32_t* b_strides = a_strides + rank;
  const size_t width = dims[rank - 1];
  size_t height = 1;
  for (size_t d = 0; d + 1 < rank; d++) height *= dims[d];
  const bool a_moves = a_strides[rank - 1] != 0;
  const bool b_moves = b_strides[rank - 1] != 0;
  const Row<Y> row = a_moves ? (b_moves ? rows.both : rows.right_scalar) : rows.left_scalar;
  if (height == 1) {
    parallel_for(width, kGrain, [&](size_t begin, size_t end) {
      row(a + (a_moves ? begin : 0), b + (b_moves ? begin : 0), y + begin, end - begin);
    });
    return;
  }
  if (width == 0) return;
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

// (a, b, result, layout)
#define TACET_EXPORT(NAME, Y, RESULT)                                              \
  void NAME(Call& call) {                                                          \
    broadcast<Y>(call.floats(0).data, call.floats(1).data, call.RESULT(2).data,    \
                 call.ints(3), TACET_DISPATCH(NAME##_rows));                       \
  }                                                                                \
  const Registration NAME##_registration(#NAME, NAME);
#define TACET_EXPORT_FLOAT(NAME, EXPRESSION) TACET_EXPORT(NAME, float, floats)
#define TACET_EXPORT_BOOL(NAME, EXPRESSION) TACET_EXPORT(NAME, uint8_t, bytes)

TACET_ARITHMETIC(TACET_EXPORT_FLOAT)
TACET_COMPARISONS(TACET_EXPORT_BOOL)

}  // namespace

}  // namespace tacet
