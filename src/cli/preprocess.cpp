// `plumb preprocess`: what the classification runner makes of a picture, as a .npy file.
#include "runners/image/preprocess.h"

#include "base/new_file.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "runners/image/decode.h"
#include "runners/io/npy.h"
#include "runners/text.h"

namespace plumb::cli {

ExitCode preprocess_command(const Invocation& invocation) {
  CLI::App app(
      "Turns a picture into an input, as plumb classify does: float32 [1, 3, H, W] unless the package says "
      "NHWC.");
  std::string image;
  std::string out;
  std::string package;
  PreprocessingFlags flags;
  app.add_option("image", image, "a JPEG or PNG file; required");
  app.add_option("--out", out, "new .npy file to write; required")->type_name("F");
  app.add_option("--package", package, "start from this package's preprocessing")->type_name("F");
  add_preprocessing_flags(app, flags);
  if (!parse(app, invocation)) return ExitCode::kOk;
  if (image.empty()) throw ArgumentError("an image is required");
  if (out.empty()) throw ArgumentError("--out is required");
  PreprocessingInfo info;
  try {
    check_preprocessing(flags.over({}), "the preprocessing flags");
  } catch (const Error& error) {
    throw ArgumentError(error.what());
  }
  refuse_existing(out);
  const Image decoded = decode_image(image);
  if (!package.empty()) {
    info = Package::open(package)->preprocessing().value_or(PreprocessingInfo{});
    check_preprocessing(info, package);
  }
  const Array array = preprocess(decoded, flags.over(info));
  write_npy(out, array.view());
  print(one_line(out) + "  " + shape_text(array) + "\n");
  return ExitCode::kOk;
}

}  // namespace plumb::cli
