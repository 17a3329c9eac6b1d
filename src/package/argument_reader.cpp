// One function a kind of argument.
#include "package/argument_reader.h"

#include <memory>
#include <string>

#include "package/graph_reader.h"
#include "package/tensor_meta_reader.h"

namespace plumb {
namespace {

using Index = flatbuffers::uoffset_t;

ValueId reference(const flatbuffers::String* name, const Scope& scope, const Place& place) {
  return text_of(name).empty() ? kNoValue : scope.scalar(text_of(name), place);
}

void require_parallel(Index length, Index expected, std::string_view field, const Place& place) {
  if (length != expected) {
    Place(place, "field", field)
        .fail("has " + std::to_string(length) + " entries; expected " + std::to_string(expected));
  }
}

IntListArg int_list(const fbs::IntListArg& source, const Scope& scope, const Place& place) {
  const auto& values = *source.values();
  const auto* refs = source.refs();
  // An empty list of references means that all are literals.
  const bool has_refs = refs != nullptr && refs->size() != 0;
  if (has_refs) require_parallel(refs->size(), values.size(), "refs", place);
  IntListArg list;
  list.items.reserve(values.size());
  for (Index i = 0; i < values.size(); ++i) {
    list.items.push_back({values.Get(i), has_refs ? reference(refs->Get(i), scope, place) : kNoValue});
  }
  return list;
}

TensorListArg tensor_list(const fbs::TensorListArg& source, const Scope& scope, const Place& place) {
  TensorListArg list;
  list.values.reserve(source.names()->size());
  for (const auto* name : *source.names()) list.values.push_back(scope.tensor(text_of(name), place));
  return list;
}

TensorListArg optional_tensor_list(const fbs::OptionalTensorListArg& source, const Scope& scope,
                                   const Place& place) {
  const auto& names = *source.names();
  require_parallel(source.has_value()->size(), names.size(), "has_value", place);
  TensorListArg list;
  list.values.reserve(names.size());
  for (Index i = 0; i < names.size(); ++i) {
    const bool given = source.has_value()->Get(i) != 0;
    list.values.push_back(given ? scope.tensor(text_of(names.Get(i)), place) : kNoValue);
  }
  return list;
}

SubgraphArg subgraph(const fbs::GraphArg& source, std::size_t depth, const Place& place) {
  const std::string_view name = text_of(source.name());
  check_name(name, "name of a graph", place);
  const Place inner(place, "graph", name);
  return {.name = std::string(name),
          .graph = std::make_shared<Graph>(read_subgraph(*source.graph(), depth + 1, inner))};
}

}  // namespace

ArgumentValue read_argument(const fbs::Argument& source, const Scope& scope, std::size_t depth,
                            const Place& place) {
  switch (source.value_type()) {
    case fbs::ArgumentValue::TensorArg:
      return TensorRef{scope.tensor(text_of(source.value_as_TensorArg()->name()), place)};
    case fbs::ArgumentValue::NoneArg:
      return None{};
    case fbs::ArgumentValue::IntArg: {
      const auto& value = *source.value_as_IntArg();
      return IntArg{value.value(), reference(value.ref(), scope, place)};
    }
    case fbs::ArgumentValue::FloatArg: {
      const auto& value = *source.value_as_FloatArg();
      return FloatArg{value.value(), reference(value.ref(), scope, place)};
    }
    case fbs::ArgumentValue::BoolArg: {
      const auto& value = *source.value_as_BoolArg();
      return BoolArg{value.value(), reference(value.ref(), scope, place)};
    }
    case fbs::ArgumentValue::StringArg:
      return std::string(text_of(source.value_as_StringArg()->value()));
    case fbs::ArgumentValue::ScalarTypeArg:
      return dtype_of(source.value_as_ScalarTypeArg()->value());
    case fbs::ArgumentValue::IntListArg:
      return int_list(*source.value_as_IntListArg(), scope, place);
    case fbs::ArgumentValue::FloatListArg: {
      const auto& values = *source.value_as_FloatListArg()->values();
      return FloatListArg{{values.begin(), values.end()}};
    }
    case fbs::ArgumentValue::BoolListArg: {
      BoolListArg list;
      for (const std::uint8_t value : *source.value_as_BoolListArg()->values())
        list.items.push_back(value != 0);
      return list;
    }
    case fbs::ArgumentValue::TensorListArg:
      return tensor_list(*source.value_as_TensorListArg(), scope, place);
    case fbs::ArgumentValue::OptionalTensorListArg:
      return optional_tensor_list(*source.value_as_OptionalTensorListArg(), scope, place);
    case fbs::ArgumentValue::GraphArg:
      return subgraph(*source.value_as_GraphArg(), depth, place);
    case fbs::ArgumentValue::NONE:
      break;
  }
  place.fail("has no value; expected one of the format's kinds of argument");
}

}  // namespace plumb
