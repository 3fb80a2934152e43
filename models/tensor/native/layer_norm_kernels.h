// Included by each_isa.h for layer_norm.cc.
namespace {

TACET_IN_PLACE Vec first_lanes(Vec x, size_t count) {
  for (size_t lane = count; lane < static_cast<size_t>(kLanes); lane++) x[lane] = 0.0f;
  return x;
}

TACET_IN_PLACE float total(Vec x) {
  float sum = 0;
  for (int lane = 0; lane < kLanes; lane++) sum += x[lane];
  return sum;
}

}  // namespace

/** y = (x - mean) scale gain + bias with scale = 1 / sqrt(variance + least). */
void layer_norm_row(const float* x, const float* gain, const float* bias, float* y, size_t n, float least,
                    float* mean, float* scale) {
  Vec sums{};
  for (size_t i = 0; i < n; i += kLanes) sums += load_part(x + i, n - i);
  const float centre = total(sums) / n;
  Vec squares{};
  for (size_t i = 0; i < n; i += kLanes) {
    const Vec away = first_lanes(load_part(x + i, n - i) - centre, n - i);
    squares += away * away;
  }
  const float factor = 1.0f / std::sqrt(total(squares) / n + least);
  for (size_t i = 0; i < n; i += kLanes) {
    const Vec normal = (load_part(x + i, n - i) - centre) * factor;
    store_part(y + i, normal * load_part(gain + i, n - i) + load_part(bias + i, n - i), n - i);
  }
  *mean = centre;
  *scale = factor;
}

/** Writes dx and adds to d_gain and d_bias. */
void layer_norm_gradient_row(const float* x, const float* gain, const float* dy, float* dx, size_t n,
                             float mean, float scale, float* d_gain, float* d_bias) {
  Vec sums{}, along{};
  for (size_t i = 0; i < n; i += kLanes) {
    const Vec normal = (load_part(x + i, n - i) - mean) * scale;
    const Vec upper = load_part(dy + i, n - i);
    const Vec inner = upper * load_part(gain + i, n - i);
    sums += inner;
    along += inner * normal;
    store_part(d_gain + i, load_part(d_gain + i, n - i) + upper * normal, n - i);
    store_part(d_bias + i, load_part(d_bias + i, n - i) + upper, n - i);
  }
  const float centre = total(sums) / n, slope = total(along) / n;
  for (size_t i = 0; i < n; i += kLanes) {
    const Vec normal = (load_part(x + i, n - i) - mean) * scale;
    const Vec inner = load_part(dy + i, n - i) * load_part(gain + i, n - i);
    store_part(dx + i, (inner - centre - normal * slope) * scale, n - i);
  }
}
