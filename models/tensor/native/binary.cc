// Elementwise functions of two tensors with broadcasting.
#include "registry.h"
#include "thread_pool.h"
#include "vectorise.h"

namespace tacet {

namespace {

/** Elements that one thread takes at a time: 128 KiB of an array. */
constexpr size_t kGrain = 32768;
constexpr size_t kMaxRank = 12;

/** One row of the result; an operand's stride is 1, or 0 where it is broadcast along the row. */
template <typename Y>
using Row = void (*)(const float* a, const float* b, Y* y, size_t n);

template <typename Y>
struct Rows {
  Row<Y> both, right_scalar, left_scalar;
};

/**
 * The arguments are a, b, y and the result's layout: its rank, dimensions, and the strides of a and
 * of b, the last of which are 0 or 1.
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

}  // namespace

#define TACET_BINARY(NAME, Y, EXPRESSION)                                                       \
  TACET_VECTORISED static void NAME##_both(const float* __restrict a, const float* __restrict b, \
                                           Y* __restrict y, size_t n) {                         \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float p = a[i], q = b[i];                                                           \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  TACET_VECTORISED static void NAME##_right(const float* __restrict a,                          \
                                            const float* __restrict b, Y* __restrict y,         \
                                            size_t n) {                                         \
    const float q = *b;                                                                         \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float p = a[i];                                                                     \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  TACET_VECTORISED static void NAME##_left(const float* __restrict a, const float* __restrict b, \
                                           Y* __restrict y, size_t n) {                         \
    const float p = *a;                                                                         \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float q = b[i];                                                                     \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  static void NAME(Call& call) {                                                                \
    broadcast<Y>(call.floats(0).data, call.floats(1).data, TACET_OUT_##Y, call.ints(3),         \
                 {NAME##_both, NAME##_right, NAME##_left});                                     \
  }                                                                                             \
  static const Registration NAME##_registration(#NAME, NAME);

#define TACET_OUT_float call.floats(2).data
#define TACET_OUT_uint8_t call.bytes(2).data

// p and q are one element of each operand.
TACET_BINARY(Add, float, p + q)
TACET_BINARY(Sub, float, p - q)
TACET_BINARY(Multiply, float, p* q)
TACET_BINARY(RealDiv, float, p / q)
TACET_BINARY(Maximum, float, (p != p || q != q) ? p + q : (p > q ? p : q))
TACET_BINARY(Minimum, float, (p != p || q != q) ? p + q : (p < q ? p : q))
TACET_BINARY(SquaredDifference, float, (p - q) * (p - q))
TACET_BINARY(Greater, uint8_t, p > q)
TACET_BINARY(GreaterEqual, uint8_t, p >= q)
TACET_BINARY(Less, uint8_t, p < q)
TACET_BINARY(LessEqual, uint8_t, p <= q)
TACET_BINARY(Equal, uint8_t, p == q)
TACET_BINARY(NotEqual, uint8_t, p != q)

}  // namespace tacet
