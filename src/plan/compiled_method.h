// A method after its passes, with what kernels prepared from its constants. Plans for input shapes are made
// from it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "passes/passes.h"
#include "plan/kernel_table.h"
#include "plan/plan.h"
#include "plumb/error.h"

namespace plumb {

class CompiledMethod {
 public:
  // `method` is taken as it is: see compile() for one that comes from a package. `table` must outlive the
  // result.
  CompiledMethod(std::shared_ptr<const Method> method, const KernelTable& table,
                 std::vector<PassRecord> passes = {});

  const Method& method() const { return *method_; }
  const KernelTable& table() const { return table_; }
  const std::vector<PassRecord>& passes() const { return passes_; }

  // The plan for these input sizes, not yet bound. Throws Error(kExecution) when shapes do not fit together,
  // Error(kUnsupported) when every kernel of a node refuses (the reasons are in the message).
  Plan plan(std::span<const Sizes> input_sizes, ThreadPool& pool);

  // What `kernel` prepared for the node at `node_index`; prepared from `call` at first use.
  std::shared_ptr<const KernelState> prepared(std::size_t node_index, const Kernel& kernel, const Call& call);
  // A copy of constant data in other strides; made at first use, kept while this object lives.
  std::byte* converted(const Tensor& constant, std::span<const std::int64_t> strides);

 private:
  const KernelTable& table_;
  std::shared_ptr<const Method> method_;
  std::vector<PassRecord> passes_;
  std::map<std::pair<std::size_t, const Kernel*>, std::shared_ptr<const KernelState>> prepared_;
  // By address, dtype, sizes, strides and wanted strides: two views of one constant may begin at the same
  // address.
  std::map<std::tuple<const void*, DType, Sizes, Sizes, Sizes>, AlignedBuffer> converted_;
};

// Runs the passes that the table's engine wants. Throws Error(kUnsupported) naming op, node and engine for
// the first op that nothing runs.
std::unique_ptr<CompiledMethod> compile(std::shared_ptr<const Method> source, const KernelTable& table,
                                        const std::vector<std::string>& disabled_passes);

// Lines of what nothing in `table` runs: "op at 'node'", or a constant whose quantisation no kernel decodes.
// `method` after its passes.
std::vector<std::string> unsupported_parts(const Method& method, const KernelTable& table);

// The error for a node that no kernel takes; `reasons` is appended as it is.
Error no_kernel(const KernelTable& table, std::string_view op, std::string_view node,
                const std::string& reasons);

}  // namespace plumb
