// The list of subcommands, in the order of `plumb --help`.
#include <array>

#include "cli/command.h"

namespace plumb::cli {

std::span<const Command> commands() {
  static constexpr std::array<Command, 6> kCommands{{
      {"classify", "run an image classifier and judge its logits", classify_command},
      {"run", "execute any method on .npy inputs", run_command},
      {"inspect", "show what is in a package and which engines run it", inspect_command},
      {"bench", "time a method", bench_command},
      {"preprocess", "turn a picture into an input", preprocess_command},
      {"engines", "list the engines of this build", engines_command},
  }};
  return kCommands;
}

}  // namespace plumb::cli
