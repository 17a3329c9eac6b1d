// Every limit that a package must keep. They bound work and memory, not real models: each is far above what
// is met.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb::limits {

// zip
inline constexpr std::size_t kMaxMembers = 1024;
inline constexpr std::size_t kMaxMemberNameBytes = 1024;

// JSON members and the safetensors header (whose limit the safetensors format itself sets)
inline constexpr std::size_t kMaxHeaderBytes = 100'000'000;
inline constexpr std::size_t kMaxJsonBytes = 100'000'000;
inline constexpr int kMaxJsonDepth = 16;
inline constexpr std::size_t kMaxLabels = 1'000'000;

// program.ptg
inline constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxGraphDepth = 32;  // graphs within graphs
// Five tables lie between a graph and the next one, and six more below the innermost.
inline constexpr std::size_t kMaxTableDepth = kMaxGraphDepth * 5 + 8;
// Tables, lists and strings may be shared, which lets a small file describe an enormous program; so what a
// reader visits is bounded by the size of the member. A visit is a table, a list element, or 64 bytes of a
// string.
inline constexpr std::size_t kMaxVisitsPerByte = 4;
inline constexpr std::size_t kMaxMethods = 1024;
inline constexpr std::size_t kMaxNodes = 1'000'000;   // of all graphs together
inline constexpr std::size_t kMaxValues = 4'000'000;  // that all nodes together compute
inline constexpr std::size_t kMaxNameBytes = 4096;
// Room to spare in 63 bits: later stages multiply sizes without checking again. An empty dimension counts as
// one.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 56;
inline constexpr std::int64_t kMaxDimension = std::int64_t{1} << 48;
// State without data in the file is the one allocation that a package orders by number alone; of all buffers
// together.
inline constexpr std::int64_t kMaxZeroBufferBytes = std::int64_t{16} << 30;

}  // namespace plumb::limits
