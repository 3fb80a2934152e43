// Working memory that a thread keeps from call to call, so that steady work allocates nothing.
#pragma once

#include <cstddef>
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

  /** At least `size` floats; what they hold is unspecified. */
  float* floats(size_t size) {
    if (size > size_) {
      std::free(data_);
      size_ = 0;
      const size_t bytes = (size * sizeof(float) + 4095) / 4096 * 4096;
      data_ = static_cast<float*>(std::aligned_alloc(4096, bytes));
      if (data_ == nullptr) throw std::bad_alloc();
      size_ = bytes / sizeof(float);
    }
    return data_;
  }

 private:
  float* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tacet
