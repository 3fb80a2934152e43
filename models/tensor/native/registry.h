// The functions that the addon exports. A source file adds its own with a static Registration:
//
//   static void scale(Call& call) { ... }
//   static const Registration scale_registration("scale", scale);
#pragma once

#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tacet {

/** A typed array of the caller: a view, never a copy. */
template <typename T>
struct View {
  T* data = nullptr;
  size_t size = 0;

  explicit operator bool() const { return data != nullptr; }
  T& operator[](size_t i) const { return data[i]; }
};

/** One call from JavaScript. Accessors throw std::invalid_argument, which becomes a JavaScript error. */
class Call {
 public:
  static constexpr size_t kMaxArguments = 32;

  Call(napi_env env, napi_callback_info info);

  size_t count() const { return count_; }

  /** Whether argument i is given and neither null nor undefined. */
  bool has(size_t i) const;

  View<float> floats(size_t i) const;
  View<double> doubles(size_t i) const;
  View<int32_t> ints(size_t i) const;
  View<uint32_t> words(size_t i) const;
  View<uint8_t> bytes(size_t i) const;

  /** As above, and of exactly `size` elements. */
  View<float> floats(size_t i, size_t size) const;
  View<int32_t> ints(size_t i, size_t size) const;
  View<uint8_t> bytes(size_t i, size_t size) const;

  /** As above, or an empty view where the argument is null or undefined. */
  View<float> optional_floats(size_t i, size_t size) const;

  double number(size_t i) const;
  /** A whole number in 0..2^53. */
  size_t size(size_t i) const;
  bool flag(size_t i) const;
  std::string text(size_t i) const;

  void result(double value);
  void result(const std::string& value);
  napi_value returned() const { return returned_; }

 private:
  template <typename T>
  View<T> view(size_t i, napi_typedarray_type type, const char* name) const;
  void* array(size_t i, napi_typedarray_type type, const char* name, size_t* size) const;

  napi_env env_;
  size_t count_ = kMaxArguments;
  napi_value arguments_[kMaxArguments];
  napi_value returned_ = nullptr;
};

using Function = void (*)(Call&);

/** Puts a function under its JavaScript name when the addon is loaded. */
class Registration {
 public:
  Registration(const char* name, Function function);

  static const Registration* first() { return first_; }
  const Registration* next() const { return next_; }
  const char* name() const { return name_; }
  Function function() const { return function_; }

 private:
  static const Registration* first_;
  const char* name_;
  Function function_;
  const Registration* next_;
};

}  // namespace tacet
