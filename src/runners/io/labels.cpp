// Splits a text file into lines.
#include "runners/io/labels.h"

#include <string_view>

#include "base/mapped_file.h"
#include "plumb/error.h"

namespace plumb {

std::vector<std::string> read_labels(const std::string& path) {
  const auto file = MappedFile::open(path);
  std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  std::vector<std::string> labels;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.emplace_back(line);
  }
  if (labels.empty())
    throw Error(ErrorKind::kFile, "cannot use " + path + ": it holds no labels; expected one a line");
  return labels;
}

}  // namespace plumb
