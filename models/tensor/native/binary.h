// Elementwise functions of two tensors: p and q are one element of each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacet {

/** One row of the result; an operand that is broadcast along the row is one element. */
template <typename Y>
using Row = void (*)(const float* a, const float* b, Y* y, size_t n);

template <typename Y>
struct Rows {
  Row<Y> both, right_scalar, left_scalar;
};

}  // namespace tacet

// A NaN of either operand is the result.
#define TACET_ARITHMETIC(FUNCTION)                                       \
  FUNCTION(Add, p + q)                                                   \
  FUNCTION(Sub, p - q)                                                   \
  FUNCTION(Multiply, p* q)                                               \
  FUNCTION(RealDiv, p / q)                                               \
  FUNCTION(Maximum, (p != p || q != q) ? p + q : (p > q ? p : q))        \
  FUNCTION(Minimum, (p != p || q != q) ? p + q : (p < q ? p : q))        \
  FUNCTION(SquaredDifference, (p - q) * (p - q))

#define TACET_COMPARISONS(FUNCTION) \
  FUNCTION(Greater, p > q)          \
  FUNCTION(GreaterEqual, p >= q)    \
  FUNCTION(Less, p < q)             \
  FUNCTION(LessEqual, p <= q)       \
  FUNCTION(Equal, p == q)           \
  FUNCTION(NotEqual, p != q)
