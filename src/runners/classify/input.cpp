// Checks shapes against the declared ranges, so that messages can name the file.
#include "runners/classify/input.h"

#include <cmath>
#include <optional>

#include "base/layout.h"
#include "plumb/error.h"
#include "runners/image/preprocess.h"
#include "runners/text.h"

namespace plumb {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::kFile, "cannot use " + path + ": " + why);
}

bool is_fixed(const DimRange& range) {
  return range.min == range.max;
}

bool allows(const DimRange& range, std::int64_t size) {
  return size >= range.min && (range.max < 0 || size <= range.max);
}

// "float32[1, 3, 8, 8] (768 bytes)", without the bytes when a size is not fixed.
std::string expectation(const TensorInfo& input) {
  std::string text = to_string(TensorInfo{"", input.dtype, input.sizes});
  if (const std::size_t start = text.find(std::string(dtype_name(input.dtype))); start != std::string::npos) {
    text = text.substr(start);
  }
  std::vector<std::int64_t> sizes;
  for (const DimRange& range : input.sizes) {
    if (!is_fixed(range)) return text;
    sizes.push_back(range.min);
  }
  return text + " (" +
         std::to_string(checked_byte_count(sizes, dtype_size(input.dtype), input.name.c_str())) + " bytes)";
}

bool matches(const std::vector<std::int64_t>& sizes, const TensorInfo& input) {
  if (sizes.size() != input.sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!allows(input.sizes[i], sizes[i])) return false;
  }
  return true;
}

// Sizes for `count` values: the fixed ones, a dynamic batch of one, and one more dynamic dimension that
// follows.
std::optional<std::vector<std::int64_t>> sizes_for(std::int64_t count, const TensorInfo& input) {
  std::vector<std::int64_t> sizes;
  std::vector<std::size_t> dynamic;
  for (std::size_t i = 0; i < input.sizes.size(); ++i) {
    sizes.push_back(is_fixed(input.sizes[i]) ? input.sizes[i].min : 1);
    if (!is_fixed(input.sizes[i])) dynamic.push_back(i);
  }
  const std::int64_t rest = checked_byte_count(sizes, 1, input.name.c_str());
  if (rest == count && matches(sizes, input)) return sizes;
  if (rest == 0 || count % rest != 0) return std::nullopt;
  for (const std::size_t i : dynamic) {
    if (dynamic.size() > 1 && i == 0) continue;  // the batch
    if (dynamic.size() > 2) return std::nullopt;
    sizes[i] = count / rest;
    if (matches(sizes, input)) return sizes;
    sizes[i] = 1;
  }
  return std::nullopt;
}

Array from_raw(const Array& values, const std::string& path, const TensorInfo& input) {
  if (input.dtype != DType::kFloat32) {
    fail(path, "raw files hold float32, but input " + input.name + " is " + expectation(input) +
                   "; give a .npy file");
  }
  const auto sizes = sizes_for(values.numel(), input);
  if (!sizes) {
    fail(path,
         format("it has %zu bytes (%lld float32 values); input %s expects %s", values.bytes.size(),
                static_cast<long long>(values.numel()), input.name.c_str(), expectation(input).c_str()));
  }
  return {DType::kFloat32, *sizes, values.bytes};
}

Array from_npy(const Array& values, const std::string& path, const TensorInfo& input) {
  if (values.dtype != input.dtype || !matches(values.sizes, input)) {
    fail(path, format("it has %s (%zu bytes); input %s expects %s", shape_text(values).c_str(),
                      values.bytes.size(), input.name.c_str(), expectation(input).c_str()));
  }
  return values;
}

Array from_image(const Image& image, const std::string& path, const TensorInfo& input,
                 const ImageRules& rules) {
  const bool channels_last = rules.preprocessing.layout == "NHWC";
  const std::size_t channel_dim = channels_last ? 3 : 1;
  const bool takes_images = input.dtype == DType::kFloat32 && input.sizes.size() == 4 &&
                            allows(input.sizes[0], 1) && allows(input.sizes[channel_dim], 3);
  if (!takes_images) {
    fail(path, "it is a picture, but input " + input.name + " is " + expectation(input) +
                   "; pictures need float32" + (channels_last ? "[1, H, W, 3]" : "[1, 3, H, W]"));
  }
  if (!rules.known) {
    fail(path,
         "the package does not say how pictures become inputs; give --resize, --crop, --mean, --std or "
         "--scale");
  }
  Array array;
  try {
    array = preprocess(image, rules.preprocessing);
  } catch (const Error& error) {
    fail(path, error.what());
  }
  if (!matches(array.sizes, input)) {
    fail(path, "preprocessed it is " + shape_text(array) + "; input " + input.name + " expects " +
                   expectation(input) + "; see --resize and --crop");
  }
  return array;
}

std::string place_in(const std::vector<std::int64_t>& sizes, std::int64_t flat) {
  std::vector<std::int64_t> place(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    place[i] = flat % sizes[i];
    flat /= sizes[i];
  }
  return shape_string(place);
}

// Only inputs of pictures are looked at: elsewhere an infinity may be a mask, or a NaN the point of the run.
void refuse_non_finite_pixels(const Array& array, const std::string& path) {
  if (array.dtype != DType::kFloat32 || array.sizes.size() != 4) return;
  const auto* values = reinterpret_cast<const float*>(array.bytes.data());
  for (std::int64_t i = 0; i < array.numel(); ++i) {
    if (std::isfinite(values[i])) continue;
    fail(path, format("the pixel at %s is %g; expected finite values", place_in(array.sizes, i).c_str(),
                      static_cast<double>(values[i])));
  }
}

}  // namespace

ImageRules image_rules(const Package& package, const PreprocessingFlags& flags) {
  const std::optional<PreprocessingInfo> own = package.preprocessing();
  ImageRules rules{own.has_value() || flags.any(), flags.over(own.value_or(PreprocessingInfo{}))};
  if (own) check_preprocessing(rules.preprocessing, package.path());
  return rules;
}

Array input_tensor(const InputData& data, const std::string& path, const TensorInfo& input,
                   const ImageRules& rules) {
  Array array;
  if (const auto* raw = std::get_if<RawValues>(&data)) array = from_raw(raw->values, path, input);
  if (const auto* values = std::get_if<Array>(&data)) array = from_npy(*values, path, input);
  if (const auto* image = std::get_if<Image>(&data)) array = from_image(*image, path, input, rules);
  refuse_non_finite_pixels(array, path);
  return array;
}

}  // namespace plumb
