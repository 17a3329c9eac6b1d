// Checks the alias map against what is stored.
#include "package/aliases.h"

#include <unordered_set>

#include "package/json.h"

namespace plumb {

std::vector<std::pair<std::string, std::string>> read_aliases(std::span<const std::byte> json,
                                                              std::span<const StoredTensor> stored,
                                                              const Place& member) {
  std::unordered_set<std::string_view> owners;
  for (const StoredTensor& tensor : stored) owners.insert(tensor.key);
  std::vector<std::pair<std::string, std::string>> aliases;
  const auto object = parse_json_object(json, member);
  for (const auto& [key, owner] : object.items()) {
    check_name(key, "key of an alias", member);
    const Place alias(member, "alias", key);
    if (key == "__metadata__") alias.fail("is a name that safetensors reserves");
    if (!owner.is_string())
      alias.fail(std::string("has a ") + owner.type_name() + " as owner; expected a string");
    if (owners.contains(key)) alias.fail("is also stored; expected a key without data of its own");
    const auto& name = owner.get_ref<const std::string&>();
    if (!owners.contains(name)) {
      alias.fail("has the owner " + in_quotes(name) +
                 ", which is not stored; expected a key of program.safetensors");
    }
    aliases.emplace_back(key, name);
  }
  return aliases;
}

}  // namespace plumb
