// What the processes return, and the error that means "your arguments".
#pragma once

#include <string>

#include "plumb/error.h"

namespace plumb {

enum class ExitCode {
  kOk = 0,
  kInvalidArguments = 1,
  kFailed = 2,    // a file, a package or the execution
  kMismatch = 3,  // everything ran; the numbers are not the expected ones
};

// The worse of two outcomes of one run: a failure before a mismatch before success.
inline ExitCode worse(ExitCode a, ExitCode b) {
  if (a == ExitCode::kFailed || b == ExitCode::kFailed) return ExitCode::kFailed;
  return a == ExitCode::kOk ? b : a;
}

// The command line itself is wrong: found before any file is touched, or by the library on names from it.
class ArgumentError : public Error {
 public:
  explicit ArgumentError(const std::string& message) : Error(ErrorKind::kInvalidArgument, message) {}
};

}  // namespace plumb
