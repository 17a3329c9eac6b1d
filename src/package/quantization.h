// Whether the bytes of a quantised constant are as many as its scheme needs. Not here: decoding them.
#pragma once

#include "graph/graph.h"
#include "package/constants.h"
#include "package/place.h"

namespace plumb {

// `meta` is what the program says of the constant: logical sizes and the scheme. Throws Error(kPackage) when
// the stored data, scales or zero points have another dtype or number of bytes. A codec that is not known
// here passes: what cannot be decoded cannot be run.
void check_quantized(const TensorMeta& meta, const Constant& stored, const ConstantStore& store,
                     const Place& constant);

}  // namespace plumb
