// PNG through libpng: every colour type to 8-bit RGB. 16-bit colours keep their high byte, gamma is ignored.
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "runners/image/decode.h"

namespace plumb {
namespace {

struct Reader {
  std::span<const std::byte> rest;
  char message[256] = "unknown error";
};

void on_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<Reader*>(png_get_error_ptr(png));
  std::strncpy(reader->message, message, sizeof(reader->message) - 1);
  std::longjmp(*png_set_longjmp_fn(png, std::longjmp, sizeof(std::jmp_buf)), 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, png_size_t count) {
  auto* reader = static_cast<Reader*>(png_get_io_ptr(png));
  if (count > reader->rest.size()) png_error(png, "the file ends early");
  std::memcpy(to, reader->rest.data(), count);
  reader->rest = reader->rest.subspan(count);
}

struct Decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

// As in the JPEG decoder, nothing that owns memory lives in the functions that call setjmp.
bool read_header(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  png_read_info(decoder.png, decoder.info);
  return true;
}

bool set_transformations(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  const png_byte depth = png_get_bit_depth(decoder.png, decoder.info);
  const png_byte type = png_get_color_type(decoder.png, decoder.info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(decoder.png);
  if (type == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(decoder.png);
  // 16-bit grey without alpha is narrowed afterwards, by Pillow's own rule.
  if (depth == 16 && type != PNG_COLOR_TYPE_GRAY) png_set_strip_16(decoder.png);
  if (type == PNG_COLOR_TYPE_GRAY_ALPHA) png_set_gray_to_rgb(decoder.png);
  if (type == PNG_COLOR_TYPE_GRAY && depth < 16) png_set_gray_to_rgb(decoder.png);
  png_set_strip_alpha(decoder.png);
  png_set_interlace_handling(decoder.png);
  png_read_update_info(decoder.png, decoder.info);
  return true;
}

bool read_pixels(Decoder& decoder, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  png_read_image(decoder.png, rows.data());
  png_read_end(decoder.png, nullptr);
  return true;
}

}  // namespace

Image decode_png(std::span<const std::byte> file, const std::string& name) {
  Reader reader{file};
  Decoder decoder;
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  if (decoder.png == nullptr) fail_decode(name, "libpng does not start");
  decoder.info = png_create_info_struct(decoder.png);
  if (decoder.info == nullptr) fail_decode(name, "libpng does not start");
  png_set_read_fn(decoder.png, &reader, on_read);
  png_set_user_limits(decoder.png, 0x7fffffff, 0x7fffffff);
  if (!read_header(decoder)) fail_decode(name, reader.message);
  const std::int64_t width = png_get_image_width(decoder.png, decoder.info);
  const std::int64_t height = png_get_image_height(decoder.png, decoder.info);
  check_dimensions(width, height, name);
  if (!set_transformations(decoder)) fail_decode(name, reader.message);

  Image image(static_cast<int>(width), static_cast<int>(height));
  const std::size_t row_bytes = png_get_rowbytes(decoder.png, decoder.info);
  const bool grey16 = row_bytes == static_cast<std::size_t>(width) * 2;
  if (!grey16 && row_bytes != static_cast<std::size_t>(width) * 3) fail_decode(name, "unexpected row length");
  std::vector<std::uint8_t> wide(grey16 ? row_bytes * static_cast<std::size_t>(height) : 0);
  std::vector<png_bytep> rows(static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < rows.size(); ++y) {
    rows[y] = (grey16 ? wide.data() : image.rgb.data()) + y * row_bytes;
  }
  if (!read_pixels(decoder, rows)) fail_decode(name, reader.message);
  for (std::size_t i = 0; i < wide.size() / 2; ++i) {
    const int value = wide[2 * i] << 8 | wide[2 * i + 1];
    std::memset(image.rgb.data() + 3 * i, value > 255 ? 255 : value, 3);
  }
  return image;
}

}  // namespace plumb
