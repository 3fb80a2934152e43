// How the weights of an LSTM are packed. Included by kernel files, after tile.h.
namespace {

/** Units of a direction in whole blocks. */
TACET_IN_PLACE size_t width_of(const Lstm& lstm) {
  return (lstm.units + kLanes - 1) / kLanes * kLanes;
}

/** Floats of one row's units that block `block` holds: kLanes, or fewer in the last. */
TACET_IN_PLACE size_t block_units(const Lstm& lstm, size_t block) {
  const size_t left = lstm.units - block * kLanes;
  return left < static_cast<size_t>(kLanes) ? left : kLanes;
}

/** Block `block` of weights [k, 4H] as a panel [words of k][i f g o]. */
template <typename Arithmetic = Single>
void pack_gate_block(const Lstm& lstm, const float* weights, size_t k, size_t block, float* to) {
  const size_t units = block_units(lstm, block);
  const size_t stride = 4 * lstm.units;
  for (size_t row = 0; row < k; row += Arithmetic::kTerms) {
    const bool pair = Arithmetic::kTerms > 1 && row + 1 < k;
    for (size_t gate = 0; gate < 4; gate++, to += kLanes) {
      const float* from = weights + row * stride + gate * lstm.units + block * kLanes;
      const Vec second = pair ? load_part(from + stride, units) : Vec{};
      store(to, Arithmetic::words(load_part(from, units), second));
    }
  }
}

/** Zeros beyond the lengths of y [B, T, width]. */
void zero_padding(const Lstm& lstm, const int32_t* lengths, size_t width, float* y) {
  for (size_t b = 0; b < lstm.batch; b++) {
    const size_t length = static_cast<size_t>(lengths[b]);
    float* from = y + (b * lstm.steps + length) * width;
    std::memset(from, 0, (lstm.steps - length) * width * sizeof(float));
  }
}

}  // namespace
