#include "isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <atomic>
#include <cstdlib>
#include <string>

#include "registry.h"

namespace tacet {

namespace {

constexpr const char* kNames[] = {"portable", "avx2", "avx512"};

#if defined(__x86_64__)
/** Not every compiler's __builtin_cpu_supports knows of it. */
bool converts_float16() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

bool runs_here(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    case Isa::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_float16();
    case Isa::portable:
      return true;
  }
#endif
  return isa == Isa::portable;
}

bool parse(const std::string& name, Isa* isa) {
  for (const Isa one : {Isa::portable, Isa::avx2, Isa::avx512}) {
    if (name == kNames[static_cast<int>(one)] && runs_here(one)) {
      *isa = one;
      return true;
    }
  }
  return false;
}

Isa initial() {
  Isa chosen;
  const char* forced = std::getenv("TACET_ISA");
  if (forced != nullptr && *forced != '\0') {
    if (parse(forced, &chosen)) return chosen;
    throw std::invalid_argument(std::string("TACET_ISA is '") + forced +
                                "'; expected avx512, avx2 or portable, and one that this processor runs");
  }
  for (const Isa one : {Isa::avx512, Isa::avx2}) {
    if (runs_here(one)) return one;
  }
  return Isa::portable;
}

std::atomic<Isa>& current() {
  static std::atomic<Isa> isa{initial()};
  return isa;
}

void isa_function(Call& call) { call.result(std::string(kNames[static_cast<int>(isa())])); }
const Registration isa_registration("isa", isa_function);

// Returns the name that was in use before.
void use_isa(Call& call) {
  Isa chosen;
  const Value wanted = call.argument(0, "name");
  const std::string name = wanted.text();
  if (!parse(name, &chosen)) {
    wanted.wrong("an instruction set that this processor runs", "'" + name + "'");
  }
  isa_function(call);
  current().store(chosen);
}
const Registration use_isa_registration("useIsa", use_isa);

void has_bfloat16_function(Call& call) { call.result(has_bfloat16()); }
const Registration has_bfloat16_registration("hasBfloat16", has_bfloat16_function);

}  // namespace

bool has_bfloat16() {
#if defined(__x86_64__)
  return isa() == Isa::avx512 && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

Isa isa() { return current().load(std::memory_order_relaxed); }

}  // namespace tacet
