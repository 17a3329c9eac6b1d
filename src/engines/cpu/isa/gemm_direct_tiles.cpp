// Instantiates the tiles whose rows of A lie at a fixed distance.
#include "gemm_tile.h"

namespace plumb::cpu::PLUMB_ISA {

TileFunction direct_tile(int rows, int vectors, bool half) {
  return tile_of<false>(rows, vectors, half);
}

}  // namespace plumb::cpu::PLUMB_ISA
