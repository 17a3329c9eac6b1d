// A package for programs to read.
#include <nlohmann/json.hpp>

#include "runners/inspect/inspect.h"
#include "runners/json.h"

namespace plumb {
namespace {

using Json = nlohmann::ordered_json;

Json tensor_json(const TensorInfo& info) {
  Json sizes = Json::array();
  for (const DimRange& range : info.sizes) {
    sizes.push_back({{"min", range.min}, {"max", range.max < 0 ? Json() : Json(range.max)}});
  }
  return {{"name", info.name}, {"dtype", dtype_name(info.dtype)}, {"sizes", sizes}};
}

Json tensors_json(const std::vector<TensorInfo>& infos) {
  Json list = Json::array();
  for (const TensorInfo& info : infos) list.push_back(tensor_json(info));
  return list;
}

Json method_json(const MethodReport& report) {
  Json json{{"name", report.info.name},
            {"inputs", tensors_json(report.info.inputs)},
            {"outputs", tensors_json(report.info.outputs)},
            {"state", report.info.state},
            {"constants", report.info.constants}};
  json["ops"] = Json::array();
  for (const OpCount& op : report.info.ops) json["ops"].push_back({{"op", op.op}, {"count", op.count}});
  json["engines"] = Json::array();
  for (const EngineSupport& support : report.engines) {
    json["engines"].push_back(
        {{"name", support.engine}, {"runs", support.blockers.empty()}, {"blockers", support.blockers}});
  }
  return json;
}

}  // namespace

std::string to_json(const PackageReport& report) {
  Json json{{"package", report.path},
            {"version", report.version},
            {"file_bytes", report.file_bytes},
            {"labels", report.labels}};
  json["constants"] = Json::array();
  for (const ConstantInfo& constant : report.constants) {
    json["constants"].push_back({{"key", constant.key},
                                 {"dtype", dtype_name(constant.dtype)},
                                 {"sizes", constant.sizes},
                                 {"bytes", constant.bytes},
                                 {"aliases", constant.aliases}});
  }
  json["methods"] = Json::array();
  for (const MethodReport& method : report.methods) json["methods"].push_back(method_json(method));
  return json_text(json);
}

}  // namespace plumb
