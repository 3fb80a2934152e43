// Elementwise functions of one tensor.
#pragma once

// p is an element, c and d are constants of the call.
#define TACET_SIMPLE(FUNCTION)                                     \
  FUNCTION(Abs, std::fabs(p))                                      \
  FUNCTION(Neg, -p)                                                \
  FUNCTION(Square, p* p)                                           \
  FUNCTION(Sqrt, std::sqrt(p))                                     \
  FUNCTION(Rsqrt, 1.0f / std::sqrt(p))                             \
  FUNCTION(Reciprocal, 1.0f / p)                                   \
  FUNCTION(Relu, p > 0.0f || p != p ? p : 0.0f)                    \
  FUNCTION(Step, p != p ? p : (p > 0.0f ? 1.0f : c))               \
  FUNCTION(ClipByValue, p < c ? c : (p > d ? d : p))

// A whole vector of elements at a time; the functions of vector.h and vector_functions.h.
#define TACET_ELEMENTARY(FUNCTION) \
  FUNCTION(Exp, exp)               \
  FUNCTION(Log, log)               \
  FUNCTION(Tanh, tanh)             \
  FUNCTION(Sigmoid, sigmoid)       \
  FUNCTION(Softplus, softplus)
