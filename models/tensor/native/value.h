// What JavaScript passes to a native function.
#pragma once

#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

/**
 * An argument, a field of a record or an element of a list. What reads it throws std::invalid_argument where
 * it is something else, with its name, what was expected and what was found.
 */
class Value {
 public:
  using Shape = std::initializer_list<size_t>;

  Value(napi_env env, napi_value value, std::string name);

  /** A field of this record; undefined where there is none. */
  Value operator[](const char* field) const;
  /** An element of this list. */
  Value at(size_t i) const;
  /** The elements of this list. */
  size_t count() const;

  /** Whether it is neither null nor undefined. */
  bool given() const;

  View<float> floats() const;
  View<int32_t> ints() const;
  View<uint32_t> words() const;
  View<uint8_t> bytes() const;
  /** Each from 0 to `end` - 1. */
  View<int32_t> ints_below(size_t end) const;

  /** As above, and with exactly the elements of a tensor of `shape`. */
  View<float> floats(Shape shape) const;
  View<int32_t> ints(Shape shape) const;
  View<uint32_t> words(Shape shape) const;
  View<uint8_t> bytes(Shape shape) const;

  /** As above, or an empty view where it is not given. */
  View<float> optional_floats(Shape shape) const;

  double number() const;
  /** A whole number in 0..2^53. */
  size_t size() const;
  /** As `size`, and not 0. */
  size_t positive() const;
  bool flag() const;
  std::string text() const;

  [[noreturn]] void wrong(const std::string& expected, const std::string& found) const;

 private:
  template <typename T>
  View<T> view(napi_typedarray_type type) const;
  template <typename T>
  View<T> shaped(View<T> view, Shape shape) const;
  /** What it is, as an error says it; never what it holds. */
  std::string kind() const;

  napi_env env_;
  napi_value value_;
  std::string name_;
};

/** The vector [D] that goes with each row of x [N, D]. One without elements goes with an empty x alone. */
View<float> row_of(const Value& value, const View<float>& x);

}  // namespace tacet
