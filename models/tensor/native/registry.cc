#include "registry.h"

#include <cmath>

namespace tacet {

namespace {

[[noreturn]] void wrong(size_t i, const std::string& expected) {
  throw std::invalid_argument("argument " + std::to_string(i) + " must be " + expected);
}

template <typename T>
View<T> sized(View<T> view, size_t i, size_t size) {
  if (view.size != size) {
    wrong(i, "of length " + std::to_string(size) + ", found " + std::to_string(view.size));
  }
  return view;
}

napi_value invoke(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  const auto* registration = static_cast<const Registration*>(data);
  try {
    Call call(env, info);
    registration->function()(call);
    return call.returned();
  } catch (const std::exception& error) {
    const std::string message = std::string(registration->name()) + ": " + error.what();
    napi_throw_error(env, nullptr, message.c_str());
    return nullptr;
  }
}

}  // namespace

const Registration* Registration::first_ = nullptr;

Registration::Registration(const char* name, Function function)
    : name_(name), function_(function), next_(first_) {
  first_ = this;
}

Call::Call(napi_env env, napi_callback_info info) : env_(env) {
  napi_get_cb_info(env, info, &count_, arguments_, nullptr, nullptr);
  if (count_ > kMaxArguments) throw std::invalid_argument("too many arguments");
}

bool Call::has(size_t i) const {
  if (i >= count_) return false;
  napi_valuetype type;
  napi_typeof(env_, arguments_[i], &type);
  return type != napi_undefined && type != napi_null;
}

void* Call::array(size_t i, napi_typedarray_type type, const char* name, size_t* size) const {
  bool is_array = false;
  if (i < count_) napi_is_typedarray(env_, arguments_[i], &is_array);
  if (!is_array) wrong(i, name);
  napi_typedarray_type found;
  void* data = nullptr;
  napi_get_typedarray_info(env_, arguments_[i], &found, size, &data, nullptr, nullptr);
  if (found != type) wrong(i, name);
  // An empty array may have no memory behind it; a view tells "absent" from "empty" by its pointer.
  static double nothing;
  return data == nullptr ? &nothing : data;
}

template <typename T>
View<T> Call::view(size_t i, napi_typedarray_type type, const char* name) const {
  View<T> view;
  view.data = static_cast<T*>(array(i, type, name, &view.size));
  return view;
}

View<float> Call::floats(size_t i) const {
  return view<float>(i, napi_float32_array, "a Float32Array");
}

View<double> Call::doubles(size_t i) const {
  return view<double>(i, napi_float64_array, "a Float64Array");
}

View<int32_t> Call::ints(size_t i) const {
  return view<int32_t>(i, napi_int32_array, "an Int32Array");
}

View<uint32_t> Call::words(size_t i) const {
  return view<uint32_t>(i, napi_uint32_array, "a Uint32Array");
}

View<uint8_t> Call::bytes(size_t i) const {
  return view<uint8_t>(i, napi_uint8_array, "a Uint8Array");
}

View<float> Call::floats(size_t i, size_t size) const { return sized(floats(i), i, size); }

View<int32_t> Call::ints(size_t i, size_t size) const { return sized(ints(i), i, size); }

View<uint8_t> Call::bytes(size_t i, size_t size) const { return sized(bytes(i), i, size); }

View<float> Call::optional_floats(size_t i, size_t size) const {
  return has(i) ? floats(i, size) : View<float>();
}

double Call::number(size_t i) const {
  double value = 0;
  if (i >= count_ || napi_get_value_double(env_, arguments_[i], &value) != napi_ok) {
    wrong(i, "a number");
  }
  return value;
}

size_t Call::size(size_t i) const {
  const double value = number(i);
  if (!(value >= 0 && value <= 9007199254740992.0) || value != std::floor(value)) {
    wrong(i, "a whole number that is not negative");
  }
  return static_cast<size_t>(value);
}

bool Call::flag(size_t i) const {
  bool value = false;
  if (i >= count_ || napi_get_value_bool(env_, arguments_[i], &value) != napi_ok) {
    wrong(i, "a boolean");
  }
  return value;
}

std::string Call::text(size_t i) const {
  size_t length = 0;
  if (i >= count_ ||
      napi_get_value_string_utf8(env_, arguments_[i], nullptr, 0, &length) != napi_ok) {
    wrong(i, "a string");
  }
  std::string value(length + 1, '\0');
  napi_get_value_string_utf8(env_, arguments_[i], &value[0], value.size(), &length);
  value.resize(length);
  return value;
}

void Call::result(double value) { napi_create_double(env_, value, &returned_); }

void Call::result(const std::string& value) {
  napi_create_string_utf8(env_, value.data(), value.size(), &returned_);
}

}  // namespace tacet

NAPI_MODULE_INIT() {
  for (const auto* one = tacet::Registration::first(); one != nullptr; one = one->next()) {
    bool taken = false;
    napi_has_named_property(env, exports, one->name(), &taken);
    if (taken) {
      const std::string message = std::string("two functions are registered as ") + one->name();
      napi_throw_error(env, nullptr, message.c_str());
      return nullptr;
    }
    napi_value function;
    napi_create_function(env, one->name(), NAPI_AUTO_LENGTH, tacet::invoke,
                         const_cast<tacet::Registration*>(one), &function);
    napi_set_named_property(env, exports, one->name(), function);
  }
  return exports;
}
