// Included by each_isa.h for moments.cc.
/** Targets may be their own sources: each element is read before it is written. */
void update_moments(const float* p, const float* m, const float* v, const float* g,
                             float* p_new, float* m_new, float* v_new, size_t n, MomentStep s) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (size_t i = 0; i < n; i++) {
    const float gradient = g[i] * s.scale;
    const float first = s.beta1 * m[i] + (1.0f - s.beta1) * gradient;
    const float second = s.beta2 * v[i] + (1.0f - s.beta2) * gradient * gradient;
    const float direction = s.gradient_weight * gradient + s.first_weight * first;
    p_new[i] = p[i] - s.rate * direction / (std::sqrt(s.second_weight * second) + s.epsilon);
    m_new[i] = first;
    v_new[i] = second;
  }
}
