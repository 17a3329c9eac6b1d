// The one exception type of plumb. Every failure that a caller can cause or meet is thrown as plumb::Error.
#pragma once

#include <stdexcept>
#include <string>

namespace plumb {

enum class ErrorKind {
  kInvalidArgument,  // the caller asked for something that makes no sense
  kFile,             // a file cannot be opened, read or written
  kPackage,          // the bytes of a package break the format's rules
  kUnsupported,      // valid, but no kernel or library here can do it
  kExecution,        // a value met while running breaks an operator's precondition
};

// `what()` is one line that names the thing, the cause and what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace plumb
