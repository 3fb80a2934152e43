// Compiles the file named by TACET_KERNELS once for each instruction set, into the namespaces
// tacet::portable, tacet::avx2 and tacet::avx512, in one translation unit. That file has no include
// guard, opens no namespace of its own, and keeps what it does not export in an unnamed namespace.
// It sees vector.h and
//   TACET_LANES  floats in a vector
//   TACET_ROWS   rows of the matrix product's register tile
// Standard headers must be included before this file: inside a region their inline functions would
// be compiled for a processor that may not be there.
#include "vector_types.h"

#if defined(__clang__)
#define TACET_PRAGMA(text) _Pragma(#text)
#define TACET_BEGIN(features) \
  TACET_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define TACET_END _Pragma("clang attribute pop")
#else
#define TACET_PRAGMA(text) _Pragma(#text)
#define TACET_BEGIN(features) _Pragma("GCC push_options") TACET_PRAGMA(GCC target(features))
#define TACET_END _Pragma("GCC pop_options")
#endif

#define TACET_LANES 4
#define TACET_ROWS 3
namespace tacet::portable {
#include "vector.h"
#include TACET_KERNELS
}
#undef TACET_LANES
#undef TACET_ROWS

#if defined(__x86_64__)

#define TACET_LANES 8
#define TACET_ROWS 3
TACET_BEGIN("avx2,fma,f16c")
namespace tacet::avx2 {
#include "vector.h"
#include TACET_KERNELS
}
TACET_END
#undef TACET_LANES
#undef TACET_ROWS

#define TACET_LANES 16
#define TACET_ROWS 6
TACET_BEGIN("avx2,fma,f16c,avx512f,avx512dq,avx512bw,avx512vl")
namespace tacet::avx512 {
#include "vector.h"
#include TACET_KERNELS
}
TACET_END

// A file of kernels for processors that also multiply bfloat16, into tacet::avx512bf16.
#if defined(TACET_BFLOAT16_KERNELS)
TACET_BEGIN("avx2,fma,f16c,avx512f,avx512dq,avx512bw,avx512vl,avx512bf16")
namespace tacet::avx512bf16 {
#include "vector.h"
#include TACET_BFLOAT16_KERNELS
}
TACET_END
#endif

#undef TACET_LANES
#undef TACET_ROWS

#endif
