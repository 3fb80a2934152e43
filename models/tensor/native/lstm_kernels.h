// Included by each_isa.h for lstm.cc.
#include "tile.h"
#include "pack.h"
#include "lstm_packing.h"
#include "lstm_forward_kernels.h"
#include "lstm_gradient_kernels.h"

size_t lstm_lanes() { return kLanes; }

size_t lstm_packed_size(const Lstm& lstm) { return packed_size<Single>(lstm, width_of(lstm)); }

void lstm_forward(const Lstm& lstm, const int32_t* lengths, const float* x, float* y) {
  forward_pass<Single>(lstm, lengths, x, y);
}
