// The lookup of shape functions by op.
#include <unordered_map>

#include "plan/shapes/functions.h"

namespace plumb {

ShapeFunction find_shape_function(std::string_view op) {
  static const std::unordered_map<std::string_view, ShapeFunction> kTable = {
#define PLUMB_SHAPE(op, function) {op, &shapes::function},
#include "plan/shapes/shapes.inc"
#undef PLUMB_SHAPE
  };
  const auto row = kTable.find(op);
  return row == kTable.end() ? nullptr : row->second;
}

}  // namespace plumb
