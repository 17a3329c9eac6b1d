// Data of constants that passes read and make. All are float32, row-major; sums and products are taken in
// double.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace plumb::passes {

// The elements of a float32 constant, whatever the alignment of its data.
std::vector<float> read_floats(const Constant& constant);
// `fill` writes every element of the new constant.
std::shared_ptr<const Constant> make_floats(std::string key, std::vector<std::int64_t> sizes,
                                            const std::function<void(std::span<float>)>& fill);
// A [rows, columns] constant transposed.
std::shared_ptr<const Constant> transposed(const Constant& matrix);
std::size_t element_count(const Constant& constant);

}  // namespace plumb::passes
