// std::filesystem with errors in the words of plumb.
#include "runners/io/path.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "plumb/error.h"

namespace plumb {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const char* verb, const std::string& path, const std::error_code& code) {
  throw Error(ErrorKind::kFile, std::string("cannot ") + verb + " " + path + ": " + code.message());
}

}  // namespace

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string stem_of(const std::string& path) {
  return fs::path(path).stem().string();
}

std::string join_path(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void require_existing(const std::string& path) {
  std::error_code code;
  if (fs::exists(path, code)) return;
  fail("open", path, code ? code : std::make_error_code(std::errc::no_such_file_or_directory));
}

std::vector<std::string> files_in(const std::string& folder, const std::vector<std::string>& extensions) {
  std::error_code code;
  fs::directory_iterator entries(folder, code);
  if (code) fail("list", folder, code);
  std::vector<std::string> files;
  while (entries != fs::directory_iterator()) {
    const std::string path = entries->path().string();
    const bool wanted =
        std::find(extensions.begin(), extensions.end(), extension_of(path)) != extensions.end();
    std::error_code ignored;
    if (wanted && !entries->is_directory(ignored)) files.push_back(path);
    entries.increment(code);
    if (code) fail("list", folder, code);
  }
  std::sort(files.begin(), files.end());
  return files;
}

void refuse_unless_new_or_empty(const std::string& path) {
  std::error_code code;
  const fs::file_status link = fs::symlink_status(path, code);
  if (link.type() == fs::file_type::not_found) return;
  if (link.type() == fs::file_type::none) fail("use", path, code);
  if (!fs::is_directory(path, code)) {
    throw Error(ErrorKind::kFile, "cannot create " + path + ": File exists, and it is not a folder");
  }
  const bool empty = fs::is_empty(path, code);
  if (code) fail("list", path, code);
  if (!empty) {
    throw Error(ErrorKind::kFile,
                "cannot write into " + path + ": the folder is not empty; expected a new or empty one");
  }
}

void make_folder(const std::string& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) fail("create", path, code);
}

}  // namespace plumb
