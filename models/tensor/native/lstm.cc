#include "lstm.h"

#include <algorithm>
#include <vector>

#include "isa.h"
#include "registry.h"
#include "scratch.h"
#include "thread_pool.h"

#define TACET_KERNELS "lstm_kernels.h"
#define TACET_BFLOAT16_KERNELS "lstm_bfloat16_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

// What stands before the state's arrays, which begin at the next cache line.
enum Header : size_t { kHeaderLanes, kHeaderRows, kHeaderPhase, kHeaderSize };
constexpr size_t kAlignment = 64 / sizeof(float);
constexpr size_t kFewestSequences = 8;  // of a group: fewer fill no register tile

enum Phase { kForwardDone = 1, kBackwardDone = 2 };

size_t state_size(size_t rows, size_t units, size_t directions, size_t lanes) {
  const size_t width = (units + lanes - 1) / lanes * lanes;
  return kHeaderSize + kAlignment + directions * 6 * rows * width;
}

float* aligned(float* from) {
  const auto address = reinterpret_cast<uintptr_t>(from);
  return reinterpret_cast<float*>((address + 63) / 64 * 64);
}

/** Enough groups to give every thread a direction of one, when there are sequences for it. */
size_t groups_for(size_t batch, size_t directions) {
  const size_t wanted = (thread_count() + directions - 1) / directions;
  return std::max<size_t>(1, std::min(wanted, batch / kFewestSequences));
}

// What stands before packed weights, which begin at the next cache line.
enum PackedHeader : size_t { kPackedLanes, kPackedTerms, kPackedHeaderSize };

/** Floats of one direction's packed weights, their header included. */
size_t packed_size(const Lstm& lstm, bool bfloat16) {
#if defined(__x86_64__)
  const size_t size = bfloat16 ? avx512bf16::lstm_packed_size(lstm)
                               : TACET_DISPATCH(lstm_packed_size, lstm);
#else
  const size_t size = TACET_DISPATCH(lstm_packed_size, lstm);
#endif
  return kPackedHeaderSize + kAlignment + size;
}

void require_bfloat16() {
  if (!has_bfloat16()) throw std::invalid_argument("this processor does not multiply bfloat16");
}

/**
 * The arguments that all functions share: (input, output, state, lengths, B, T, I, H, D, then for
 * each direction reverse, kernel, recurrent, bias, mask | null). Without a state, null, the forward
 * pass keeps nothing for a backward one.
 */
class LstmCall {
 public:
  LstmCall(Call& call, bool forward) : call_(call) {
    lstm.batch = call.size(4);
    lstm.steps = call.size(5);
    lstm.inputs = call.size(6);
    lstm.units = call.size(7);
    lstm.directions = call.size(8);
    if (lstm.directions < 1 || lstm.directions > kMaxDirections || lstm.units < 1 || lstm.inputs < 1) {
      throw std::invalid_argument("there must be 1 or 2 directions, and units and inputs");
    }
    lengths = call.ints(3, lstm.batch).data;
    for (size_t d = 0; d < lstm.directions; d++) {
      const size_t at = kDirections + 5 * d;
      lstm.direction[d] = {call.flag(at), call.floats(at + 1, lstm.inputs * 4 * lstm.units).data,
                           call.floats(at + 2, lstm.units * 4 * lstm.units).data,
                           call.floats(at + 3, 4 * lstm.units).data,
                           call.optional_floats(at + 4, lstm.batch * lstm.units).data,
                           nullptr,
                           false};
    }
    plan().make(lengths, lstm.batch, lstm.steps, groups_for(lstm.batch, lstm.directions));
    lstm.plan = &plan();
    lstm.state = nullptr;
    if (forward && !call.has(2)) return;
    const size_t lanes = TACET_DISPATCH(lstm_lanes);
    const size_t needed = state_size(plan().rows(), lstm.units, lstm.directions, lanes);
    const View<float> state = call.floats(2);
    if (state.size < needed) {
      throw std::invalid_argument("the state must hold " + std::to_string(needed) + " floats");
    }
    header_ = state.data;
    if (forward) {
      header_[kHeaderLanes] = static_cast<float>(lanes);
      header_[kHeaderRows] = static_cast<float>(plan().rows());
    } else if (header_[kHeaderLanes] != static_cast<float>(lanes) ||
               header_[kHeaderRows] != static_cast<float>(plan().rows())) {
      throw std::invalid_argument("the state is not one of this LSTM");
    }
    lstm.state = aligned(header_ + kHeaderSize);
  }

  void require(Phase phase) const {
    if (header_[kHeaderPhase] != static_cast<float>(phase)) {
      throw std::invalid_argument("the state of an LSTM serves one backward pass");
    }
  }
  void set(Phase phase) {
    if (header_ != nullptr) header_[kHeaderPhase] = static_cast<float>(phase);
  }

  /**
   * The arguments of the forward pass after the shared ones: whether products are of bfloat16, then
   * for each direction memory for packed weights, which are packed there once, or null.
   */
  bool take_packed() {
    const size_t at = kDirections + 5 * lstm.directions;
    const bool bfloat16 = call_.flag(at);
    if (bfloat16) require_bfloat16();
    if (bfloat16 && lstm.state != nullptr) {
      throw std::invalid_argument("no backward pass follows products of bfloat16");
    }
    const size_t size = packed_size(lstm, bfloat16);
    const float terms = bfloat16 ? 2 : 1, lanes = static_cast<float>(TACET_DISPATCH(lstm_lanes));
    float* own = own_packed().floats(lstm.directions * size);
    for (size_t d = 0; d < lstm.directions; d++) {
      LstmDirection& direction = lstm.direction[d];
      const View<float> given = call_.optional_floats(at + 1 + d, size);
      float* header = given ? given.data : own + d * size;
      direction.packed = aligned(header + kPackedHeaderSize);
      direction.is_packed = given && header[kPackedLanes] == lanes && header[kPackedTerms] == terms;
      header[kPackedLanes] = lanes;
      header[kPackedTerms] = terms;
    }
    return bfloat16;
  }

  size_t input_size() const { return lstm.batch * lstm.steps * lstm.inputs; }
  size_t output_size() const { return lstm.batch * lstm.steps * lstm.directions * lstm.units; }

  /** The direction that the last argument names. */
  size_t direction() const {
    const size_t d = call_.size(kDirections + 5 * lstm.directions);
    if (d >= lstm.directions) throw std::invalid_argument("there is no such direction");
    return d;
  }

  Lstm lstm;
  const int32_t* lengths;

 private:
  static constexpr size_t kDirections = 9;

  static LstmPlan& plan() {
    thread_local LstmPlan plan;
    return plan;
  }

  static Scratch& own_packed() {
    thread_local Scratch packed;
    return packed;
  }

  Call& call_;
  float* header_ = nullptr;
};

// (lengths, H, D) -> floats that the state of a batch needs
void lstm_state_size(Call& call) {
  size_t rows = 0;
  const View<int32_t> lengths = call.ints(0);
  for (size_t b = 0; b < lengths.size; b++) rows += static_cast<size_t>(std::max(lengths[b], 0));
  const size_t lanes = TACET_DISPATCH(lstm_lanes);
  call.result(static_cast<double>(state_size(rows, call.size(1), call.size(2), lanes)));
}
const Registration state_size_registration("lstmStateSize", lstm_state_size);

// (I, H, bfloat16) -> floats of memory for the packed weights of one direction
void lstm_packed_size(Call& call) {
  Lstm lstm{};
  lstm.inputs = call.size(0);
  lstm.units = call.size(1);
  const bool bfloat16 = call.flag(2);
  if (bfloat16) require_bfloat16();
  call.result(static_cast<double>(packed_size(lstm, bfloat16)));
}
const Registration packed_size_registration("lstmPackedSize", lstm_packed_size);

// (x [B, T, I], y [B, T, D H], state | null, ..., bfloat16, packed | null for each direction)
void forward(Call& call) {
  LstmCall one(call, true);
  const float* x = call.floats(0, one.input_size()).data;
  float* y = call.floats(1, one.output_size()).data;
#if defined(__x86_64__)
  if (one.take_packed()) return avx512bf16::lstm_forward(one.lstm, one.lengths, x, y);
#else
  one.take_packed();
#endif
  TACET_DISPATCH(lstm_forward, one.lstm, one.lengths, x, y);
  one.set(kForwardDone);
}
const Registration forward_registration("lstmForward", forward);

// (dy [B, T, D H], null, state, ...): the state turns from gates into gradients
void backward(Call& call) {
  LstmCall one(call, false);
  one.require(kForwardDone);
  const float* dy = call.floats(0, one.output_size()).data;
  TACET_DISPATCH(lstm_backward, one.lstm, dy);
  one.set(kBackwardDone);
}
const Registration backward_registration("lstmBackward", backward);

// (null, dx [B, T, I], state, ...)
void input_gradient(Call& call) {
  const LstmCall one(call, false);
  one.require(kBackwardDone);
  float* dx = call.floats(1, one.input_size()).data;
  TACET_DISPATCH(lstm_input_gradient, one.lstm, one.lengths, dx);
}
const Registration input_registration("lstmInputGradient", input_gradient);

// (x [B, T, I], dkernel [I, 4H], state, ..., direction)
void kernel_gradient(Call& call) {
  const LstmCall one(call, false);
  one.require(kBackwardDone);
  const float* x = call.floats(0, one.input_size()).data;
  float* dkernel = call.floats(1, one.lstm.inputs * 4 * one.lstm.units).data;
  TACET_DISPATCH(lstm_kernel_gradient, one.lstm, x, one.direction(), dkernel);
}
const Registration kernel_registration("lstmKernelGradient", kernel_gradient);

// (null, drecurrent [H, 4H], state, ..., direction)
void recurrent_gradient(Call& call) {
  const LstmCall one(call, false);
  one.require(kBackwardDone);
  float* drecurrent = call.floats(1, one.lstm.units * 4 * one.lstm.units).data;
  TACET_DISPATCH(lstm_recurrent_gradient, one.lstm, one.direction(), drecurrent);
}
const Registration recurrent_registration("lstmRecurrentGradient", recurrent_gradient);

// (null, dbias [4H], state, ..., direction)
void bias_gradient(Call& call) {
  const LstmCall one(call, false);
  one.require(kBackwardDone);
  float* dbias = call.floats(1, 4 * one.lstm.units).data;
  TACET_DISPATCH(lstm_bias_gradient, one.lstm, one.direction(), dbias);
}
const Registration bias_registration("lstmBiasGradient", bias_gradient);

}  // namespace

}  // namespace tacet
