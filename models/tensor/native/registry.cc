#include "registry.h"

#include <new>

namespace tacet {

namespace {

napi_value invoke(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  const auto* registration = static_cast<const Registration*>(data);
  try {
    Call call(env, info);
    registration->function()(call);
    return call.returned();
  } catch (const std::bad_alloc&) {
    napi_throw_error(env, "ENOMEM", registration->name());
    return nullptr;
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

// Those that are not given are undefined.
Call::Call(napi_env env, napi_callback_info info) : env_(env) {
  size_t count = kMaxArguments;
  napi_get_cb_info(env, info, &count, arguments_, nullptr, nullptr);
  if (count > kMaxArguments) throw std::invalid_argument("there are too many arguments");
}

Value Call::argument(size_t i, const char* name) const { return {env_, arguments_[i], name}; }

void Call::result(double value) { napi_create_double(env_, value, &returned_); }

void Call::result(bool value) { napi_get_boolean(env_, value, &returned_); }

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
