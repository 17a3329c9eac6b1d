// What the runners ask about paths: extensions, stems, listings of folders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

// The extension in lower case, with its dot: ".npy"; empty when there is none.
std::string extension_of(const std::string& path);
// The file name without its last extension: "cat" for "photos/cat.jpg".
std::string stem_of(const std::string& path);
std::string join_path(const std::string& folder, std::string_view name);
bool is_folder(const std::string& path);
// Throws Error(kFile) "cannot open PATH: reason" when `path` does not name something that exists.
void require_existing(const std::string& path);
// The regular files in a folder whose extension is one of `extensions`, sorted by name; links are followed.
std::vector<std::string> files_in(const std::string& folder, const std::vector<std::string>& extensions);
// Throws Error(kFile) when `path` exists and is anything but an empty folder.
void refuse_unless_new_or_empty(const std::string& path);
// Creates the folder and its missing parents; an existing folder is fine.
void make_folder(const std::string& path);

}  // namespace plumb
