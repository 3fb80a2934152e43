// The functions that the addon exports. A source file adds its own with a static Registration:
//
//   static void scale(Call& call) { ... }
//   static const Registration scale_registration("scale", scale);
//
// models/tensor/native-functions.ts declares each, and says which take a record.
#pragma once

#include "value.h"

namespace tacet {

/** One call from JavaScript. What it throws becomes a JavaScript error. */
class Call {
 public:
  Call(napi_env env, napi_callback_info info);

  /** An argument by place, and the name that an error gives it. */
  Value argument(size_t i, const char* name) const;
  /** The only argument of a function that takes a record. */
  Value record() const { return argument(0, ""); }

  void result(double value);
  void result(bool value);
  void result(const std::string& value);
  napi_value returned() const { return returned_; }

 private:
  static constexpr size_t kMaxArguments = 4;

  napi_env env_;
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
