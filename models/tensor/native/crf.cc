// The linear-chain CRF: loss, gradient, posteriors and best path, one sequence a thread.
//
// The forward and backward scores are kept as probabilities in double precision, scaled to sum to 1
// at each step (Rabiner 1989, section V.A), so that a step is a product with exp(transitions) and
// needs L exponentials instead of L^2. Scores that differ by more than about 660 leave nothing of a
// label that later steps may ask for: a sequence in which a forward probability or a scale comes near
// underflow goes through the log-space loops instead.
#include <algorithm>
#include <cmath>
#include <limits>

#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "thread_pool.h"

#define TACET_KERNELS "crf_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

struct Crf {
  size_t batch, steps, labels;
  const float *emissions, *transitions, *start, *end;
  const int32_t *truth, *lengths;

  const float* emission(size_t row, size_t t) const {
    return emissions + (row * steps + t) * labels;
  }
  size_t label(size_t row, size_t t) const { return truth[row * steps + t]; }
};

void check_truth(const Value& truth, const Crf& crf) {
  for (size_t row = 0; row < crf.batch; row++) {
    for (size_t t = 0; t < static_cast<size_t>(crf.lengths[row]); t++) {
      const int32_t label = crf.truth[row * crf.steps + t];
      if (label >= 0 && static_cast<size_t>(label) < crf.labels) continue;
      truth.wrong("from 0 to " + std::to_string(crf.labels - 1),
                  std::to_string(label) + " at [" + std::to_string(row) + ", " + std::to_string(t) + "]");
    }
  }
}

Crf crf_of(const Value& record) {
  Crf crf;
  crf.steps = record["steps"].size();
  const View<int32_t> lengths = record["lengths"].ints_below(crf.steps + 1);
  crf.lengths = lengths.data;
  crf.batch = lengths.size;
  crf.labels = record["labels"].positive();
  crf.emissions = record["emissions"].floats({crf.batch, crf.steps, crf.labels}).data;
  crf.transitions = record["transitions"].floats({crf.labels, crf.labels}).data;
  crf.start = record["start"].floats({crf.labels}).data;
  crf.end = record["end"].floats({crf.labels}).data;
  crf.truth = nullptr;
  return crf;
}

/** As `crf_of`, with the true labels. */
Crf labelled_crf_of(const Value& record) {
  Crf crf = crf_of(record);
  crf.truth = record["truth"].ints({crf.batch, crf.steps}).data;
  check_truth(record["truth"], crf);
  return crf;
}

double greatest(const double* x, size_t n) { return *std::max_element(x, x + n); }

double log_sum_exp(const double* x, size_t n) {
  const double shift = greatest(x, n);
  if (shift == kLowest) return shift;
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += std::exp(x[i] - shift);
  return shift + std::log(sum);
}

double path_score(const Crf& crf, size_t row, size_t length) {
  double score = crf.start[crf.label(row, 0)] + crf.end[crf.label(row, length - 1)];
  for (size_t t = 0; t < length; t++) {
    const size_t label = crf.label(row, t);
    score += crf.emission(row, t)[label];
    if (t > 0) score += crf.transitions[crf.label(row, t - 1) * crf.labels + label];
  }
  return score;
}

/** The factors that all sequences share; a thread has one at a time. */
struct Factors {
  double *transitions, *transposed, *start, *end;
  double transition_shift, start_shift, end_shift;

  explicit Factors(const Crf& crf) {
    thread_local Scratch scratch;
    const size_t n = crf.labels;
    transitions = scratch.doubles(2 * n * n + 2 * n);
    transposed = transitions + n * n;
    start = transposed + n * n;
    end = start + n;
    transition_shift = *std::max_element(crf.transitions, crf.transitions + n * n);
    start_shift = *std::max_element(crf.start, crf.start + n);
    end_shift = *std::max_element(crf.end, crf.end + n);
    for (size_t i = 0; i < n; i++) {
      start[i] = std::exp(crf.start[i] - start_shift);
      end[i] = std::exp(crf.end[i] - end_shift);
      for (size_t j = 0; j < n; j++) {
        transitions[i * n + j] = std::exp(crf.transitions[i * n + j] - transition_shift);
        transposed[j * n + i] = transitions[i * n + j];
      }
    }
  }
};

/** One sequence in scaled probabilities; a thread has one at a time. */
class Lattice {
 public:
  Lattice(const Crf& crf, const Factors& factors, size_t row, size_t length)
      : crf_(crf), factors_(factors), row_(row), length_(length), n_(crf.labels) {
    thread_local Scratch scratch;
    alpha_ = scratch.doubles(2 * length * n_ + 3 * n_ + n_ * n_);
    emitted_ = alpha_ + length * n_;
    beta_ = emitted_ + length * n_;
    ahead_ = beta_ + n_;
    scaled_ = ahead_ + n_;
    counts_ = scaled_ + n_;
  }

  /** Fills alpha; returns log Z, or -infinity where a probability came near underflow. */
  double forward() {
    double log_z = factors_.start_shift + factors_.end_shift +
                   factors_.transition_shift * static_cast<double>(length_ - 1);
    for (size_t t = 0; t < length_; t++) {
      double* alpha = alpha_ + t * n_;
      if (t == 0) {
        std::copy(factors_.start, factors_.start + n_, alpha);
      } else {
        TACET_DISPATCH(multiply, alpha - n_, factors_.transitions, alpha, n_);
      }
      const float* scores = crf_.emission(row_, t);
      const double shift = *std::max_element(scores, scores + n_);
      double* emitted = emitted_ + t * n_;
      double sum = 0, least = 1;
      for (size_t k = 0; k < n_; k++) {
        emitted[k] = std::exp(scores[k] - shift);
        sum += alpha[k] *= emitted[k];
        least = std::min(least, alpha[k]);
      }
      if (!(least > kLeastForward)) return std::isnan(sum) ? sum : kLowest;
      for (size_t k = 0; k < n_; k++) alpha[k] /= sum;
      log_z += shift + std::log(sum);
    }
    double last = 0;
    for (size_t k = 0; k < n_; k++) last += alpha_[(length_ - 1) * n_ + k] * factors_.end[k];
    return last > kLeastScale ? log_z + std::log(last) : (std::isnan(last) ? last : kLowest);
  }

  /** Adds weight * (expected - observed counts); false where a scale underflowed. */
  bool backward(double weight, float* emissions, double* transitions, double* start, double* end) {
    double *beta = beta_, *ahead = ahead_, *scaled = scaled_, *counts = counts_;
    std::copy(factors_.end, factors_.end + n_, beta);
    std::fill(counts, counts + n_ * n_, 0.0);
    for (size_t t = length_; t-- > 0;) {
      const double* alpha = alpha_ + t * n_;
      double sum = 0;
      for (size_t k = 0; k < n_; k++) sum += alpha[k] * beta[k];
      if (!(sum > kLeastScale)) return false;
      for (size_t k = 0; k < n_; k++) {
        const double truth = crf_.label(row_, t) == k ? 1.0 : 0.0;
        const double gradient = weight * (alpha[k] * beta[k] / sum - truth);
        emissions[t * n_ + k] = static_cast<float>(gradient);
        if (t == 0) start[k] += gradient;
        if (t == length_ - 1) end[k] += gradient;
      }
      if (t == 0) break;
      for (size_t k = 0; k < n_; k++) ahead[k] = beta[k] * emitted_[t * n_ + k];
      TACET_DISPATCH(multiply, ahead, factors_.transposed, beta, n_);
      // The joint probability of a step is alpha[i] transitions[i, j] ahead[j] over its sum.
      const double* before = alpha - n_;
      double joint = 0;
      for (size_t k = 0; k < n_; k++) joint += before[k] * beta[k];
      if (!(joint > kLeastScale)) return false;
      for (size_t k = 0; k < n_; k++) scaled[k] = ahead[k] * (weight / joint);
      TACET_DISPATCH(add_outer, before, scaled, counts, n_);
      const double top = greatest(beta, n_);
      for (size_t k = 0; k < n_; k++) beta[k] /= top;
    }
    for (size_t i = 0; i < n_ * n_; i++) transitions[i] += counts[i] * factors_.transitions[i];
    for (size_t t = 1; t < length_; t++) {
      transitions[crf_.label(row_, t - 1) * n_ + crf_.label(row_, t)] -= weight;
    }
    return true;
  }

  /** The probability of each label at each step, [length, L]; false where a scale underflowed. */
  bool posteriors(float* out) {
    double *beta = beta_, *ahead = ahead_;
    std::copy(factors_.end, factors_.end + n_, beta);
    for (size_t t = length_; t-- > 0;) {
      const double* alpha = alpha_ + t * n_;
      double sum = 0;
      for (size_t k = 0; k < n_; k++) sum += alpha[k] * beta[k];
      if (!(sum > kLeastScale)) return false;
      for (size_t k = 0; k < n_; k++) {
        out[t * n_ + k] = static_cast<float>(alpha[k] * beta[k] / sum);
      }
      if (t == 0) break;
      for (size_t k = 0; k < n_; k++) ahead[k] = beta[k] * emitted_[t * n_ + k];
      TACET_DISPATCH(multiply, ahead, factors_.transposed, beta, n_);
      const double top = greatest(beta, n_);
      if (!(top > kLeastScale)) return false;
      for (size_t k = 0; k < n_; k++) beta[k] /= top;
    }
    return true;
  }

 private:
  static constexpr double kLeastScale = 1e-200;
  /** What is lost in a sum of products above it is less than what rounds off. */
  static constexpr double kLeastForward = 1e-290;

  const Crf& crf_;
  const Factors& factors_;
  size_t row_, length_, n_;
  double *alpha_, *emitted_, *beta_, *ahead_, *scaled_, *counts_;
};

/** One sequence in log space, for scores of any size; a thread has one at a time. */
class LogLattice {
 public:
  LogLattice(const Crf& crf, size_t row, size_t length)
      : crf_(crf), row_(row), length_(length), n_(crf.labels) {
    thread_local Scratch scratch;
    alpha_ = scratch.doubles(length * n_ + 3 * n_);
    terms_ = alpha_ + length * n_;
    beta_ = terms_ + n_;
    ahead_ = beta_ + n_;
  }

  double forward() {
    for (size_t t = 0; t < length_; t++) {
      for (size_t k = 0; k < n_; k++) {
        double reach = crf_.start[k];
        if (t > 0) {
          for (size_t i = 0; i < n_; i++) {
            terms_[i] = alpha_[(t - 1) * n_ + i] + crf_.transitions[i * n_ + k];
          }
          reach = log_sum_exp(terms_, n_);
        }
        alpha_[t * n_ + k] = reach + crf_.emission(row_, t)[k];
      }
    }
    for (size_t k = 0; k < n_; k++) terms_[k] = alpha_[(length_ - 1) * n_ + k] + crf_.end[k];
    return log_z_ = log_sum_exp(terms_, n_);
  }

  void backward(double weight, float* emissions, double* transitions, double* start, double* end) {
    double *beta = beta_, *ahead = ahead_;
    std::copy(crf_.end, crf_.end + n_, beta);
    for (size_t t = length_; t-- > 0;) {
      for (size_t k = 0; k < n_; k++) {
        const double truth = crf_.label(row_, t) == k ? 1.0 : 0.0;
        const double gradient =
            weight * (std::exp(alpha_[t * n_ + k] + beta[k] - log_z_) - truth);
        emissions[t * n_ + k] = static_cast<float>(gradient);
        if (t == 0) start[k] += gradient;
        if (t == length_ - 1) end[k] += gradient;
      }
      if (t == 0) return;
      for (size_t k = 0; k < n_; k++) ahead[k] = crf_.emission(row_, t)[k] + beta[k];
      for (size_t i = 0; i < n_; i++) {
        for (size_t k = 0; k < n_; k++) {
          terms_[k] = crf_.transitions[i * n_ + k] + ahead[k];
          transitions[i * n_ + k] +=
              weight * std::exp(alpha_[(t - 1) * n_ + i] + terms_[k] - log_z_);
        }
        beta[i] = log_sum_exp(terms_, n_);
      }
      transitions[crf_.label(row_, t - 1) * n_ + crf_.label(row_, t)] -= weight;
    }
  }

  void posteriors(float* out) {
    double *beta = beta_, *ahead = ahead_;
    std::copy(crf_.end, crf_.end + n_, beta);
    for (size_t t = length_; t-- > 0;) {
      for (size_t k = 0; k < n_; k++) {
        out[t * n_ + k] = static_cast<float>(std::exp(alpha_[t * n_ + k] + beta[k] - log_z_));
      }
      if (t == 0) return;
      for (size_t k = 0; k < n_; k++) ahead[k] = crf_.emission(row_, t)[k] + beta[k];
      for (size_t i = 0; i < n_; i++) {
        for (size_t k = 0; k < n_; k++) terms_[k] = crf_.transitions[i * n_ + k] + ahead[k];
        beta[i] = log_sum_exp(terms_, n_);
      }
    }
  }

 private:
  const Crf& crf_;
  size_t row_, length_, n_;
  double *alpha_, *terms_, *beta_, *ahead_;
  double log_z_ = 0;
};

void crf_loss(Call& call) {
  const Crf crf = labelled_crf_of(call.record());
  float* losses = call.record()["losses"].floats({crf.batch}).data;
  const Factors factors(crf);
  parallel_for(crf.batch, 1, [&](size_t row, size_t) {
    const size_t length = crf.lengths[row];
    losses[row] = 0;
    if (length == 0) return;
    double log_z = Lattice(crf, factors, row, length).forward();
    if (log_z == kLowest) log_z = LogLattice(crf, row, length).forward();
    losses[row] = static_cast<float>(log_z - path_score(crf, row, length));
  });
}
const Registration crf_loss_registration("crfLoss", crf_loss);

void crf_gradient(Call& call) {
  const Value record = call.record(), gradients = record["gradients"];
  const Crf crf = labelled_crf_of(record);
  const size_t n = crf.labels, size = n * n + 2 * n;
  const float* dy = record["dy"].floats({crf.batch}).data;
  const View<float> emissions = gradients["emissions"].floats({crf.batch, crf.steps, n});
  float* transitions = gradients["transitions"].floats({n, n}).data;
  float *start = gradients["start"].floats({n}).data, *end = gradients["end"].floats({n}).data;
  const Factors factors(crf);
  // Each sequence sums for itself, and the sums are added in order.
  thread_local Scratch scratch;
  double* partial = scratch.doubles(crf.batch * size);
  std::fill(partial, partial + crf.batch * size, 0.0);
  parallel_for(crf.batch, 1, [&](size_t row, size_t) {
    const size_t length = crf.lengths[row];
    float* gradient = emissions.data + row * crf.steps * n;
    std::fill(gradient + length * n, gradient + crf.steps * n, 0.0f);
    if (length == 0) return;
    double* sums = partial + row * size;
    Lattice lattice(crf, factors, row, length);
    if (lattice.forward() != kLowest &&
        lattice.backward(dy[row], gradient, sums, sums + n * n, sums + n * n + n)) {
      return;
    }
    std::fill(sums, sums + size, 0.0);
    LogLattice exact(crf, row, length);
    exact.forward();
    exact.backward(dy[row], gradient, sums, sums + n * n, sums + n * n + n);
  });
  for (size_t i = 0; i < size; i++) {
    double sum = 0;
    for (size_t row = 0; row < crf.batch; row++) sum += partial[row * size + i];
    float* target = i < n * n ? transitions + i : i < n * n + n ? start + i - n * n : end + i - n * n - n;
    *target = static_cast<float>(sum);
  }
}
const Registration crf_gradient_registration("crfGradient", crf_gradient);

void crf_posteriors(Call& call) {
  const Crf crf = crf_of(call.record());
  const size_t n = crf.labels;
  float* posteriors = call.record()["posteriors"].floats({crf.batch, crf.steps, n}).data;
  const Factors factors(crf);
  parallel_for(crf.batch, 1, [&](size_t row, size_t) {
    const size_t length = crf.lengths[row];
    float* own = posteriors + row * crf.steps * n;
    std::fill(own + length * n, own + crf.steps * n, 0.0f);
    if (length == 0) return;
    Lattice lattice(crf, factors, row, length);
    if (lattice.forward() != kLowest && lattice.posteriors(own)) return;
    LogLattice exact(crf, row, length);
    exact.forward();
    exact.posteriors(own);
  });
}
const Registration crf_posteriors_registration("crfPosteriors", crf_posteriors);

void crf_decode(Call& call) {
  const Crf crf = crf_of(call.record());
  const View<int32_t> paths = call.record()["paths"].ints({crf.batch, crf.steps});
  const size_t n = crf.labels;
  parallel_for(crf.batch, 1, [&](size_t row, size_t) {
    const size_t length = crf.lengths[row];
    int32_t* path = paths.data + row * crf.steps;
    std::fill(path, path + crf.steps, 0);
    if (length == 0) return;
    thread_local Scratch scores, steps_back;
    float *best = scores.floats(2 * n), *next = best + n;
    int32_t* origins = steps_back.ints(length * n);
    std::fill(origins, origins + n, 0);
    for (size_t k = 0; k < n; k++) best[k] = crf.start[k] + crf.emission(row, 0)[k];
    for (size_t t = 1; t < length; t++) {
      TACET_DISPATCH(best_origins, best, crf.transitions, next, origins + t * n, n);
      for (size_t k = 0; k < n; k++) best[k] = next[k] + crf.emission(row, t)[k];
    }
    for (size_t k = 0; k < n; k++) best[k] += crf.end[k];
    size_t label = std::max_element(best, best + n) - best;
    for (size_t t = length; t-- > 0;) {
      path[t] = static_cast<int32_t>(label);
      label = origins[t * n + label];
    }
  });
}
const Registration crf_decode_registration("crfDecode", crf_decode);

}  // namespace

}  // namespace tacet
