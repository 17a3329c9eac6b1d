// Constant data: the safetensors file, aliases, quantised constants, labels.
#include <cstring>

#include "support/method_builder.h"
#include "support/reading.h"

namespace plumb::testing {
namespace {

PackageParts small_parts() {
  return to_parts(make_program(small_method()));
}

std::string header_refusal(const std::string& header, std::size_t data_bytes = 16) {
  PackageParts parts = small_parts();
  parts.constants = make_safetensors(header, Bytes(data_bytes));
  return refusal(parts);
}

std::string tensor(const std::string& key, const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + key + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}";
}

TEST(Constants, are_used_where_they_lie_when_aligned) {
  const auto bytes = std::make_shared<const Bytes>(make_package(small_parts()));
  const auto program = read_program(*bytes, bytes, "test.ptn");
  const std::byte* data = program->constants[0]->data.data();
  EXPECT_GE(data, bytes->data());
  EXPECT_LT(data, bytes->data() + bytes->size());
  EXPECT_EQ(program->methods[0]->constants[0].constant, program->constants[0]);
}

TEST(Constants, skip_the_metadata_of_the_header) {
  PackageParts parts = small_parts();
  parts.constants = make_safetensors(
      "{\"__metadata__\":{\"format\":\"pt\"}," + tensor("layer.weight", "F32", "[4]", "[0,16]") + "}",
      Bytes(16));
  EXPECT_EQ(read(parts)->constants.size(), 1U);
}

TEST(Constants, refuse_a_header_that_is_too_long_or_too_deep) {
  PackageParts parts = small_parts();
  parts.constants = Bytes(8, std::byte{0xFF});
  expect_contains(refusal(parts),
                  "member 'program.safetensors': field 'header size': is 18446744073709551615");
  parts.constants = Bytes(5);
  expect_contains(refusal(parts), "has 5 bytes; expected at least 8");
  expect_contains(header_refusal("{\"a\":" + std::string(100'000, '[')), "kMaxJsonDepth = 16");
}

TEST(Constants, refuse_bad_entries) {
  const std::string good = tensor("layer.weight", "F32", "[4]", "[0,16]");
  expect_contains(header_refusal("{" + good + "," + good + "}"), "has the key 'layer.weight' twice");
  expect_contains(header_refusal("{\"layer.weight\":3}"), "tensor 'layer.weight': is no JSON object");
  expect_contains(header_refusal("{\"layer.weight\":{}}"), "field 'dtype': is missing");
  expect_contains(header_refusal("{" + tensor("a", "F31", "[4]", "[0,16]") + "}"), "field 'dtype': is 'F31'");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[-4]", "[0,16]") + "}"),
                  "field 'shape': holds '-4'");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[4.0]", "[0,16]") + "}"),
                  "field 'shape': holds '4.0'");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[4]", "[0,17]") + "}"),
                  "field 'data_offsets': is 0 to 17");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[4]", "[9,1]") + "}"),
                  "field 'data_offsets': is 9 to 1");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[3]", "[0,16]") + "}"),
                  "spans 16 bytes; expected 12");
  expect_contains(
      header_refusal("{" + tensor("a", "F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4]", "[0,16]") + "}"),
      "field 'shape': is no list of 0 to 16 numbers");
  expect_contains(header_refusal("{"), "is not valid JSON");
  expect_contains(header_refusal("[]"), "holds a JSON array; expected an object");
}

TEST(Constants, refuse_shapes_that_overflow_even_when_empty) {
  expect_contains(header_refusal("{" + tensor("a", "F32", "[4294967296,4294967296]", "[0,16]") + "}"),
                  "kMaxTensorBytes");
  expect_contains(header_refusal("{" + tensor("a", "F32", "[0,4294967296,4294967296]", "[0,0]") + "}", 0),
                  "kMaxTensorBytes");
}

TEST(Constants, refuse_overlap_gaps_and_a_tail) {
  const std::string a = tensor("a", "F32", "[2]", "[0,8]");
  expect_contains(header_refusal("{" + a + "," + tensor("b", "F32", "[2]", "[4,12]") + "}", 12),
                  "begins at 4; expected 8");
  expect_contains(header_refusal("{" + a + "," + tensor("b", "F32", "[1]", "[12,16]") + "}"),
                  "begins at 12; expected 8");
  expect_contains(header_refusal("{" + a + "}"), "has 8 bytes after its last tensor");
}

TEST(Constants, refuse_data_that_the_program_declares_otherwise) {
  expect_contains(
      header_refusal("{" + tensor("layer.weight", "F32", "[2,2]", "[0,16]") + "}"),
      "member 'program.ptg': method 'forward', constant 'w': is declared float32[4]; expected float32[2, 2]");
  expect_contains(header_refusal("{" + tensor("layer.bias", "F32", "[4]", "[0,16]") + "}"),
                  "refers to data 'layer.weight'");
  PackageParts parts = small_parts();
  parts.constants.clear();
  expect_contains(refusal(parts), "refers to data 'layer.weight'");
}

TEST(Constants, refuse_bools_that_are_neither_0_nor_1) {
  MethodBuilder builder;
  builder.output(
      builder.constant("m", make_constant("mask", DType::kBool, {2}, {std::byte{1}, std::byte{2}})));
  expect_contains(refusal(to_parts(make_program(builder.build()))), "tensor 'mask': has the bool 2");
}

TEST(Aliases, resolve_to_the_owner) {
  PackageParts parts = small_parts();
  fbs::ProgramT tables = to_tables(make_program(small_method()));
  tables.methods[0]->constants[0]->data_key = "tied.weight";
  parts.program = encode(tables);
  parts.aliases = R"({"tied.weight":"layer.weight"})";
  const auto program = read(parts);
  EXPECT_EQ(program->methods[0]->constants[0].constant, program->constants[0]);
  ASSERT_EQ(program->aliases.size(), 1U);
  EXPECT_EQ(program->aliases[0].first, "tied.weight");
}

TEST(Aliases, refuse_owners_that_are_not_stored_and_duplicates_that_are) {
  const auto with_aliases = [](const std::string& aliases) {
    PackageParts parts = small_parts();
    parts.aliases = aliases;
    return refusal(parts);
  };
  expect_contains(with_aliases(R"({"a":"b"})"),
                  "member 'aliases.json': alias 'a': has the owner 'b', which is not stored");
  expect_contains(with_aliases(R"({"a":"b","b":"a"})"), "which is not stored");
  expect_contains(with_aliases(R"({"a":"layer.weight","c":"a"})"),
                  "alias 'c': has the owner 'a', which is not stored");
  expect_contains(with_aliases(R"({"layer.weight":"layer.weight"})"), "alias 'layer.weight': is also stored");
  expect_contains(with_aliases(R"({"a":1})"), "has a number as owner");
  expect_contains(with_aliases(R"({"__metadata__":"layer.weight"})"), "reserves");
}

Method quantized_method(const QuantScheme& quant, std::size_t bytes, std::size_t scales) {
  const auto data = std::make_shared<Constant>(
      *make_constant("w", DType::kUInt8, {static_cast<std::int64_t>(bytes)}, Bytes(bytes)));
  MethodBuilder builder;
  const ValueId value = builder.constant("w", data);
  builder.constant(
      "s", float_constant("w.scale", {static_cast<std::int64_t>(scales)}, std::vector<float>(scales)));
  builder.output(value);
  Method method = builder.build();
  method.graph.values[value].meta = tensor_meta(DType::kUInt8, {2, 256});
  method.graph.values[value].meta->quant = quant;
  return method;
}

TEST(Quantization, is_carried_along_when_the_bytes_fit) {
  const AffineGroup int4{
      .scale_key = "w.scale", .quant_min = -8, .quant_max = 7, .group_size = 32, .zero_point_key = {}};
  const auto program = read(to_parts(make_program(quantized_method(int4, 256, 16))));
  EXPECT_EQ(program->methods[0]->constants[0].constant->quant, QuantScheme(int4));
  const PackedQuant packed{.codec = "gguf:q4_k"};
  EXPECT_EQ(read(to_parts(make_program(quantized_method(packed, 288, 1))))->methods.size(), 1U);
}

TEST(Quantization, is_refused_when_bytes_or_scales_do_not_fit) {
  AffineGroup int4{
      .scale_key = "w.scale", .quant_min = -8, .quant_max = 7, .group_size = 32, .zero_point_key = {}};
  const auto refused = [](const QuantScheme& quant, std::size_t bytes, std::size_t scales) {
    return refusal(to_parts(make_program(quantized_method(quant, bytes, scales))));
  };
  expect_contains(refused(int4, 255, 16), "constant 'w': is stored in 255 bytes; expected 256");
  expect_contains(refused(int4, 256, 15), "expected 16 elements of float32");
  expect_contains(refused(PackedQuant{.codec = "gguf:q4_k"}, 287, 1), "is stored in 287 bytes; expected 288");
  int4.scale_key = "missing";
  expect_contains(refused(int4, 256, 16), "refers to data 'missing'");
  int4.quant_max = -9;
  expect_contains(refused(int4, 256, 16), "expected a minimum below the maximum");
}

TEST(Metadata, gives_labels_and_preprocessing) {
  PackageParts parts = small_parts();
  parts.metadata =
      R"({"labels":["cat","dög"],"preprocessing":{"resize":null,"crop":224,"interpolation":"bicubic",
    "mean":[1,2,3],"std":[4,5,6],"scale":0.5,"channels":"BGR","layout":"NHWC"}})";
  const auto program = read(parts);
  EXPECT_EQ(program->labels, (std::vector<std::string>{"cat", "dög"}));
  ASSERT_TRUE(program->preprocessing.has_value());
  EXPECT_EQ(program->preprocessing->resize, 0);
  EXPECT_EQ(program->preprocessing->crop, 224);
  EXPECT_EQ(program->preprocessing->std, (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(program->preprocessing->channels, "BGR");
}

TEST(Metadata, refuses_what_it_does_not_understand) {
  const auto with_metadata = [](const std::string& metadata) {
    PackageParts parts = small_parts();
    parts.metadata = metadata;
    return refusal(parts);
  };
  expect_contains(with_metadata(R"({"labels":["a\nb"]})"), "member 'plumb.json': field 'labels', entry 0");
  expect_contains(with_metadata(R"({"preprocessing":{"std":[1,0,1]}})"), "field 'std': holds 0");
  expect_contains(with_metadata(R"({"preprocessing":{"sizes":1}})"), "field 'sizes': is unknown");
  expect_contains(with_metadata(R"({"preprocessing":{"interpolation":"cubic"}})"),
                  "field 'interpolation': is");
  expect_contains(with_metadata(R"({"preprocessing":{"scale":1e999}})"), "is not valid JSON");
}

}  // namespace
}  // namespace plumb::testing
