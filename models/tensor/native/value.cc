#include "value.h"

#include <cmath>
#include <cstdio>

namespace tacet {

namespace {

/** In the order of napi_typedarray_type. */
constexpr const char* kArrays[] = {
    "an Int8Array",   "a Uint8Array",   "a Uint8ClampedArray", "an Int16Array",
    "a Uint16Array",  "an Int32Array",  "a Uint32Array",       "a Float32Array",
    "a Float64Array", "a BigInt64Array", "a BigUint64Array",
};
constexpr double kMostSize = 9007199254740992.0;  // 2^53

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

}  // namespace

Value::Value(napi_env env, napi_value value, std::string name)
    : env_(env), value_(value), name_(std::move(name)) {}

void Value::wrong(const std::string& expected, const std::string& found) const {
  const std::string name = name_.empty() ? "the argument" : name_;
  throw std::invalid_argument(name + " must be " + expected + ", found " + found);
}

Value Value::operator[](const char* field) const {
  napi_value value;
  if (napi_get_named_property(env_, value_, field, &value) != napi_ok) wrong("a record", kind());
  return {env_, value, name_.empty() ? field : name_ + "." + field};
}

size_t Value::count() const {
  uint32_t length = 0;
  if (napi_get_array_length(env_, value_, &length) != napi_ok) wrong("a list", kind());
  return length;
}

Value Value::at(size_t i) const {
  napi_value value;
  if (napi_get_element(env_, value_, static_cast<uint32_t>(i), &value) != napi_ok) {
    wrong("a list", kind());
  }
  return {env_, value, name_ + "[" + std::to_string(i) + "]"};
}

bool Value::given() const {
  napi_valuetype type;
  napi_typeof(env_, value_, &type);
  return type != napi_undefined && type != napi_null;
}

template <typename T>
View<T> Value::view(napi_typedarray_type type) const {
  bool is_array = false;
  napi_is_typedarray(env_, value_, &is_array);
  if (!is_array) wrong(kArrays[type], kind());
  napi_typedarray_type found;
  size_t size = 0;
  void* data = nullptr;
  napi_get_typedarray_info(env_, value_, &found, &size, &data, nullptr, nullptr);
  if (found != type) wrong(kArrays[type], kind());
  // An empty array may have no memory behind it; a view tells "absent" from "empty" by its pointer.
  static double nothing;
  return {static_cast<T*>(data == nullptr ? &nothing : data), size};
}

template <typename T>
View<T> Value::shaped(View<T> view, Shape shape) const {
  size_t size = 1;
  bool overflows = false;
  for (const size_t count : shape) overflows |= __builtin_mul_overflow(size, count, &size);
  if (view.size == size && !overflows) return view;
  std::string text;
  for (const size_t count : shape) text += (text.empty() ? "" : ", ") + std::to_string(count);
  wrong(shape.size() == 1 ? "of length " + text : "of shape [" + text + "]",
        std::to_string(view.size) + (shape.size() == 1 ? "" : " elements"));
}

View<float> Value::floats() const { return view<float>(napi_float32_array); }
View<int32_t> Value::ints() const { return view<int32_t>(napi_int32_array); }
View<uint32_t> Value::words() const { return view<uint32_t>(napi_uint32_array); }
View<uint8_t> Value::bytes() const { return view<uint8_t>(napi_uint8_array); }

View<int32_t> Value::ints_below(size_t end) const {
  const View<int32_t> ints = this->ints();
  for (size_t i = 0; i < ints.size; i++) {
    if (ints[i] >= 0 && static_cast<size_t>(ints[i]) < end) continue;
    wrong("from 0 to " + std::to_string(static_cast<int64_t>(end) - 1),
          std::to_string(ints[i]) + " at " + std::to_string(i));
  }
  return ints;
}

View<float> Value::floats(Shape shape) const { return shaped(floats(), shape); }
View<int32_t> Value::ints(Shape shape) const { return shaped(ints(), shape); }
View<uint32_t> Value::words(Shape shape) const { return shaped(words(), shape); }
View<uint8_t> Value::bytes(Shape shape) const { return shaped(bytes(), shape); }

View<float> Value::optional_floats(Shape shape) const {
  return given() ? floats(shape) : View<float>();
}

double Value::number() const {
  double value = 0;
  if (napi_get_value_double(env_, value_, &value) != napi_ok) wrong("a number", kind());
  return value;
}

size_t Value::size() const {
  const double value = number();
  if (!(value >= 0 && value <= kMostSize) || value != std::floor(value)) {
    wrong("a whole number that is not negative", text_of(value));
  }
  return static_cast<size_t>(value);
}

size_t Value::positive() const {
  const size_t value = size();
  if (value == 0) wrong("at least 1", "0");
  return value;
}

bool Value::flag() const {
  bool value = false;
  if (napi_get_value_bool(env_, value_, &value) != napi_ok) wrong("a boolean", kind());
  return value;
}

std::string Value::text() const {
  size_t length = 0;
  if (napi_get_value_string_utf8(env_, value_, nullptr, 0, &length) != napi_ok) {
    wrong("a string", kind());
  }
  std::string value(length + 1, '\0');
  napi_get_value_string_utf8(env_, value_, &value[0], value.size(), &length);
  value.resize(length);
  return value;
}

View<float> row_of(const Value& value, const View<float>& x) {
  const View<float> row = value.floats();
  if (row.size == 0 && x.size != 0) value.wrong("of at least one element", "none");
  return row;
}

std::string Value::kind() const {
  napi_valuetype type = napi_undefined;
  napi_typeof(env_, value_, &type);
  switch (type) {
    case napi_undefined:
      return "undefined";
    case napi_null:
      return "null";
    case napi_boolean:
      return "a boolean";
    case napi_number:
      return "a number";
    case napi_string:
      return "a string";
    case napi_object:
      break;
    default:
      return "something else";
  }
  bool is_array = false;
  napi_is_typedarray(env_, value_, &is_array);
  if (!is_array) return "an object";
  napi_typedarray_type array;
  napi_get_typedarray_info(env_, value_, &array, nullptr, nullptr, nullptr, nullptr);
  const size_t known = sizeof kArrays / sizeof *kArrays;
  return static_cast<size_t>(array) < known ? kArrays[array] : "another typed array";
}

}  // namespace tacet
