// One line, redrawn in place.
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "runners/text.h"

namespace plumb::cli {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar(std::size_t total)
    : total_(total), terminal_(isatty(STDERR_FILENO) == 1 && total > 0) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::draw(std::size_t done) {
  if (!terminal_) return;
  const std::string count = format(" %zu/%zu", done, total_);
  const std::size_t width = terminal_width();
  const std::size_t room = std::min<std::size_t>(width > count.size() + 4 ? width - count.size() - 4 : 1, 40);
  const std::size_t filled = room * done / total_;
  const std::string bar =
      "\r[" + std::string(filled, '#') + std::string(room - filled, '.') + "]" + count + "\x1b[K";
  std::fwrite(bar.data(), 1, bar.size(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace plumb::cli
