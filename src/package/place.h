// Where in a package the reader is, so that an error can say it: a chain on the stack, turned into text only
// when something fails. Not here: what is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb {

class Place {
 public:
  explicit Place(std::string_view path) : name_(path) {}
  // `outer` and the texts must outlive the new place: keep each in a variable of its own.
  Place(const Place& outer, std::string_view what, std::string_view name)
      : outer_(&outer), what_(what), name_(name) {}
  Place(const Place& outer, std::string_view what, std::size_t index)
      : outer_(&outer), what_(what), index_(static_cast<std::int64_t>(index)) {}
  Place(const Place& outer, std::string_view what) : outer_(&outer), what_(what) {}

  // "PATH: member 'program.ptg': method 'forward', node 'conv2d', field 'stride'"
  std::string text() const;
  // Throws Error(kPackage) "<text>: <problem>".
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  int depth() const { return outer_ == nullptr ? 0 : outer_->depth() + 1; }

  const Place* outer_ = nullptr;
  std::string_view what_;
  std::string_view name_;
  std::int64_t index_ = -1;
};

// The text in quotes, safe to print: control characters escaped, long texts cut.
std::string in_quotes(std::string_view text);

// Whether the bytes are UTF-8 without control characters.
bool is_plain_text(std::string_view text);

// Fails unless `name` is a plain text of 1 to limits::kMaxNameBytes bytes. `what` names the field.
void check_name(std::string_view name, std::string_view what, const Place& place);

}  // namespace plumb
