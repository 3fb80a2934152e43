// The forward pass of an LSTM. Included by lstm_kernels.h, after lstm_packing.h.
namespace {

/** Rows that are projected at a time: their gates stay in the cache until their steps are run. */
constexpr size_t kWindowRows = 96;

/** What a forward pass of one direction writes: for the backward pass, or for the next step alone. */
struct Trace {
  size_t rows, width;
  float* gates;   // [blocks][rows][i f g o]
  float* cells;   // [rows][width]
  float* hidden;  // [rows][hidden_width], h_{t-1} * mask as the product reads it
  size_t hidden_width;

  float* gate(size_t block, size_t row) const { return gates + (block * rows + row) * kPanel; }
  float* cell(size_t row) const { return cells + row * width; }
  float* hidden_row(size_t row) const { return hidden + row * hidden_width; }
};

/** The rows that a trace holds: of one window; of the whole pass; of it, with all gates projected. */
enum class Extent { window, whole, projected };

/** The first rows of a step, of the step before and of the next one in a trace. */
struct StepRows {
  size_t gates, cells, cells_before, hidden, hidden_next;
};

/** Packed weights of one direction: panels of each block, [words][i f g o]. */
struct PackedWeights {
  const float* kernel;
  const float* recurrent;
  const float* bias;
};

template <typename Arithmetic>
size_t packed_size(const Lstm& lstm, size_t width) {
  return 4 * width * (words_of<Arithmetic>(lstm.inputs) + words_of<Arithmetic>(lstm.units) + 1);
}

template <typename Arithmetic>
PackedWeights packed_weights(const Lstm& lstm, size_t d) {
  const size_t width = width_of(lstm);
  const float* packed = lstm.direction[d].packed;
  const float* recurrent = packed + 4 * width * words_of<Arithmetic>(lstm.inputs);
  return {packed, recurrent, recurrent + 4 * width * words_of<Arithmetic>(lstm.units)};
}

/** gates = bias + x K for `count` rows from `row`; `left` [count][words of the inputs]. */
template <typename Arithmetic>
void project(const Lstm& lstm, const Trace& trace, const PackedWeights& weights, const float* left,
             size_t row, size_t count) {
  const size_t words = words_of<Arithmetic>(lstm.inputs);
  for (size_t block = 0; block * kLanes < trace.width; block++) {
    const float* bias = weights.bias + block * kPanel;
    for (size_t r = 0; r < count;) {
      const int rows = next_rows(count - r);
      const float* pointers[kRows];
      for (int i = 0; i < rows; i++) pointers[i] = left + (r + i) * words;
      tile_of<Arithmetic>(rows, kVectors, {1, words, 1, 0}, pointers,
                          weights.kernel + block * words * kPanel, bias, 0,
                          trace.gate(block, row + r), kPanel);
      r += rows;
    }
  }
}

/** gates = bias + the row of K that a code names, for `count` rows of the layout from `first`. */
void look_up(const Lstm& lstm, size_t d, const Trace& trace, const PackedWeights& weights,
             size_t first, size_t count, size_t row) {
  const bool reverse = lstm.direction[d].reverse;
  for (size_t block = 0; block * kLanes < trace.width; block++) {
    const float* bias = weights.bias + block * kPanel;
    const float* kernel = weights.kernel + block * lstm.inputs * kPanel;
    for (size_t r = 0; r < count; r++) {
      const float* from = kernel + lstm.codes[lstm.plan->source(first + r, reverse)] * kPanel;
      float* to = trace.gate(block, row + r);
      for (int v = 0; v < kPanel; v += kLanes) store(to + v, load(bias + v) + load(from + v));
    }
  }
}

/** i f g o of one block from their sums, in place. */
void activate_gates(float* gates, size_t count) {
  for (size_t r = 0; r < count; r++, gates += kPanel) {
    store(gates, sigmoid(load(gates)));
    store(gates + kLanes, sigmoid(load(gates + kLanes)));
    store(gates + 2 * kLanes, tanh(load(gates + 2 * kLanes)));
    store(gates + 3 * kLanes, sigmoid(load(gates + 3 * kLanes)));
  }
}

/** One step of one group: gates, cells and outputs, block after block. */
template <typename Arithmetic>
void step_forward(const Lstm& lstm, size_t d, const Trace& trace, const LstmGroup& group, size_t step,
                  const StepRows& at, const float* recurrent, float* y) {
  const LstmPlan& plan = *lstm.plan;
  const LstmDirection& direction = lstm.direction[d];
  const size_t begin = plan.begin(group, step);
  const size_t active = plan.active(group, step);
  const size_t next_active = plan.active(group, step + 1);
  const size_t words = words_of<Arithmetic>(lstm.units);
  for (size_t block = 0; block * kLanes < trace.width; block++) {
    const size_t units = block_units(lstm, block);
    const size_t unit = block * kLanes;
    for (size_t r = 0; step > 0 && r < active;) {
      const int rows = next_rows(active - r);
      const float* left[kRows];
      for (int i = 0; i < rows; i++) left[i] = trace.hidden_row(at.hidden + r + i);
      float* gates = trace.gate(block, at.gates + r);
      tile_of<Arithmetic>(rows, kVectors, {1, words, 1, 0}, left, recurrent + block * words * kPanel,
                          gates, kPanel, gates, kPanel);
      r += rows;
    }
    // Apart from the cells, which wait for the gates: more rows are under way at a time.
    activate_gates(trace.gate(block, at.gates), active);
    for (size_t r = 0; r < active; r++) {
      const float* gates = trace.gate(block, at.gates + r);
      Vec c = load(gates) * load(gates + 2 * kLanes);
      if (step > 0) c = load(gates + kLanes) * load(trace.cell(at.cells_before + r) + unit) + c;
      const Vec h = load(gates + 3 * kLanes) * tanh(c);
      store(trace.cell(at.cells + r) + unit, c);
      const size_t source = plan.source(begin + r, direction.reverse);
      store_part(y + (source * lstm.directions + d) * lstm.units + unit, h, units);
      if (step == 0) Arithmetic::store_terms(trace.hidden_row(at.hidden + r), unit, Vec{});
      if (r < next_active) {
        const float* mask = direction.mask;
        const Vec kept =
            mask == nullptr
                ? h
                : h * load_part(mask + plan.sequence(begin + r) * lstm.units + unit, units);
        Arithmetic::store_terms(trace.hidden_row(at.hidden_next + r), unit, kept);
      }
    }
  }
}

/** Rows first..last of x in the order of the layout, as the product reads them. */
template <typename Arithmetic>
void copy_inputs(const Lstm& lstm, size_t d, const float* x, size_t first, size_t last, float* to) {
  for (size_t row = first; row < last; row++) {
    const size_t source = lstm.plan->source(row, lstm.direction[d].reverse);
    Arithmetic::copy_terms(x + source * lstm.inputs, lstm.inputs, to);
    to += words_of<Arithmetic>(lstm.inputs);
  }
}

/** The steps of one group in one direction; window after window their gates are projected, or were. */
template <typename Arithmetic>
void run_group(const Lstm& lstm, size_t d, const Trace& trace, Extent extent, const LstmGroup& group,
               const PackedWeights& weights, const float* x, float* y) {
  thread_local Scratch inputs_scratch;
  const LstmPlan& plan = *lstm.plan;
  const size_t words = words_of<Arithmetic>(lstm.inputs);
  const size_t steps = plan.steps(group);
  const size_t most = plan.active(group, 0);
  for (size_t step = 0, end = 0, row = 0; step < steps; step++) {
    const size_t begin = plan.begin(group, step);
    if (extent != Extent::projected && step == end) {
      size_t rows = 0;
      do {
        rows += plan.active(group, end++);
      } while (end < steps && rows + plan.active(group, end) <= kWindowRows);
      row = extent == Extent::window ? 0 : begin;
      float* inputs = lstm.codes == nullptr ? inputs_scratch.floats(rows * words) : nullptr;
      for (size_t s = step, filled = 0; s < end; filled += plan.active(group, s++)) {
        const size_t first = plan.begin(group, s);
        const size_t count = plan.active(group, s);
        if (lstm.codes != nullptr) {
          look_up(lstm, d, trace, weights, first, count, row + filled);
        } else {
          copy_inputs<Arithmetic>(lstm, d, x, first, first + count, inputs + filled * words);
        }
      }
      if (lstm.codes == nullptr) project<Arithmetic>(lstm, trace, weights, inputs, row, rows);
    }
    const size_t odd = step % 2 * most;
    const StepRows at =
        extent == Extent::window
            ? StepRows{row, 0, 0, odd, most - odd}
            : StepRows{begin, begin, step == 0 ? 0 : plan.begin(group, step - 1), begin,
                       step + 1 < steps ? plan.begin(group, step + 1) : 0};
    step_forward<Arithmetic>(lstm, d, trace, group, step, at, weights.recurrent, y);
    row += plan.active(group, step);
  }
}

/** Packs the weights of the directions that do not bring them packed. */
template <typename Arithmetic>
void pack_weights(const Lstm& lstm) {
  const size_t width = width_of(lstm), blocks = width / kLanes;
  const size_t kernel = words_of<Arithmetic>(lstm.inputs);
  const size_t recurrent = words_of<Arithmetic>(lstm.units);
  parallel_for(lstm.directions * blocks, 1, [&](size_t begin, size_t end) {
    for (size_t task = begin; task < end; task++) {
      const size_t block = task % blocks;
      const LstmDirection& direction = lstm.direction[task / blocks];
      if (direction.is_packed) continue;
      float* to = direction.packed;
      pack_gate_block<Arithmetic>(lstm, direction.kernel, lstm.inputs, block,
                                  to + block * kernel * kPanel);
      to += blocks * kernel * kPanel;
      pack_gate_block<Arithmetic>(lstm, direction.recurrent, lstm.units, block,
                                  to + block * recurrent * kPanel);
      to += blocks * recurrent * kPanel;
      pack_gate_block(lstm, direction.bias, 1, block, to + block * kPanel);
    }
  });
}

/** The gates of all rows, for groups whose rows do not lie together and threads that have no group. */
template <typename Arithmetic>
void project_all(const Lstm& lstm, const Trace* traces, const float* x) {
  const size_t rows = lstm.plan->rows();
  const size_t chunks = (rows + kWindowRows - 1) / kWindowRows;
  parallel_for(lstm.directions * chunks, 1, [&](size_t begin, size_t end) {
    thread_local Scratch scratch;
    float* inputs = scratch.floats(kWindowRows * words_of<Arithmetic>(lstm.inputs));
    for (size_t task = begin; task < end; task++) {
      const size_t d = task / chunks;
      const size_t first = task % chunks * kWindowRows;
      const size_t last = first + kWindowRows < rows ? first + kWindowRows : rows;
      const PackedWeights weights = packed_weights<Arithmetic>(lstm, d);
      if (lstm.codes != nullptr) {
        look_up(lstm, d, traces[d], weights, first, last - first, first);
        continue;
      }
      copy_inputs<Arithmetic>(lstm, d, x, first, last, inputs);
      project<Arithmetic>(lstm, traces[d], weights, inputs, first, last - first);
    }
  });
}

/** A trace of `rows` rows of gates and `cells` rows of cells in `memory`. */
Trace trace_in(float* memory, size_t width, size_t hidden_width, size_t rows, size_t cells) {
  return {rows, width, memory, memory + 4 * rows * width, memory + (4 * rows + cells) * width,
          hidden_width};
}

template <typename Arithmetic>
void forward_pass(const Lstm& lstm, const int32_t* lengths, const float* x, float* y) {
  thread_local Scratch trace_scratch;
  const size_t width = width_of(lstm);
  const size_t hidden_width = words_of<Arithmetic>(width);
  const auto& groups = lstm.plan->groups();
  const size_t tasks = lstm.directions * groups.size();
  const size_t rows = lstm.plan->rows();
  const bool spare_threads = tasks < thread_count();
  Extent extent = lstm.state == nullptr ? Extent::window : Extent::whole;
  if (spare_threads || (groups.size() > 1 && extent == Extent::whole)) extent = Extent::projected;
  zero_padding(lstm, lengths, lstm.directions * lstm.units, y);
  pack_weights<Arithmetic>(lstm);
  Trace traces[kMaxDirections];
  if (extent != Extent::window) {
    float* memory = lstm.state != nullptr
                        ? lstm.state
                        : trace_scratch.floats(lstm.directions * 6 * rows * width);
    for (size_t d = 0; d < lstm.directions; d++) {
      traces[d] = trace_in(memory + d * 6 * rows * width, width, hidden_width, rows, rows);
    }
    if (extent == Extent::projected) project_all<Arithmetic>(lstm, traces, x);
  }
  parallel_for(tasks, 1, [&](size_t begin, size_t end) {
    thread_local Scratch window_scratch;
    for (size_t task = begin; task < end; task++) {
      const size_t d = task % lstm.directions;
      const LstmGroup& group = groups[task / lstm.directions];
      Trace trace = traces[d];
      if (extent == Extent::window) {
        const size_t most = lstm.plan->active(group, 0);
        const size_t gates = most > kWindowRows ? most : kWindowRows;
        trace = trace_in(window_scratch.floats((4 * gates + 3 * most) * width), width, hidden_width,
                         gates, most);
      }
      run_group<Arithmetic>(lstm, d, trace, extent, group,
                            packed_weights<Arithmetic>(lstm, d), x, y);
    }
  });
}

}  // namespace
