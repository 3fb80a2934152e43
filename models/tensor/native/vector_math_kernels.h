void apply_function(ElementaryFunction function, const float* in, float* out, size_t size) {
  parallel_for(size, 16384, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += kLanes) {
      const Vec x = load_part(in + i, end - i);
      const Vec y = function == ElementaryFunction::exp    ? exp(x)
                    : function == ElementaryFunction::tanh ? tanh(x)
                                                           : sigmoid(x);
      store_part(out + i, y, end - i);
    }
  });
}
