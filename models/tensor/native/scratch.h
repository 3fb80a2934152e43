// Working memory that a thread keeps from call to call, so that steady work allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tacet {

/** A buffer that only grows, aligned to a cache line. */
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::free(data_); }

  /** At least `size` floats; what they hold is unspecified, as of the others. */
  float* floats(size_t size) { return static_cast<float*>(bytes(size * sizeof(float))); }
  double* doubles(size_t size) { return static_cast<double*>(bytes(size * sizeof(double))); }
  int32_t* ints(size_t size) { return static_cast<int32_t*>(bytes(size * sizeof(int32_t))); }

 private:
  void* bytes(size_t size) {
    if (size > size_) {
      std::free(data_);
      size_ = 0;
      const size_t whole = (size + 4095) / 4096 * 4096;
      data_ = std::aligned_alloc(4096, whole);
      if (data_ == nullptr) throw std::bad_alloc();
      size_ = whole;
    }
    return data_;
  }

  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tacet
