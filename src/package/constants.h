// All constant data of a package by key, and the check of what a program says about one of them.
// Data are used where they lie in the file; only data that are unaligned for their dtype are copied, once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "package/place.h"
#include "package/safetensors.h"

namespace plumb {

class ConstantStore {
 public:
  // `owner` keeps the file's bytes alive. The tensors and aliases are those that their readers have checked.
  ConstantStore(std::span<const StoredTensor> tensors,
                std::vector<std::pair<std::string, std::string>> aliases,
                const std::shared_ptr<const void>& owner, const Place& member);

  // The constant stored under the key or under its owner's key; null when there is neither.
  const Constant* find(std::string_view key) const;
  std::shared_ptr<const Constant> share(std::string_view key) const;
  // Whether some key has no data of its own but those of `key`, or the other way round.
  bool is_shared(std::string_view key) const;

  // Checks the data under `key` against the program's metadata, and records its quantisation scheme.
  void declare(std::string_view key, const TensorMeta& meta, const Place& constant);

  const std::vector<std::pair<std::string, std::string>>& aliases() const { return aliases_; }
  std::vector<std::shared_ptr<const Constant>> in_file_order() const;

 private:
  Constant* find_mutable(std::string_view key) const;

  std::vector<std::shared_ptr<Constant>> constants_;
  std::vector<bool> declared_;                          // parallel to constants_
  std::unordered_map<std::string, std::size_t> index_;  // duplicates included
  std::vector<std::pair<std::string, std::string>> aliases_;
};

}  // namespace plumb
