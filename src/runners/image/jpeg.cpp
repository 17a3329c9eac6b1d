// JPEG through libjpeg, with its default (accurate integer) inverse DCT and smooth chroma upsampling.
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs FILE and size_t first
#include <optional>

#include <jerror.h>
#include <jpeglib.h>

#include "runners/image/decode.h"

namespace plumb {
namespace {

// libjpeg reports errors through a callback that must not return; the jump back skips no destructor, because
// everything that owns memory lives outside the function that calls setjmp.
struct ErrorManager {
  jpeg_error_mgr base;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void on_error(j_common_ptr info) {
  auto* manager = reinterpret_cast<ErrorManager*>(info->err);
  info->err->format_message(info, manager->message);
  std::longjmp(manager->jump, 1);
}

// Warnings are tolerated as Pillow does, except for a file that ends early: half a picture is not the
// picture.
void on_message(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) on_error(info);
}

struct Decoder {
  jpeg_decompress_struct info{};
  ErrorManager errors{};
  bool created = false;
  ~Decoder() {
    if (created) jpeg_destroy_decompress(&info);
  }
};

// Adobe's CMYK is stored inverted, so 255 is no ink: each colour is scaled by what black leaves over.
void cmyk_to_rgb(const std::uint8_t* from, std::uint8_t* to, int pixels) {
  for (int i = 0; i < pixels; ++i, from += 4, to += 3) {
    const int white = from[3];
    for (int c = 0; c < 3; ++c) {
      const int product = (255 - from[c]) * white + 128;
      to[c] = static_cast<std::uint8_t>(white - ((product / 256 + product) / 256));
    }
  }
}

bool read_header(Decoder& decoder, std::span<const std::byte> file) {
  if (setjmp(decoder.errors.jump) != 0) return false;
  jpeg_create_decompress(&decoder.info);
  decoder.created = true;
  jpeg_mem_src(&decoder.info, reinterpret_cast<const unsigned char*>(file.data()),
               static_cast<unsigned long>(file.size()));
  jpeg_read_header(&decoder.info, TRUE);
  return true;
}

bool read_pixels(Decoder& decoder, Image& image, std::vector<std::uint8_t>& row) {
  if (setjmp(decoder.errors.jump) != 0) return false;
  jpeg_decompress_struct& info = decoder.info;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    std::uint8_t* to = image.row(static_cast<int>(info.output_scanline));
    JSAMPROW target = info.out_color_space == JCS_CMYK ? row.data() : to;
    if (jpeg_read_scanlines(&info, &target, 1) != 1) continue;
    if (info.out_color_space == JCS_CMYK) cmyk_to_rgb(row.data(), to, image.width);
  }
  jpeg_finish_decompress(&info);
  return true;
}

}  // namespace

Image decode_jpeg(std::span<const std::byte> file, const std::string& name) {
  Decoder decoder;
  decoder.info.err = jpeg_std_error(&decoder.errors.base);
  decoder.errors.base.error_exit = on_error;
  decoder.errors.base.emit_message = on_message;
  if (!read_header(decoder, file)) fail_decode(name, decoder.errors.message);
  check_dimensions(decoder.info.image_width, decoder.info.image_height, name);
  const bool four_inks =
      decoder.info.jpeg_color_space == JCS_CMYK || decoder.info.jpeg_color_space == JCS_YCCK;
  decoder.info.out_color_space = four_inks ? JCS_CMYK : JCS_RGB;
  Image image(static_cast<int>(decoder.info.image_width), static_cast<int>(decoder.info.image_height));
  std::vector<std::uint8_t> row(four_inks ? static_cast<std::size_t>(image.width) * 4 : 0);
  if (!read_pixels(decoder, image, row)) fail_decode(name, decoder.errors.message);
  return image;
}

}  // namespace plumb
