// A progress bar on stderr, for terminals only.
#pragma once

#include <cstddef>
#include <string>

namespace plumb::cli {

class ProgressBar {
 public:
  // Draws nothing, ever, when stderr is no terminal.
  explicit ProgressBar(std::size_t total);
  // Takes the bar off the screen.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void draw(std::size_t done);
  // Before anything else is printed; the next draw() brings the bar back.
  void clear();

 private:
  std::size_t total_;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace plumb::cli
