// Session options that come from a command line: unknown names in them are errors of the arguments, not of
// the run.
#pragma once

#include <memory>

#include "plumb/session.h"

namespace plumb {

// Throws ArgumentError for an engine that this build lacks, and for an instruction set where there is none to
// choose.
void check_session_arguments(const SessionOptions& options);
// Session's constructor; unknown kernels, passes and instruction sets become ArgumentErrors.
Session make_session(std::shared_ptr<const Package> package, const SessionOptions& options);

}  // namespace plumb
