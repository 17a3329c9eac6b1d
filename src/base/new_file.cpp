// Buffered stdio over an exclusively created descriptor; errno is saved before anything can change it.
#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "plumb/error.h"

namespace plumb {
namespace {

[[noreturn]] void fail(const char* verb, const std::string& path, int error) {
  throw Error(ErrorKind::kFile, std::string("cannot ") + verb + " " + path + ": " + std::strerror(error));
}

[[noreturn]] void remove_and_fail(const char* verb, const std::string& path, int error) {
  ::unlink(path.c_str());
  fail(verb, path, error);
}

}  // namespace

void write_new_file(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) fail("create", path, errno);
  std::FILE* file = ::fdopen(fd, "wb");
  if (file == nullptr) {
    const int error = errno;
    ::close(fd);
    remove_and_fail("create", path, error);
  }
  for (const std::span<const std::byte> part : parts) {
    if (part.empty()) continue;
    errno = 0;
    if (std::fwrite(part.data(), 1, part.size(), file) != part.size()) {
      const int error = errno != 0 ? errno : EIO;
      std::fclose(file);
      remove_and_fail("write", path, error);
    }
  }
  errno = 0;
  if (std::fclose(file) != 0) remove_and_fail("write", path, errno != 0 ? errno : EIO);
}

void write_new_file(const std::string& path, std::span<const std::byte> bytes) {
  const std::span<const std::byte> parts[] = {bytes};
  write_new_file(path, parts);
}

void refuse_existing(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) fail("create", path, EEXIST);
}

}  // namespace plumb
