// Operands that the vector functions can read in place are passed as they are; others go through small
// buffers.
#include "engines/cpu/ops/elementwise.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engines/cpu/isa.h"
#include "engines/cpu/ops/convert_elements.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kChunk = 1024;
// Shorter rows cost more in calls and vector tails than in copies to a dense buffer.
constexpr std::int64_t kShortRow = 16;
constexpr auto kFloatSize = static_cast<std::int64_t>(sizeof(float));

std::int64_t grain(ElementOp op) {
  // Elements that take some ten microseconds: memory-bound functions take many, transcendental ones fewer.
  return op >= ElementOp::kExp && op <= ElementOp::kGeluTanh ? 16 << 10 : 48 << 10;
}

struct Plan {
  ElementKernel kernel;
  const float* params;
  std::size_t inputs;
  std::array<DType, kMaxOperands> dtypes;  // of the output, then of the inputs
  std::array<ConvertRun, kMaxOperands> conversions;
  bool compares;
};

// Whether the vector function can use operand i of the tile as it lies in memory.
bool is_direct(const Plan& plan, const StridedTile& tile, std::size_t i) {
  const bool unit = tile.col_step[i] == static_cast<std::int64_t>(dtype_size(plan.dtypes[i]));
  if (i == 0) return unit && plan.dtypes[0] == (plan.compares ? DType::kBool : DType::kFloat32);
  return plan.dtypes[i] == DType::kFloat32 && (unit || tile.col_step[i] == 0);
}

// Reads rows x cols elements as a dense block of floats, along the input's contiguous direction.
void gather(ConvertRun convert, float* block, const std::byte* in, std::int64_t row_step,
            std::int64_t col_step, std::int64_t rows, std::int64_t cols, std::int64_t item) {
  auto* out = reinterpret_cast<std::byte*>(block);
  if (row_step == item && col_step != item) {
    for (std::int64_t col = 0; col < cols; ++col) {
      convert(out + col * kFloatSize, cols * kFloatSize, in + col * col_step, row_step, rows);
    }
    return;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    convert(out + row * cols * kFloatSize, kFloatSize, in + row * row_step, col_step, cols);
  }
}

void run_block(const Plan& plan, const StridedTile& tile, std::int64_t row0, std::int64_t rows,
               std::int64_t col0, std::int64_t cols) {
  alignas(64) std::array<std::array<float, kChunk>, kMaxOperands> buffers;
  ElementTile block;
  block.params = plan.params;
  bool dense = true;  // all operands are one run of rows * cols elements
  for (std::size_t i = 1; i <= plan.inputs; ++i) {
    const std::byte* data = tile.data[i] + row0 * tile.row_step[i] + col0 * tile.col_step[i];
    const bool one_value = tile.col_step[i] == 0 && (rows == 1 || tile.row_step[i] == 0);
    const bool packed = rows == 1 || tile.row_step[i] == cols * kFloatSize;
    if (is_direct(plan, tile, i) && (one_value || cols >= kShortRow || (packed && tile.col_step[i] != 0))) {
      block.in[i - 1] = reinterpret_cast<const float*>(data);
      block.in_row[i - 1] = tile.row_step[i] / kFloatSize;
      block.broadcast[i - 1] = tile.col_step[i] == 0;
      dense = dense && (one_value || (packed && tile.col_step[i] != 0));
    } else {
      gather(plan.conversions[i], buffers[i].data(), data, tile.row_step[i], tile.col_step[i], rows, cols,
             static_cast<std::int64_t>(dtype_size(plan.dtypes[i])));
      block.in[i - 1] = buffers[i].data();
      block.in_row[i - 1] = cols;
    }
  }

  std::byte* out = tile.data[0] + row0 * tile.row_step[0] + col0 * tile.col_step[0];
  const bool direct = is_direct(plan, tile, 0);
  const auto item = static_cast<std::int64_t>(dtype_size(plan.dtypes[0]));
  block.out = direct ? static_cast<void*>(out) : buffers[0].data();
  block.out_row = direct ? tile.row_step[0] / item : cols;
  dense = dense && (rows == 1 || block.out_row == cols);
  block.rows = dense ? 1 : rows;
  block.cols = dense ? rows * cols : cols;
  plan.kernel(block);
  if (direct) return;
  const std::int64_t from = plan.compares ? 1 : kFloatSize;
  const auto* result = reinterpret_cast<const std::byte*>(buffers[0].data());
  for (std::int64_t row = 0; row < rows; ++row) {
    plan.conversions[0](out + row * tile.row_step[0], tile.col_step[0], result + row * cols * from, from,
                        cols);
  }
}

void run_tile(const Plan& plan, const StridedTile& tile) {
  bool direct = tile.cols >= kShortRow || tile.rows == 1;
  for (std::size_t i = 0; i <= plan.inputs; ++i) direct = direct && is_direct(plan, tile, i);
  if (direct) {
    ElementTile whole;
    whole.rows = tile.rows;
    whole.cols = tile.cols;
    whole.out = tile.data[0];
    whole.out_row = tile.row_step[0] / static_cast<std::int64_t>(dtype_size(plan.dtypes[0]));
    whole.params = plan.params;
    for (std::size_t i = 1; i <= plan.inputs; ++i) {
      whole.in[i - 1] = reinterpret_cast<const float*>(tile.data[i]);
      whole.in_row[i - 1] = tile.row_step[i] / kFloatSize;
      whole.broadcast[i - 1] = tile.col_step[i] == 0;
    }
    plan.kernel(whole);
    return;
  }
  // Square-ish blocks, so that an operand which runs along the rows is read in whole cache lines.
  const std::int64_t col_block = std::min<std::int64_t>(tile.cols, tile.rows >= 16 ? kChunk / 16 : kChunk);
  const std::int64_t row_block = std::max<std::int64_t>(kChunk / col_block, 1);
  for (std::int64_t row = 0; row < tile.rows; row += row_block) {
    for (std::int64_t col = 0; col < tile.cols; col += col_block) {
      run_block(plan, tile, row, std::min(row_block, tile.rows - row), col,
                std::min(col_block, tile.cols - col));
    }
  }
}

bool is_comparison(ElementOp op) {
  return op >= ElementOp::kEqual;
}

}  // namespace

void run_elementwise(const Call& call, ElementOp op, const Tensor& out, std::span<const Tensor* const> inputs,
                     const ElementParams& params) {
  Plan plan{};
  plan.kernel = isa_kernels(call).elementwise->kernels[static_cast<std::size_t>(op)];
  plan.params = params.data();
  plan.inputs = inputs.size();
  plan.compares = is_comparison(op);
  plan.dtypes[0] = out.dtype();
  plan.conversions[0] = find_conversion(call, plan.compares ? DType::kBool : DType::kFloat32, out.dtype());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    plan.dtypes[i + 1] = inputs[i]->dtype();
    plan.conversions[i + 1] = find_conversion(call, inputs[i]->dtype(), DType::kFloat32);
  }
  StridedLoop(out, inputs).for_each_tile(call.pool, grain(op), [&](const StridedTile& tile) {
    run_tile(plan, tile);
  });
}

bool computes_in_float(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

bool converts_to_float(DType dtype) {
  return dtype != DType::kFloat64 && find_conversion(dtype, DType::kFloat32) != nullptr;
}

FloatOperand::FloatOperand(const Call& call, std::string_view name) {
  if (const Tensor* tensor = tensor_or_number(call, name)) {
    tensor_ = *tensor;
  } else {
    value_ = static_cast<float>(call.number(name));
    tensor_ = Tensor(&value_, DType::kFloat32, {});
  }
}

FloatOperand::FloatOperand(double value)
    : value_(static_cast<float>(value)), tensor_(&value_, DType::kFloat32, {}) {}

const Tensor* tensor_or_number(const Call& call, std::string_view name) {
  const CallArgument* argument = call.find(name);
  const auto* tensor = argument == nullptr ? nullptr : std::get_if<const Tensor*>(argument);
  return tensor == nullptr ? nullptr : *tensor;
}

}  // namespace plumb::cpu
