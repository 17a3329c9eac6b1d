// The table of row kernels of one instruction set.
#include "engines/cpu/isa/row_functions.h"

namespace plumb::cpu::PLUMB_ISA {

extern const RowKernels row_kernels;
const RowKernels row_kernels{
    .sum = row_sum,
    .squared_deviation = row_squared_deviation,
    .maximum = row_maximum,
    .minimum = row_minimum,
    .column_sums = column_sums,
    .column_squared_deviations = column_squared_deviations,
    .column_maxima = column_maxima,
    .column_minima = column_minima,
    .softmax = row_softmax,
    .log_softmax = row_log_softmax,
    .column_softmax = column_softmax,
    .column_log_softmax = column_log_softmax,
    .attention_softmax = attention_softmax,
    .normalize = row_normalize,
    .max_taps = max_taps,
    .max_taps_with_index = max_taps_with_index,
    .sum_taps = sum_taps,
    .weighted_taps = weighted_taps,
    .dots = dots,
    .weighted_rows = weighted_rows,
};

}  // namespace plumb::cpu::PLUMB_ISA
