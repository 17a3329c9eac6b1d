// A session ties together an engine, a thread pool, state and the methods in use.
#include "plumb/session.h"

#include <algorithm>
#include <map>

#include "package/state.h"
#include "passes/passes.h"
#include "plan/method_runner.h"
#include "plumb/error.h"

namespace plumb {
namespace {

// Names in `disable` that are passes. Throws when one is neither pass nor kernel.
std::vector<std::string> disabled_passes(const SessionOptions& options, const KernelTable& table) {
  const std::vector<std::string> passes = pass_names();
  std::vector<std::string> chosen;
  for (const std::string& name : options.disable) {
    if (std::find(passes.begin(), passes.end(), name) != passes.end()) {
      chosen.push_back(name);
    } else if (!table.has_kernel_named(name)) {
      throw Error(ErrorKind::kInvalidArgument,
                  "no pass or kernel '" + name + "' in engine '" + std::string(table.engine().name()) + "'");
    }
  }
  return chosen;
}

int checked_threads(int threads) {
  if (threads >= 0) return threads;
  throw Error(ErrorKind::kInvalidArgument,
              std::to_string(threads) + " threads; expected 0 (all cores) or more");
}

void refuse_unwritten_zero_buffers(const Package& package) {
  const std::vector<std::string> unwritten = unwritten_zero_buffers(package.program());
  if (unwritten.empty()) return;
  throw Error(
      ErrorKind::kPackage,
      package.path() + ": buffer '" + unwritten.front() +
          "' starts as zeros and nothing writes it: its values were lost when the package was exported "
          "(some exporters drop non-persistent buffers). Export again with plumb-export, or pass "
          "--allow-zero-buffers to run with zeros");
}

}  // namespace

struct Session::Impl {
  Impl(std::shared_ptr<const Package> p, const SessionOptions& options)
      : package(std::move(p)),
        table(options.engine, {.threads = options.threads, .isa = options.isa}, options.disable),
        passes_off(disabled_passes(options, table)),
        pool(checked_threads(options.threads)) {
    if (!options.allow_zero_buffers) refuse_unwritten_zero_buffers(*package);
  }

  std::shared_ptr<const Package> package;
  KernelTable table;
  std::vector<std::string> passes_off;
  ThreadPool pool;
  StateStore state;
  std::map<std::string, PlannedMethodRunner, std::less<>> methods;
};

Session::Session(std::shared_ptr<const Package> package, const SessionOptions& options)
    : impl_(std::make_unique<Impl>(std::move(package), options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const Package& Session::package() const {
  return *impl_->package;
}
int Session::threads() const {
  return impl_->pool.threads();
}
void Session::reset_state() {
  impl_->state.reset();
}

std::string Session::engine_description() const {
  const std::string name(impl_->table.engine().name());
  const std::string description = impl_->table.engine().description();
  const int threads = impl_->pool.threads();
  return name + " (" + (description == name ? "" : description + ", ") + std::to_string(threads) +
         (threads == 1 ? " thread)" : " threads)");
}

MethodRunner& Session::method(std::string_view name) {
  const auto known = impl_->methods.find(name);
  if (known != impl_->methods.end()) return known->second;
  const std::shared_ptr<const Method>& source = impl_->package->program().method(name);
  std::unique_ptr<CompiledMethod> compiled = compile(source, impl_->table, impl_->passes_off);
  return impl_->methods
      .try_emplace(std::string(name), std::move(compiled), impl_->package->method(name), impl_->state,
                   impl_->pool)
      .first->second;
}

}  // namespace plumb
