// Instantiates the tiles that find their rows of A through pointers.
#include "gemm_tile.h"

namespace plumb::cpu::PLUMB_ISA {

TileFunction indirect_tile(int rows, int vectors, bool half) {
  return tile_of<true>(rows, vectors, half);
}

}  // namespace plumb::cpu::PLUMB_ISA
