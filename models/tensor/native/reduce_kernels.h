// Included by each_isa.h for reduce.cc.
namespace {

/** Partial sums that are carried side by side. */
constexpr size_t kSums = 16;

}  // namespace

double sum_run(const float* x, size_t n) {
  double lanes[kSums] = {};
  size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (size_t lane = 0; lane < kSums; lane++) lanes[lane] += x[i + lane];
  }
  double sum = 0;
  for (; i < n; i++) sum += x[i];
  for (size_t lane = 0; lane < kSums; lane++) sum += lanes[lane];
  return sum;
}

double sum_squares_run(const float* x, size_t n) {
  double lanes[kSums] = {};
  size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (size_t lane = 0; lane < kSums; lane++) {
      const double value = x[i + lane];
      lanes[lane] += value * value;
    }
  }
  double sum = 0;
  for (; i < n; i++) sum += static_cast<double>(x[i]) * x[i];
  for (size_t lane = 0; lane < kSums; lane++) sum += lanes[lane];
  return sum;
}

void sum_columns(const float* x, float* y, size_t middle, size_t stride,
                                  size_t columns, double scale) {
  double sums[kColumns] = {};
  if (columns == kColumns) {
    for (size_t r = 0; r < middle; r++) {
      for (size_t c = 0; c < kColumns; c++) sums[c] += x[r * stride + c];
    }
  } else {
    for (size_t r = 0; r < middle; r++) {
      for (size_t c = 0; c < columns; c++) sums[c] += x[r * stride + c];
    }
  }
  for (size_t c = 0; c < columns; c++) y[c] = static_cast<float>(sums[c] * scale);
}

/** A comparison is false for NaN, so NaN is kept where it is met first. */
void max_columns(const float* x, float* y, size_t middle, size_t stride,
                                  size_t columns, float sign) {
  for (size_t c = 0; c < columns; c++) y[c] = -std::numeric_limits<float>::infinity();
  for (size_t r = 0; r < middle; r++) {
    for (size_t c = 0; c < columns; c++) {
      const float value = sign * x[r * stride + c];
      y[c] = value > y[c] || value != value ? value : y[c];
    }
  }
  for (size_t c = 0; c < columns; c++) y[c] *= sign;
}

float max_run(const float* x, size_t n, float sign) {
  float lanes[kSums];
  for (float& lane : lanes) lane = -std::numeric_limits<float>::infinity();
  size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (size_t lane = 0; lane < kSums; lane++) {
      const float value = sign * x[i + lane];
      lanes[lane] = value > lanes[lane] || value != value ? value : lanes[lane];
    }
  }
  float best = lanes[0];
  for (size_t lane = 1; lane < kSums; lane++) {
    best = lanes[lane] > best || lanes[lane] != lanes[lane] ? lanes[lane] : best;
  }
  for (; i < n; i++) {
    const float value = sign * x[i];
    best = value > best || value != value ? value : best;
  }
  return sign * best;
}
