// Included by each_isa.h for binary.cc.
#define TACET_ROWS_OF(NAME, Y, EXPRESSION)                                                      \
  namespace {                                                                                   \
  void NAME##_both(const float* __restrict a, const float* __restrict b, Y* __restrict y,       \
                   size_t n) {                                                                  \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float p = a[i], q = b[i];                                                           \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  void NAME##_right(const float* __restrict a, const float* __restrict b, Y* __restrict y,      \
                    size_t n) {                                                                 \
    const float q = *b;                                                                         \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float p = a[i];                                                                     \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  void NAME##_left(const float* __restrict a, const float* __restrict b, Y* __restrict y,       \
                   size_t n) {                                                                  \
    const float p = *a;                                                                         \
    for (size_t i = 0; i < n; i++) {                                                            \
      const float q = b[i];                                                                     \
      y[i] = EXPRESSION;                                                                        \
    }                                                                                           \
  }                                                                                             \
  }                                                                                             \
  Rows<Y> NAME##_rows() { return {NAME##_both, NAME##_right, NAME##_left}; }

#define TACET_FLOAT_ROWS(NAME, EXPRESSION) TACET_ROWS_OF(NAME, float, EXPRESSION)
#define TACET_BOOL_ROWS(NAME, EXPRESSION) TACET_ROWS_OF(NAME, uint8_t, EXPRESSION)

TACET_ARITHMETIC(TACET_FLOAT_ROWS)
TACET_COMPARISONS(TACET_BOOL_ROWS)

#undef TACET_ROWS_OF
#undef TACET_FLOAT_ROWS
#undef TACET_BOOL_ROWS
