// plumb.convolution and plumb.linear, the operators with an epilogue that passes fold and fuse into.
#pragma once

#include <string_view>
#include <vector>

#include "passes/match.h"

namespace plumb::passes {

inline constexpr std::string_view kConvolution = "plumb.convolution";
inline constexpr std::string_view kLinear = "plumb.linear";

bool is_layer(const Node& node);
// No residual and no activation yet.
bool has_empty_epilogue(const Node& node);
// The arguments that an epilogue without effect consists of.
void append_empty_epilogue(std::vector<Argument>& inputs);
// Sets the argument, which must be there.
void set_argument(std::vector<Argument>& inputs, std::string_view name, ArgumentValue value);
// A layer with an empty epilogue whose result is used once: whoever uses it may become part of it. Null
// otherwise.
const Node* open_layer(const Rewriter& rewriter, ValueId value);

}  // namespace plumb::passes
