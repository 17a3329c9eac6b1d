// Texts for errors about packages.
#include "package/place.h"

#include "package/limits.h"
#include "plumb/error.h"

namespace plumb {
namespace {

constexpr std::size_t kMaxQuotedBytes = 160;

// Length of the UTF-8 sequence that begins at `i`, or 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = byte(i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool beyond = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

// C0, DEL and C1 (which UTF-8 spells C2 80 to C2 9F): what could steer a terminal.
bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7F) return true;
  return byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result = "'";
  for (std::size_t i = 0; i < text.size();) {
    if (i >= kMaxQuotedBytes) {
      result += "…";
      break;
    }
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text, i)) {
      const auto byte = static_cast<unsigned char>(text[i]);
      result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 0xF]};
      ++i;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result + "'";
}

bool is_plain_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text, i)) return false;
    i += length;
  }
  return true;
}

void check_name(std::string_view name, std::string_view what, const Place& place) {
  const Place field(place, "field", what);
  if (name.empty()) field.fail("is empty; expected a name");
  if (name.size() > limits::kMaxNameBytes) {
    field.fail("has " + std::to_string(name.size()) +
               " bytes; expected at most kMaxNameBytes = " + std::to_string(limits::kMaxNameBytes));
  }
  if (!is_plain_text(name))
    field.fail("is " + in_quotes(name) + "; expected UTF-8 without control characters");
}

std::string Place::text() const {
  if (outer_ == nullptr) return std::string(name_);
  std::string result = outer_->text();
  // "path: member: the rest, comma by comma"
  result += depth() <= 2 ? ": " : ", ";
  result += what_;
  if (index_ >= 0) {
    result += " " + std::to_string(index_);
  } else if (!name_.empty()) {
    result += " " + in_quotes(name_);
  }
  return result;
}

void Place::fail(std::string_view problem) const {
  throw Error(ErrorKind::kPackage, text() + ": " + std::string(problem));
}

}  // namespace plumb
