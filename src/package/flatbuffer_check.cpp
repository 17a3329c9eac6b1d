// A walk over the whole buffer, driven by the type tables that flatc generates, so that it knows names and
// bounds its work; flatbuffers' own verifier, which can do neither, has the second word.
#include "package/flatbuffer_check.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "package/limits.h"

namespace plumb {
namespace {

using flatbuffers::TypeTable;

constexpr std::size_t kOffsetBytes = 4;
constexpr std::size_t kStringBytesPerVisit = 64;

struct RequiredField {
  flatbuffers::TypeFunction table;
  flatbuffers::voffset_t slot;
};

// Type tables do not tell which fields are required.
constexpr RequiredField kRequired[] = {
    {fbs::AffineGroupTypeTable, fbs::AffineGroup::VT_SCALE_DATA_KEY},
    {fbs::PackedQuantTypeTable, fbs::PackedQuant::VT_CODEC},
    {fbs::TensorValueTypeTable, fbs::TensorValue::VT_NAME},
    {fbs::TensorValueTypeTable, fbs::TensorValue::VT_META},
    {fbs::TensorArgTypeTable, fbs::TensorArg::VT_NAME},
    {fbs::StringArgTypeTable, fbs::StringArg::VT_VALUE},
    {fbs::IntListArgTypeTable, fbs::IntListArg::VT_VALUES},
    {fbs::FloatListArgTypeTable, fbs::FloatListArg::VT_VALUES},
    {fbs::BoolListArgTypeTable, fbs::BoolListArg::VT_VALUES},
    {fbs::TensorListArgTypeTable, fbs::TensorListArg::VT_NAMES},
    {fbs::OptionalTensorListArgTypeTable, fbs::OptionalTensorListArg::VT_NAMES},
    {fbs::OptionalTensorListArgTypeTable, fbs::OptionalTensorListArg::VT_HAS_VALUE},
    {fbs::GraphArgTypeTable, fbs::GraphArg::VT_NAME},
    {fbs::GraphArgTypeTable, fbs::GraphArg::VT_GRAPH},
    {fbs::NamedArgumentTypeTable, fbs::NamedArgument::VT_ARG},
    {fbs::KeyValueTypeTable, fbs::KeyValue::VT_KEY},
    {fbs::KeyValueTypeTable, fbs::KeyValue::VT_VALUE},
    {fbs::OutputTypeTable, fbs::Output::VT_NAME},
    {fbs::NodeTypeTable, fbs::Node::VT_NAME},
    {fbs::NamedTensorRefTypeTable, fbs::NamedTensorRef::VT_NAME},
    {fbs::NamedTensorRefTypeTable, fbs::NamedTensorRef::VT_DATA_KEY},
    {fbs::NamedTensorRefTypeTable, fbs::NamedTensorRef::VT_META},
    {fbs::OutputSpecTypeTable, fbs::OutputSpec::VT_NAME},
    {fbs::MutableBufferSpecTypeTable, fbs::MutableBufferSpec::VT_NAME},
    {fbs::MutableBufferSpecTypeTable, fbs::MutableBufferSpec::VT_FQN},
    {fbs::GraphTypeTable, fbs::Graph::VT_NODES},
    {fbs::MethodTypeTable, fbs::Method::VT_NAME},
    {fbs::MethodTypeTable, fbs::Method::VT_GRAPH},
    {fbs::ProgramTypeTable, fbs::Program::VT_METHODS},
};

std::size_t scalar_width(unsigned type) {
  switch (type) {
    case flatbuffers::ET_SHORT:
    case flatbuffers::ET_USHORT:
      return 2;
    case flatbuffers::ET_INT:
    case flatbuffers::ET_UINT:
    case flatbuffers::ET_FLOAT:
      return 4;
    case flatbuffers::ET_LONG:
    case flatbuffers::ET_ULONG:
    case flatbuffers::ET_DOUBLE:
      return 8;
    default:
      return 1;
  }
}

bool is_enum_value(const TypeTable& table, std::int64_t value) {
  if (table.values == nullptr) return value >= 0 && value < static_cast<std::int64_t>(table.num_elems);
  return std::find(table.values, table.values + table.num_elems, value) != table.values + table.num_elems;
}

class Walk {
 public:
  explicit Walk(std::span<const std::byte> bytes)
      : bytes_(bytes), visits_left_(bytes.size() * limits::kMaxVisitsPerByte) {}

  void root(flatbuffers::TypeFunction type, const Place& place) { table(follow(0, place), type, place, 0); }

 private:
  template <typename T>
  T read(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  void need(std::size_t at, std::size_t length, std::size_t alignment, const Place& place) const {
    if (at > bytes_.size() || length > bytes_.size() - at) {
      place.fail("lies at bytes " + std::to_string(at) + " to " + std::to_string(at) + "+" +
                 std::to_string(length) + "; expected at most " + std::to_string(bytes_.size()));
    }
    if (at % alignment != 0) {
      place.fail("lies at byte " + std::to_string(at) + "; expected a multiple of " +
                 std::to_string(alignment));
    }
  }

  void visit(std::size_t count, const Place& place) {
    if (count > visits_left_) {
      place.fail("is part of more data than " + std::to_string(bytes_.size()) +
                 " bytes can hold unless much of it is shared; expected at most kMaxVisitsPerByte = " +
                 std::to_string(limits::kMaxVisitsPerByte) + " tables and list elements a byte");
    }
    visits_left_ -= count;
  }

  // What is shared counts each time that it is read.
  static void take(std::size_t& left, std::size_t count, const Place& place, const char* limit,
                   std::size_t value) {
    if (count > left) {
      place.fail("is one too many in the program; expected at most " + std::string(limit) + " = " +
                 std::to_string(value) + " in all");
    }
    left -= count;
  }

  std::size_t follow(std::size_t at, const Place& place) const {
    need(at, kOffsetBytes, kOffsetBytes, place);
    const std::size_t target = at + read<std::uint32_t>(at);
    if (target == at) place.fail("has the offset 0, which points nowhere");
    need(target, kOffsetBytes, kOffsetBytes, place);
    return target;
  }

  void table(std::size_t at, flatbuffers::TypeFunction type, const Place& place, std::size_t depth) {
    if (depth > limits::kMaxTableDepth) {
      place.fail("is nested deeper than kMaxTableDepth = " + std::to_string(limits::kMaxTableDepth) +
                 " tables");
    }
    visit(1, place);
    if (type == fbs::NodeTypeTable) take(nodes_left_, 1, place, "kMaxNodes", limits::kMaxNodes);
    if (type == fbs::OutputTypeTable) take(values_left_, 1, place, "kMaxValues", limits::kMaxValues);
    need(at, 4, 4, place);
    const std::int64_t vtable_at = static_cast<std::int64_t>(at) - read<std::int32_t>(at);
    if (vtable_at < 0) place.fail("has a vtable before the first byte");
    const auto vtable = static_cast<std::size_t>(vtable_at);
    need(vtable, 4, 2, place);
    const std::size_t vtable_size = read<std::uint16_t>(vtable);
    const std::size_t size = read<std::uint16_t>(vtable + 2);
    if (vtable_size < 4 || vtable_size % 2 != 0) {
      place.fail("has a vtable of " + std::to_string(vtable_size) +
                 " bytes; expected an even number of 4 or more");
    }
    need(vtable, vtable_size, 2, place);
    need(at, size, 4, place);

    const TypeTable& fields = *type();
    unsigned union_tag = 0;
    for (std::size_t i = 0; i < fields.num_elems; ++i) {
      const std::size_t slot = 4 + 2 * i;
      const std::size_t offset = slot < vtable_size ? read<std::uint16_t>(vtable + slot) : 0;
      const Place field(place, "field", fields.names[i]);
      const flatbuffers::TypeCode code = fields.type_codes[i];
      const bool is_union =
          code.base_type == flatbuffers::ET_SEQUENCE && is_type(fields, i, flatbuffers::ST_UNION);
      if (offset == 0) {
        if (is_required(type, slot)) field.fail("is missing");
        if (is_union && union_tag != 0) field.fail("is missing although its type is given");
        if (code.base_type == flatbuffers::ET_UTYPE) union_tag = 0;
        continue;
      }
      const bool is_inline = !code.is_repeating && code.base_type < flatbuffers::ET_STRING;
      const std::size_t width = is_inline ? scalar_width(code.base_type) : kOffsetBytes;
      if (offset < 4 || offset + width > size) {
        field.fail("lies at byte " + std::to_string(offset) + " of a table of " + std::to_string(size) +
                   " bytes");
      }
      need(at + offset, width, width, field);
      if (is_inline) {
        if (code.base_type == flatbuffers::ET_UTYPE) union_tag = read<std::uint8_t>(at + offset);
        check_value(fields, i, at + offset, field);
      } else if (is_union) {
        if (union_tag == 0) continue;  // a value without a type is no value
        member_of_union(follow(at + offset, field), *fields.type_refs[code.sequence_ref](), union_tag, field,
                        depth);
      } else {
        reference(follow(at + offset, field), fields, i, field, depth);
      }
    }
  }

  static bool is_type(const TypeTable& fields, std::size_t i, flatbuffers::SequenceType type) {
    const auto ref = fields.type_codes[i].sequence_ref;
    return ref >= 0 && fields.type_refs[ref]()->st == type;
  }

  static bool is_required(flatbuffers::TypeFunction table, std::size_t slot) {
    return std::any_of(std::begin(kRequired), std::end(kRequired),
                       [&](const RequiredField& row) { return row.table == table && row.slot == slot; });
  }

  void check_value(const TypeTable& fields, std::size_t i, std::size_t at, const Place& field) const {
    const flatbuffers::TypeCode code = fields.type_codes[i];
    if (code.base_type == flatbuffers::ET_UTYPE) {
      const TypeTable& members = *fields.type_refs[code.sequence_ref]();
      const unsigned tag = read<std::uint8_t>(at);
      if (tag >= members.num_elems) {
        field.fail("is " + std::to_string(tag) + "; expected less than " + std::to_string(members.num_elems));
      }
    } else if (is_type(fields, i, flatbuffers::ST_ENUM)) {
      const int value = read<std::int8_t>(at);
      if (!is_enum_value(*fields.type_refs[code.sequence_ref](), value)) {
        field.fail("is " + std::to_string(value) + ", which names nothing");
      }
    }
  }

  void member_of_union(std::size_t at, const TypeTable& members, unsigned tag, const Place& field,
                       std::size_t depth) {
    const auto ref = members.type_codes[tag].sequence_ref;
    table(at, members.type_refs[ref], field, depth + 1);
  }

  void reference(std::size_t at, const TypeTable& fields, std::size_t i, const Place& field,
                 std::size_t depth) {
    const flatbuffers::TypeCode code = fields.type_codes[i];
    if (code.is_repeating) return list(at, fields, i, field, depth);
    if (code.base_type == flatbuffers::ET_STRING) return string(at, field);
    table(at, fields.type_refs[code.sequence_ref], field, depth + 1);
  }

  void list(std::size_t at, const TypeTable& fields, std::size_t i, const Place& field, std::size_t depth) {
    const flatbuffers::TypeCode code = fields.type_codes[i];
    const bool by_offset = code.base_type >= flatbuffers::ET_STRING;
    const std::size_t width = by_offset ? kOffsetBytes : scalar_width(code.base_type);
    const std::size_t length = read<std::uint32_t>(at);
    // Writers align elements, but not the place where those of an empty list would be.
    need(at + 4, length * width, length == 0 ? 1 : width, field);
    visit(length, field);
    // The names of an output that is a list.
    if (&fields == fbs::OutputTypeTable()) {
      take(values_left_, length, field, "kMaxValues", limits::kMaxValues);
    }
    if (!by_offset) return;
    for (std::size_t k = 0; k < length; ++k) {
      const Place entry(field, "entry", k);
      const std::size_t target = follow(at + 4 + k * kOffsetBytes, entry);
      if (code.base_type == flatbuffers::ET_STRING) {
        string(target, entry);
      } else {
        table(target, fields.type_refs[code.sequence_ref], entry, depth + 1);
      }
    }
  }

  void string(std::size_t at, const Place& field) {
    const std::size_t length = read<std::uint32_t>(at);
    need(at + 4, length + 1, 1, field);
    if (bytes_[at + 4 + length] != std::byte{0}) field.fail("is a string without its terminating zero");
    visit(1 + length / kStringBytesPerVisit, field);
  }

  std::span<const std::byte> bytes_;
  std::size_t visits_left_;
  std::size_t nodes_left_ = limits::kMaxNodes;
  std::size_t values_left_ = limits::kMaxValues;
};

}  // namespace

const fbs::Program& check_program(std::span<const std::byte> bytes, const Place& member) {
  if (bytes.size() > limits::kMaxProgramBytes) {
    member.fail("has " + std::to_string(bytes.size()) +
                " bytes; expected at most kMaxProgramBytes = " + std::to_string(limits::kMaxProgramBytes));
  }
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (bytes.size() < 8 || !fbs::ProgramBufferHasIdentifier(data)) {
    member.fail("does not begin like a program; expected a FlatBuffer with the file identifier " +
                in_quotes(fbs::ProgramIdentifier()));
  }
  Walk(bytes).root(fbs::ProgramTypeTable, member);

  flatbuffers::Verifier::Options options;
  options.max_depth = static_cast<flatbuffers::uoffset_t>(limits::kMaxTableDepth + 1);
  options.max_tables = static_cast<flatbuffers::uoffset_t>(
      std::min<std::size_t>(bytes.size() * limits::kMaxVisitsPerByte, UINT32_MAX));
  flatbuffers::Verifier verifier(data, bytes.size(), options);
  if (!fbs::VerifyProgramBuffer(verifier)) member.fail("is no valid FlatBuffer of the program schema");
  return *fbs::GetProgram(data);
}

}  // namespace plumb
