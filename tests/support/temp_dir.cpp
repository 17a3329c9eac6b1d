// mkdtemp under the system's folder for temporary files.
#include "support/temp_dir.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace plumb::testing {

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "plumb-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace plumb::testing
