// The backward pass of an LSTM and its gradients. Included by lstm_kernels.h, after lstm_packing.h.
namespace {

/** The parts of the state of one direction. */
struct LstmState {
  size_t rows, blocks, width;
  float* gates;
  float* cells;
  float* previous;

  float* gate(size_t block, size_t row) const { return gates + (block * rows + row) * kPanel; }
  float* cell(size_t row) const { return cells + row * width; }
  float* hidden(size_t row) const { return previous + row * width; }
};

LstmState state_of(const Lstm& lstm, size_t direction) {
  LstmState state;
  state.rows = lstm.plan->rows();
  state.blocks = (lstm.units + kLanes - 1) / kLanes;
  state.width = state.blocks * kLanes;
  const size_t size = state.rows * state.width;
  state.gates = lstm.state + direction * 6 * size;
  state.cells = state.gates + 4 * size;
  state.previous = state.cells + size;
  return state;
}

/** The inverse of pack_gate_block. */
void unpack_gate_block(const Lstm& lstm, const float* panel, size_t k, size_t block, float* weights) {
  const size_t units = block_units(lstm, block);
  for (size_t row = 0; row < k; row++) {
    for (size_t gate = 0; gate < 4; gate++, panel += kLanes) {
      store_part(weights + (row * 4 + gate) * lstm.units + block * kLanes, load(panel), units);
    }
  }
}

/** The gates' columns of weights [k, 4H] as rows: panel `panel` of [4 * width][k], in gate order. */
void pack_transposed(const Lstm& lstm, const float* weights, size_t k, size_t panel, float* to) {
  const size_t blocks = (lstm.units + kLanes - 1) / kLanes;
  const size_t first = panel * kPanel;
  const size_t count = k - first < static_cast<size_t>(kPanel) ? k - first : kPanel;
  for (size_t block = 0; block < blocks; block++) {
    const size_t units = block_units(lstm, block);
    for (size_t gate = 0; gate < 4; gate++, to += kLanes * kPanel) {
      if (units < static_cast<size_t>(kLanes) || count < static_cast<size_t>(kPanel)) {
        std::memset(to, 0, kLanes * kPanel * sizeof(float));
      }
      const size_t stride = 4 * lstm.units;
      const float* from = weights + first * stride + gate * lstm.units + block * kLanes;
      size_t j = 0;
      for (; units == static_cast<size_t>(kLanes) && j + kLanes <= count; j += kLanes) {
        transpose_square(from + j * stride, stride, to + j, kPanel);
      }
      for (; j < count; j++) {
        for (size_t unit = 0; unit < units; unit++) to[unit * kPanel + j] = from[j * stride + unit];
      }
    }
  }
}

/** dh[r] = dz[r] R' for the first `active` rows of a step. */
void recurrent_gradient(const LstmState& state, size_t begin, size_t active, const float* transposed,
                        size_t panels, float* dh) {
  const Terms terms{state.blocks, static_cast<size_t>(kPanel), 1,
                    static_cast<ptrdiff_t>(state.rows * kPanel)};
  const ptrdiff_t stride = panels * kPanel;
  for (size_t panel = 0; panel < panels; panel++) {
    const float* right = transposed + panel * 4 * state.width * kPanel;
    for (size_t r = 0; r < active;) {
      const int rows = next_rows(active - r);
      const float* left[kRows];
      for (int i = 0; i < rows; i++) left[i] = state.gate(0, begin + r + i);
      tile_of(rows, kVectors, terms, left, right, kZeros, 0, dh + r * stride + panel * kPanel, stride);
      r += rows;
    }
  }
}

/** Gates of one step become the gradients of their sums; dc becomes that of the step before. */
void step_backward(const Lstm& lstm, size_t d, const LstmState& state, const LstmGroup& group,
                   size_t step, const float* dy, const float* dh, size_t dh_stride, float* dc) {
  const LstmPlan& plan = *lstm.plan;
  const LstmDirection& direction = lstm.direction[d];
  const size_t begin = plan.begin(group, step);
  const size_t active = plan.active(group, step);
  const size_t next_active = plan.active(group, step + 1);
  const size_t before = step == 0 ? 0 : plan.begin(group, step - 1);
  for (size_t block = 0; block < state.blocks; block++) {
    const size_t units = block_units(lstm, block);
    const size_t unit = block * kLanes;
    for (size_t r = 0; r < active; r++) {
      const size_t row = begin + r;
      float* gates = state.gate(block, row);
      const Vec i = load(gates);
      const Vec f = load(gates + kLanes);
      const Vec g = load(gates + 2 * kLanes);
      const Vec o = load(gates + 3 * kLanes);
      const size_t source = plan.source(row, direction.reverse);
      Vec dh_t = load_part(dy + (source * lstm.directions + d) * lstm.units + unit, units);
      Vec dc_t = {};
      if (r < next_active) {
        const Vec fed_back = load(dh + r * dh_stride + unit);
        const float* mask = direction.mask;
        dh_t += mask == nullptr
                    ? fed_back
                    : fed_back * load_part(mask + plan.sequence(row) * lstm.units + unit, units);
        dc_t = load(dc + r * state.width + unit);
      }
      const Vec tanh_c = tanh(load(state.cell(row) + unit));
      dc_t += dh_t * o * (1.0f - tanh_c * tanh_c);
      const Vec c_before = step == 0 ? Vec{} : load(state.cell(before + r) + unit);
      store(gates, dc_t * g * i * (1.0f - i));
      store(gates + kLanes, dc_t * c_before * f * (1.0f - f));
      store(gates + 2 * kLanes, dc_t * i * (1.0f - g * g));
      store(gates + 3 * kLanes, dh_t * tanh_c * o * (1.0f - o));
      store(dc + r * state.width + unit, dc_t * f);
    }
  }
}

constexpr size_t kInputRows = 48;

/** dx of rows first..last of the layout: the sum over the directions of dz K'. */
void input_gradient_rows(const Lstm& lstm, const LstmState* states, const float* transposed,
                         size_t panels, size_t first, size_t last, float* dx) {
  const LstmPlan& plan = *lstm.plan;
  alignas(64) float sums[kInputRows * kPanel];
  const size_t panel_size = 4 * states[0].width * kPanel;
  for (size_t panel = 0; panel < panels; panel++) {
    const size_t columns = lstm.inputs - panel * kPanel < static_cast<size_t>(kPanel)
                               ? lstm.inputs - panel * kPanel
                               : kPanel;
    const int vectors = static_cast<int>((columns + kLanes - 1) / kLanes);
    for (size_t d = 0; d < lstm.directions; d++) {
      const LstmState& state = states[d];
      const float* right = transposed + (d * panels + panel) * panel_size;
      const Terms terms{state.blocks, static_cast<size_t>(kPanel), 1,
                        static_cast<ptrdiff_t>(state.rows * kPanel)};
      for (size_t row = first; row < last;) {
        const int rows = next_rows(last - row);
        const float* left[kRows];
        for (int r = 0; r < rows; r++) {
          left[r] = state.gate(0, lstm.direction[d].reverse ? plan.mirror(row + r) : row + r);
        }
        float* out = sums + (row - first) * kPanel;
        tile_of(rows, vectors, terms, left, right, d == 0 ? kZeros : out, d == 0 ? 0 : kPanel, out,
                kPanel);
        row += rows;
      }
    }
    for (size_t row = first; row < last; row++) {
      float* to = dx + plan.source(row, false) * lstm.inputs + panel * kPanel;
      for (int v = 0; v < vectors; v++) {
        store_part(to + v * kLanes, load(sums + (row - first) * kPanel + v * kLanes),
                   columns - v * kLanes);
      }
    }
  }
}

/** Columns first..last of `rows_of` (row of the layout -> its terms), transposed, times dz. */
template <typename Rows>
void weight_gradient_columns(const LstmState& state, const Rows& rows_of, size_t first, size_t last,
                             size_t height, float* sums) {
  thread_local Scratch scratch;
  const size_t block_k = block_depth(state.rows);
  float* packed = scratch.floats((last - first) * block_k);
  for (size_t k0 = 0; k0 < state.rows; k0 += block_k) {
    const size_t depth = block_k < state.rows - k0 ? block_k : state.rows - k0;
    for (size_t k = 0; k < depth; k++) {
      const float* from = rows_of(k0 + k);
      float* to = packed;
      for (size_t column = first; column < last;) {
        const int rows = next_rows(last - column);
        if (rows == kRows) {
          std::memcpy(to + k * kRows, from + column, kRows * sizeof(float));
        } else {
          for (int r = 0; r < rows; r++) to[k * rows + r] = from[column + r];
        }
        to += depth * rows;
        column += rows;
      }
    }
    for (size_t block = 0; block < state.blocks; block++) {
      for (size_t column = first; column < last;) {
        const int rows = next_rows(last - column);
        const float* left[kRows];
        for (int r = 0; r < rows; r++) left[r] = packed + (column - first) * depth + r;
        float* out = sums + (block * height + column) * kPanel;
        tile_of(rows, kVectors, {1, depth, rows, 0}, left, state.gate(block, k0),
                k0 == 0 ? kZeros : out, k0 == 0 ? 0 : kPanel, out, kPanel);
        column += rows;
      }
    }
  }
}

/** dW [height, 4H] = rows' dz. */
template <typename Rows>
void weight_gradient(const Lstm& lstm, const LstmState& state, const Rows& rows_of, size_t height,
                     float* dw) {
  thread_local Scratch scratch;
  float* sums = scratch.floats(state.blocks * height * kPanel);
  if (state.rows == 0) std::memset(sums, 0, state.blocks * height * kPanel * sizeof(float));
  const size_t share = (height + thread_count() - 1) / thread_count();
  const size_t grain = share < 12 ? 12 : share > 192 ? 192 : share;
  parallel_for(height, grain, [&](size_t begin, size_t end) {
    weight_gradient_columns(state, rows_of, begin, end, height, sums);
  });
  parallel_for(state.blocks, 1, [&](size_t begin, size_t end) {
    for (size_t block = begin; block < end; block++) {
      unpack_gate_block(lstm, sums + block * height * kPanel, height, block, dw);
    }
  });
}

/** dK [I, 4H] where codes stand for x: each row of the layout adds its dz to the row of its code. */
void code_gradient(const Lstm& lstm, size_t d, const LstmState& state, float* dkernel) {
  thread_local Scratch scratch;
  const bool reverse = lstm.direction[d].reverse;
  const size_t size = lstm.inputs * kPanel;
  float* sums = scratch.floats(state.blocks * size);
  parallel_for(state.blocks, 1, [&](size_t begin, size_t end) {
    for (size_t block = begin; block < end; block++) {
      float* own = sums + block * size;
      std::memset(own, 0, size * sizeof(float));
      for (size_t row = 0; row < state.rows; row++) {
        float* to = own + lstm.codes[lstm.plan->source(row, reverse)] * kPanel;
        const float* dz = state.gate(block, row);
        for (int v = 0; v < kPanel; v += kLanes) store(to + v, load(to + v) + load(dz + v));
      }
      unpack_gate_block(lstm, own, lstm.inputs, block, dkernel);
    }
  });
}

}  // namespace

void lstm_backward(const Lstm& lstm, const float* dy) {
  thread_local Scratch packed_scratch;
  const LstmPlan& plan = *lstm.plan;
  const LstmState first = state_of(lstm, 0);
  const size_t panels = (lstm.units + kPanel - 1) / kPanel;
  const size_t panel_size = 4 * first.width * kPanel;
  float* packed = packed_scratch.floats(lstm.directions * panels * panel_size);
  parallel_for(lstm.directions * panels, 1, [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; task++) {
      pack_transposed(lstm, lstm.direction[task / panels].recurrent, lstm.units, task % panels,
                      packed + task * panel_size);
    }
  });
  const auto& groups = plan.groups();
  parallel_for(lstm.directions * groups.size(), 1, [&](size_t begin, size_t end) {
    thread_local Scratch scratch;
    for (size_t task = begin; task < end; task++) {
      const size_t d = task % lstm.directions;
      const LstmGroup& group = groups[task / lstm.directions];
      const LstmState state = state_of(lstm, d);
      const size_t width = panels * kPanel;
      const size_t most = plan.active(group, 0);
      float* dh = scratch.floats(most * (width + state.width));
      float* dc = dh + most * width;
      for (size_t step = plan.steps(group); step-- > 0;) {
        if (step + 1 < plan.steps(group)) {
          recurrent_gradient(state, plan.begin(group, step + 1), plan.active(group, step + 1),
                             packed + d * panels * panel_size, panels, dh);
        }
        step_backward(lstm, d, state, group, step, dy, dh, width, dc);
      }
    }
  });
}

void lstm_input_gradient(const Lstm& lstm, const int32_t* lengths, float* dx) {
  thread_local Scratch scratch;
  LstmState states[kMaxDirections];
  for (size_t d = 0; d < lstm.directions; d++) states[d] = state_of(lstm, d);
  zero_padding(lstm, lengths, lstm.inputs, dx);
  const size_t panels = (lstm.inputs + kPanel - 1) / kPanel;
  const size_t panel_size = 4 * states[0].width * kPanel;
  float* packed = scratch.floats(lstm.directions * panels * panel_size);
  parallel_for(lstm.directions * panels, 1, [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; task++) {
      pack_transposed(lstm, lstm.direction[task / panels].kernel, lstm.inputs, task % panels,
                      packed + task * panel_size);
    }
  });
  parallel_for(states[0].rows, kInputRows, [&](size_t begin, size_t end) {
    input_gradient_rows(lstm, states, packed, panels, begin, end, dx);
  });
}

void lstm_kernel_gradient(const Lstm& lstm, const float* x, size_t d, float* dkernel) {
  if (lstm.codes != nullptr) return code_gradient(lstm, d, state_of(lstm, d), dkernel);
  const bool reverse = lstm.direction[d].reverse;
  const LstmPlan& plan = *lstm.plan;
  const auto rows_of = [&](size_t row) { return x + plan.source(row, reverse) * lstm.inputs; };
  weight_gradient(lstm, state_of(lstm, d), rows_of, lstm.inputs, dkernel);
}

void lstm_recurrent_gradient(const Lstm& lstm, size_t d, float* drecurrent) {
  const LstmState state = state_of(lstm, d);
  const auto rows_of = [&](size_t row) { return state.hidden(row); };
  weight_gradient(lstm, state, rows_of, lstm.units, drecurrent);
}

void lstm_bias_gradient(const Lstm& lstm, size_t d, float* dbias) {
  const LstmState state = state_of(lstm, d);
  for (size_t block = 0; block < state.blocks; block++) {
    Vec sums[4] = {};
    for (size_t row = 0; row < state.rows; row++) {
      for (int gate = 0; gate < 4; gate++) {
        sums[gate] += load(state.gate(block, row) + gate * kLanes);
      }
    }
    alignas(64) float panel[kPanel];
    for (int gate = 0; gate < 4; gate++) store(panel + gate * kLanes, sums[gate]);
    unpack_gate_block(lstm, panel, 1, block, dbias);
  }
}
