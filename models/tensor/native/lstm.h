// LSTM over whole sequences (Hochreiter and Schmidhuber 1997, with forget gates):
//
//   i f g o = sigmoid sigmoid tanh sigmoid (x_t K + (h_{t-1} * mask) R + bias)
//   c_t = f c_{t-1} + i g,   h_t = o tanh c_t
//
// The forward pass leaves what the backward pass needs in `state`, where there is one; the backward
// pass replaces the gates in it by the gradients of their sums, from which all gradients are plain
// matrix products.
// The state holds, for each direction, with blocks of TACET_LANES units and N rows (lstm_plan.h):
//   gates     [blocks][N][i f g o: 4 * lanes]   a block is a packed panel (tile.h) as it stands
//   cells     [N][units]                        units = blocks * lanes
//   previous  [N][units]                        h_{t-1} * mask
#pragma once

#include <cstddef>
#include <cstdint>

#include "lstm_plan.h"

namespace tacet {

constexpr size_t kMaxDirections = 2;

struct LstmDirection {
  bool reverse;
  const float* kernel;     // [I, 4H]
  const float* recurrent;  // [H, 4H]
  const float* bias;       // [4H]
  const float* mask;       // [B, H] or null
  float* packed;           // the weights as the products read them
  bool is_packed;          // whether they are there already
};

struct Lstm {
  size_t batch, steps, inputs, units, directions;
  LstmDirection direction[kMaxDirections];
  const int32_t* codes;  // [B, T], where each row of x has its one and else zeros; or null
  const LstmPlan* plan;
  float* state;  // or null
};

}  // namespace tacet
