// Included by each_isa.h for crf.cc.
/** y[j] = sum of x[i] m[i, j]. */
void multiply(const double* x, const double* m, double* y, size_t n) {
  for (size_t j = 0; j < n; j++) y[j] = 0;
  for (size_t i = 0; i < n; i++) {
    const double factor = x[i];
    const double* line = m + i * n;
    for (size_t j = 0; j < n; j++) y[j] += factor * line[j];
  }
}

/** m[i, j] += x[i] y[j]. */
void add_outer(const double* x, const double* y, double* m, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const double factor = x[i];
    double* line = m + i * n;
    for (size_t j = 0; j < n; j++) line[j] += factor * y[j];
  }
}

/** One Viterbi step: the best origin of each label and the score it brings. */
void best_origins(const float* best, const float* transitions, float* next,
                                   int32_t* origins, size_t n) {
  for (size_t k = 0; k < n; k++) {
    next[k] = best[0] + transitions[k];
    origins[k] = 0;
  }
  for (size_t i = 1; i < n; i++) {
    for (size_t k = 0; k < n; k++) {
      const float score = best[i] + transitions[i * n + k];
      origins[k] = score > next[k] ? static_cast<int32_t>(i) : origins[k];
      next[k] = score > next[k] ? score : next[k];
    }
  }
}
