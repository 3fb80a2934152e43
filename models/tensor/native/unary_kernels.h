// Included by each_isa.h for unary.cc.
#include "vector_functions.h"

#define TACET_SIMPLE_LOOP(NAME, CONSTANTS, EXPRESSION)                                  \
  void NAME##_loop(const float* __restrict x, float* __restrict y, size_t n,            \
                   [[maybe_unused]] float c, [[maybe_unused]] float d) {                \
    for (size_t i = 0; i < n; i++) {                                                    \
      const float p = x[i];                                                             \
      y[i] = EXPRESSION;                                                                \
    }                                                                                   \
  }

#define TACET_ELEMENTARY_LOOP(NAME, CONSTANTS, FUNCTION)                                \
  void NAME##_loop(const float* x, float* y, size_t n, float, float) {                  \
    for (size_t i = 0; i < n; i += kLanes) {                                            \
      store_part(y + i, FUNCTION(load_part(x + i, n - i)), n - i);                      \
    }                                                                                   \
  }

TACET_SIMPLE(TACET_SIMPLE_LOOP)
TACET_ELEMENTARY(TACET_ELEMENTARY_LOOP)

#undef TACET_SIMPLE_LOOP
#undef TACET_ELEMENTARY_LOOP
