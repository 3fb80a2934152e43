// What the kernels of each instruction set share (see each_isa.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define TACET_UNROLL _Pragma("GCC unroll 8")
#define TACET_UNROLL_LANES _Pragma("GCC unroll 16")
#else
#define TACET_UNROLL _Pragma("clang loop unroll(full)")
#endif
#define TACET_IN_PLACE inline __attribute__((always_inline))
