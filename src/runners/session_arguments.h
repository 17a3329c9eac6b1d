// Session options that come from a command line: unknown names in them are errors of the arguments, not of
// the run.
#pragma once

#include <memory>

#include "plumb/session.h"

namespace plumb {

// More threads than any machine has cores for are a typing error, and starting them might exhaust it.
inline constexpr int kMaxThreads = 1024;

// Throws ArgumentError for an engine that this build lacks, for an instruction set where there is none to
// choose, and for more than kMaxThreads threads (0: one per available core).
void check_session_arguments(const SessionOptions& options);
// Session's constructor; unknown kernels, passes and instruction sets become ArgumentErrors.
Session make_session(std::shared_ptr<const Package> package, const SessionOptions& options);

}  // namespace plumb
