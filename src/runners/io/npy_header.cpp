// A parser for just that literal: strings, True and False, and a tuple of non-negative integers.
#include "runners/io/npy_header.h"

#include <array>
#include <optional>

#include "plumb/error.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

struct DescrRow {
  std::string_view descr;
  DType dtype;
};

constexpr std::array<DescrRow, 12> kDescrs{{
    {"|b1", DType::kBool},
    {"|u1", DType::kUInt8},
    {"|i1", DType::kInt8},
    {"<u2", DType::kUInt16},
    {"<i2", DType::kInt16},
    {"<u4", DType::kUInt32},
    {"<i4", DType::kInt32},
    {"<u8", DType::kUInt64},
    {"<i8", DType::kInt64},
    {"<f2", DType::kFloat16},
    {"<f4", DType::kFloat32},
    {"<f8", DType::kFloat64},
}};

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        header.dtype = dtype();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.sizes = shape();
      } else {
        fail("unexpected key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size()) fail("text after the closing brace");
    if (!has_descr || !has_order || !has_shape) fail("expected the keys descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kFile, "cannot read " + name_ + ": bad .npy header: " + why);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "' at byte " + std::to_string(at_));
  }

  bool accept_word(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string string() {
    skip_space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
      fail("expected a string at byte " + std::to_string(at_));
    }
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  DType dtype() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') fail("structured arrays are not supported");
    const std::string descr = string();
    for (const DescrRow& row : kDescrs) {
      if (row.descr == descr) return row.dtype;
      // One-byte types have no byte order, yet some writers give one.
      if (row.descr[0] == '|' && descr.size() == 3 && row.descr.substr(1) == descr.substr(1))
        return row.dtype;
    }
    if (!descr.empty() && descr[0] == '>') fail("'" + descr + "' is big-endian; expected little-endian data");
    fail("dtype '" + descr + "' is not supported; expected bool, an integer or a float of up to 64 bits");
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("fortran_order is neither True nor False");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (sizes.size() > static_cast<std::size_t>(kMaxRank)) {
        fail("more than " + std::to_string(kMaxRank) + " dimensions");
      }
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  std::int64_t size() {
    skip_space();
    std::int64_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        fail("a size leaves the range of 64 bits");
      }
    }
    if (at_ == begin) fail("expected a size at byte " + std::to_string(at_));
    return value;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

std::string npy_header_text(const NpyHeader& header) {
  const DType stored = header.dtype == DType::kBFloat16 ? DType::kUInt16 : header.dtype;
  std::string_view descr;
  for (const DescrRow& row : kDescrs) {
    if (row.dtype == stored) descr = row.descr;
  }
  std::string text = "{'descr': '" + std::string(descr) +
                     "', 'fortran_order': " + (header.fortran_order ? "True" : "False") + ", 'shape': (";
  for (std::size_t i = 0; i < header.sizes.size(); ++i) {
    text += (i > 0 ? " " : "") + std::to_string(header.sizes[i]);
    if (i + 1 < header.sizes.size() || header.sizes.size() == 1) text += ",";
  }
  return text + "), }";
}

}  // namespace plumb
