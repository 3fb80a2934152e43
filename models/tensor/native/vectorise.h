// Loops that the compiler vectorises, compiled once for each instruction set of the processor
// family; the loader binds the best one that this processor has.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define TACET_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TACET_VECTORISED
#endif

#define TACET_INLINE static inline __attribute__((always_inline))
