// Elementwise functions of one tensor.
#pragma once

// p is an element; c and d are constants of the call, which takes as many as are said.
#define TACET_SIMPLE(FUNCTION)                                     \
  FUNCTION(Abs, 0, std::fabs(p))                                   \
  FUNCTION(Neg, 0, -p)                                             \
  FUNCTION(Square, 0, p* p)                                        \
  FUNCTION(Sqrt, 0, std::sqrt(p))                                  \
  FUNCTION(Rsqrt, 0, 1.0f / std::sqrt(p))                          \
  FUNCTION(Reciprocal, 0, 1.0f / p)                                \
  FUNCTION(Relu, 0, p > 0.0f || p != p ? p : 0.0f)                 \
  FUNCTION(Step, 1, p != p ? p : (p > 0.0f ? 1.0f : c))            \
  FUNCTION(ClipByValue, 2, p < c ? c : (p > d ? d : p))

// A whole vector of elements at a time; the functions of vector.h and vector_functions.h.
#define TACET_ELEMENTARY(FUNCTION) \
  FUNCTION(Exp, 0, exp)            \
  FUNCTION(Log, 0, log)            \
  FUNCTION(Tanh, 0, tanh)          \
  FUNCTION(Sigmoid, 0, sigmoid)    \
  FUNCTION(Softplus, 0, softplus)
