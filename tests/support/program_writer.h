// A Program as the tables of the format. Tests may change the tables, then encode them.
#pragma once

#include "graph/graph.h"
#include "program_generated.h"
#include "support/zip_writer.h"

namespace plumb::testing {

fbs::ProgramT to_tables(const Program& program);
Bytes encode(const fbs::ProgramT& program);

}  // namespace plumb::testing
