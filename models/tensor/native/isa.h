// Which vector instructions the kernels use. One build holds a version of each kernel for every
// instruction set; the processor, or TACET_ISA (avx512, avx2, portable), chooses at run time.
#pragma once

namespace tacet {

enum class Isa { portable, avx2, avx512 };

/** Whether kernels for bfloat16 run: with avx512 in use, on a processor that multiplies bfloat16. */
bool has_bfloat16();

/** The instruction set in use. Throws std::invalid_argument where TACET_ISA names none. */
Isa isa();

}  // namespace tacet

/** Calls `function` of the namespace of the instruction set in use (see each_isa.h). */
#if defined(__x86_64__)
#define TACET_DISPATCH(function, ...)                                          \
  (::tacet::isa() == ::tacet::Isa::avx512 ? ::tacet::avx512::function(__VA_ARGS__) \
   : ::tacet::isa() == ::tacet::Isa::avx2 ? ::tacet::avx2::function(__VA_ARGS__)   \
                                          : ::tacet::portable::function(__VA_ARGS__))
#else
#define TACET_DISPATCH(function, ...) ::tacet::portable::function(__VA_ARGS__)
#endif
