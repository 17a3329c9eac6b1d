// stdio with checked results: a full disk behind `> results.json` must not end in success.
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "plumb/error.h"
#include "runners/text.h"

namespace plumb::cli {
namespace {

[[noreturn]] void fail() {
  const int error = errno != 0 ? errno : EIO;
  throw Error(ErrorKind::kFile, std::string("cannot write the standard output: ") + std::strerror(error));
}

}  // namespace

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) fail();
}

void print_error(const std::string& program, const std::string& message) {
  std::fflush(stdout);
  const std::string line = program + ": error: " + one_line(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace plumb::cli
