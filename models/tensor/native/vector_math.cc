// exp, tanh and sigmoid of whole arrays.
#include "isa.h"
#include "registry.h"
#include "thread_pool.h"

namespace tacet {
enum class ElementaryFunction { exp, tanh, sigmoid };
}

#define TACET_KERNELS "vector_math_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

template <ElementaryFunction F>
void elementwise(Call& call) {
  const View<float> in = call.argument(0, "x").floats();
  const View<float> out = call.argument(1, "result").floats({in.size});
  TACET_DISPATCH(apply_function, F, in.data, out.data, in.size);
}

const Registration exp_registration("vectorExp", elementwise<ElementaryFunction::exp>);
const Registration tanh_registration("vectorTanh", elementwise<ElementaryFunction::tanh>);
const Registration sigmoid_registration("vectorSigmoid", elementwise<ElementaryFunction::sigmoid>);

}  // namespace

}  // namespace tacet
