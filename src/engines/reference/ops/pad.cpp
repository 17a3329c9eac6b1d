// Padding with a constant, by reflection, by repeating the border, or circularly.
#include "engines/padding.h"

#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"

namespace plumb::reference {
namespace {

void run_pad(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Padding padding = read_padding(call);
  std::vector<PositionMap> maps;
  for (std::size_t d = 0; d < padding.output.size(); ++d) {
    PositionMap map;
    for (std::int64_t o = 0; o < padding.output[d]; ++o) {
      map.push_back(padded_source(padding.mode, o, padding.before[d], self.sizes()[d]));
    }
    maps.push_back(std::move(map));
  }
  copy_mapped(call.output(), self, maps, padding.value);
}

}  // namespace

const KernelImpl pad{.run = run_pad};

}  // namespace plumb::reference
