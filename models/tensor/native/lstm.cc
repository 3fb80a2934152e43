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

/** What a state has gone through. */
enum Phase { kFresh, kForwardDone, kBackwardDone };

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

bool flag_of_bfloat16(const Value& value) {
  const bool wanted = value.flag();
  if (wanted && !has_bfloat16()) value.wrong("false, for this processor has no bfloat16", "true");
  return wanted;
}

/** What the record of every function holds. */
class LstmCall {
 public:
  /** For a pass over a state in `phase`, which the first pass may do without. */
  LstmCall(const Call& call, Phase phase) : record_(call.record()) {
    lstm.steps = record_["steps"].size();
    lstm.inputs = record_["inputs"].positive();
    lstm.units = record_["units"].positive();
    const View<int32_t> of_sequences = record_["lengths"].ints_below(lstm.steps + 1);
    lengths = of_sequences.data;
    lstm.batch = of_sequences.size;
    take_directions(record_["directions"]);
    plan().make(lengths, lstm.batch, lstm.steps, groups_for(lstm.batch, lstm.directions));
    lstm.plan = &plan();
    const Value state = record_["state"];
    if (phase != kFresh || state.given()) take_state(state, phase);
  }

  void set(Phase phase) {
    if (header_ != nullptr) header_[kHeaderPhase] = static_cast<float>(phase);
  }

  /** The fields of the forward pass alone. Returns whether products are of bfloat16. */
  bool take_packed() {
    const bool bfloat16 = flag_of_bfloat16(record_["bfloat16"]);
    if (bfloat16 && lstm.state != nullptr) {
      record_["state"].wrong("null where products are of bfloat16", "one for a backward pass");
    }
    if (bfloat16 && lstm.codes != nullptr) {
      record_["codes"].wrong("null where products are of bfloat16", "some");
    }
    const size_t size = packed_size(lstm, bfloat16);
    const float terms = bfloat16 ? 2 : 1, lanes = static_cast<float>(TACET_DISPATCH(lstm_lanes));
    float* own = own_packed().floats(lstm.directions * size);
    const Value directions = record_["directions"];
    for (size_t d = 0; d < lstm.directions; d++) {
      LstmDirection& direction = lstm.direction[d];
      const View<float> given = directions.at(d)["packed"].optional_floats({size});
      float* header = given ? given.data : own + d * size;
      direction.packed = aligned(header + kPackedHeaderSize);
      direction.is_packed = given && header[kPackedLanes] == lanes && header[kPackedTerms] == terms;
      header[kPackedLanes] = lanes;
      header[kPackedTerms] = terms;
    }
    return bfloat16;
  }

  /** x [B, T, I], or null where `codes` [B, T] stand for its rows. */
  const float* take_inputs() {
    const Value codes = record_["codes"];
    if (!codes.given()) return inputs("x");
    codes.ints({lstm.batch, lstm.steps});
    lstm.codes = codes.ints_below(lstm.inputs).data;
    return nullptr;
  }

  /** [B, T, I] */
  float* inputs(const char* field) const {
    return record_[field].floats({lstm.batch, lstm.steps, lstm.inputs}).data;
  }
  /** [B, T, D H] */
  float* outputs(const char* field) const {
    return record_[field].floats({lstm.batch, lstm.steps, lstm.directions * lstm.units}).data;
  }
  /** The gradient of a weight of [rows, 4H]. */
  float* gradient(size_t rows) const { return record_["gradient"].floats({rows, 4 * lstm.units}).data; }

  /** The direction whose gradient is asked for. */
  size_t direction() const {
    const Value value = record_["direction"];
    const size_t d = value.size();
    if (d >= lstm.directions) {
      value.wrong("under " + std::to_string(lstm.directions), std::to_string(d));
    }
    return d;
  }

  Lstm lstm{};
  const int32_t* lengths;

 private:
  void take_directions(const Value& directions) {
    lstm.directions = directions.count();
    if (lstm.directions < 1 || lstm.directions > kMaxDirections) {
      directions.wrong("of length 1 or 2", std::to_string(lstm.directions));
    }
    const size_t gates = 4 * lstm.units;
    for (size_t d = 0; d < lstm.directions; d++) {
      const Value record = directions.at(d);
      LstmDirection& direction = lstm.direction[d];
      direction = {};
      direction.reverse = record["reverse"].flag();
      direction.kernel = record["kernel"].floats({lstm.inputs, gates}).data;
      direction.recurrent = record["recurrent"].floats({lstm.units, gates}).data;
      direction.bias = record["bias"].floats({gates}).data;
      direction.mask = record["mask"].optional_floats({lstm.batch, lstm.units}).data;
    }
  }

  void take_state(const Value& value, Phase phase) {
    const size_t lanes = TACET_DISPATCH(lstm_lanes);
    const size_t needed = state_size(plan().rows(), lstm.units, lstm.directions, lanes);
    const View<float> state = value.floats();
    if (state.size < needed) {
      value.wrong("at least of length " + std::to_string(needed), std::to_string(state.size));
    }
    header_ = state.data;
    const float of_lanes = static_cast<float>(lanes), rows = static_cast<float>(plan().rows());
    if (phase == kFresh) {
      header_[kHeaderLanes] = of_lanes;
      header_[kHeaderRows] = rows;
    } else if (header_[kHeaderLanes] != of_lanes || header_[kHeaderRows] != rows) {
      value.wrong("the state of this LSTM", "another's");
    } else if (header_[kHeaderPhase] != static_cast<float>(phase)) {
      value.wrong("as the pass before left it, for one backward pass", "one of another pass");
    }
    lstm.state = aligned(header_ + kHeaderSize);
  }

  static LstmPlan& plan() {
    thread_local LstmPlan plan;
    return plan;
  }

  static Scratch& own_packed() {
    thread_local Scratch packed;
    return packed;
  }

  const Value record_;
  float* header_ = nullptr;
};

void lstm_state_size(Call& call) {
  size_t rows = 0;
  const View<int32_t> lengths = call.argument(0, "lengths").ints();
  for (size_t b = 0; b < lengths.size; b++) rows += static_cast<size_t>(std::max(lengths[b], 0));
  const size_t units = call.argument(1, "units").size();
  const size_t directions = call.argument(2, "directions").size();
  const size_t lanes = TACET_DISPATCH(lstm_lanes);
  call.result(static_cast<double>(state_size(rows, units, directions, lanes)));
}
const Registration state_size_registration("lstmStateSize", lstm_state_size);

void lstm_packed_size(Call& call) {
  Lstm lstm{};
  lstm.inputs = call.argument(0, "inputs").size();
  lstm.units = call.argument(1, "units").size();
  const bool bfloat16 = flag_of_bfloat16(call.argument(2, "bfloat16"));
  call.result(static_cast<double>(packed_size(lstm, bfloat16)));
}
const Registration packed_size_registration("lstmPackedSize", lstm_packed_size);

void forward(Call& call) {
  LstmCall one(call, kFresh);
  const float* x = one.take_inputs();
  float* y = one.outputs("y");
#if defined(__x86_64__)
  if (one.take_packed()) return avx512bf16::lstm_forward(one.lstm, one.lengths, x, y);
#else
  one.take_packed();
#endif
  TACET_DISPATCH(lstm_forward, one.lstm, one.lengths, x, y);
  one.set(kForwardDone);
}
const Registration forward_registration("lstmForward", forward);

// The state turns from gates into gradients.
void backward(Call& call) {
  LstmCall one(call, kForwardDone);
  TACET_DISPATCH(lstm_backward, one.lstm, one.outputs("dy"));
  one.set(kBackwardDone);
}
const Registration backward_registration("lstmBackward", backward);

void input_gradient(Call& call) {
  const LstmCall one(call, kBackwardDone);
  TACET_DISPATCH(lstm_input_gradient, one.lstm, one.lengths, one.inputs("dx"));
}
const Registration input_registration("lstmInputGradient", input_gradient);

void kernel_gradient(Call& call) {
  LstmCall one(call, kBackwardDone);
  const float* x = one.take_inputs();
  float* dkernel = one.gradient(one.lstm.inputs);
  TACET_DISPATCH(lstm_kernel_gradient, one.lstm, x, one.direction(), dkernel);
}
const Registration kernel_registration("lstmKernelGradient", kernel_gradient);

void recurrent_gradient(Call& call) {
  const LstmCall one(call, kBackwardDone);
  float* drecurrent = one.gradient(one.lstm.units);
  TACET_DISPATCH(lstm_recurrent_gradient, one.lstm, one.direction(), drecurrent);
}
const Registration recurrent_registration("lstmRecurrentGradient", recurrent_gradient);

void bias_gradient(Call& call) {
  const LstmCall one(call, kBackwardDone);
  TACET_DISPATCH(lstm_bias_gradient, one.lstm, one.direction(), one.gradient(1));
}
const Registration bias_registration("lstmBiasGradient", bias_gradient);

}  // namespace

}  // namespace tacet
