// The one writer of dumps: new files only, whole or not at all.
#include "base/new_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "plumb/error.h"

namespace plumb {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "plumb_new_file_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The process's limit on file sizes, with the signal that would end it switched off, while this object lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &saved_);
    const rlimit limit{bytes, saved_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    previous_ = ::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &saved_);
    ::signal(SIGXFSZ, previous_);
  }

 private:
  rlimit saved_{};
  void (*previous_)(int) = nullptr;
};

std::string error_of(const std::string& path, std::size_t bytes) {
  const std::vector<std::byte> data(bytes, std::byte{7});
  try {
    write_new_file(path, data);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFile);
    return error.what();
  }
}

TEST(NewFile, writes_every_byte) {
  const Folder folder;
  EXPECT_EQ(error_of(folder.file("a"), 100000), "");
  EXPECT_EQ(std::filesystem::file_size(folder.file("a")), 100000u);
}

TEST(NewFile, no_data_makes_an_empty_file) {
  const Folder folder;
  EXPECT_EQ(error_of(folder.file("a"), 0), "");
  EXPECT_EQ(std::filesystem::file_size(folder.file("a")), 0u);
}

TEST(NewFile, refuses_an_existing_path_and_a_dangling_link_and_leaves_them_alone) {
  const Folder folder;
  std::ofstream(folder.file("a")) << "old";
  std::filesystem::create_symlink(folder.file("nowhere"), folder.file("link"));
  EXPECT_EQ(error_of(folder.file("a"), 10), "cannot create " + folder.file("a") + ": File exists");
  EXPECT_EQ(error_of(folder.file("link"), 10), "cannot create " + folder.file("link") + ": File exists");
  EXPECT_THROW(refuse_existing(folder.file("link")), Error);
  EXPECT_NO_THROW(refuse_existing(folder.file("new")));
  std::ifstream kept(folder.file("a"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "old");
  EXPECT_FALSE(std::filesystem::exists(folder.file("nowhere")));
}

TEST(NewFile, a_failing_write_of_more_than_a_buffer_leaves_no_file) {
  const Folder folder;
  const FileSizeLimit limit(1000);
  EXPECT_EQ(error_of(folder.file("a"), 1 << 20), "cannot write " + folder.file("a") + ": File too large");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
}

TEST(NewFile, a_write_that_fails_when_the_file_is_closed_leaves_no_file) {
  const Folder folder;
  const FileSizeLimit limit(10);
  EXPECT_EQ(error_of(folder.file("a"), 100), "cannot write " + folder.file("a") + ": File too large");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
}

}  // namespace
}  // namespace plumb
