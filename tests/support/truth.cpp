// SPDX-License-Identifier: MIT
#include "support/truth.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using engine::Address;
using Json = nlohmann::json;

std::uint64_t number(const Json& json, const char* name) {
  const Json& value = json.at(name);
  return value.is_string() ? std::stoull(value.get<std::string>(), nullptr, 16) : value.get<std::uint64_t>();
}

std::uint32_t smallNumber(const Json& json, const char* name) {
  return static_cast<std::uint32_t>(number(json, name));
}

Address address(const Json& json, const char* name) {
  return {number(json, name)};
}

TruthTotals totals(const Json& json) {
  return {number(json, "objects"), number(json, "bytes"), number(json, "freeObjects"), number(json, "freeBytes")};
}

TruthSegment segment(const Json& json) {
  return {json.at("kind"),
          smallNumber(json, "heap"),
          {address(json, "start"), address(json, "end")},
          address(json, "committedEnd"),
          address(json, "reservedEnd"),
          totals(json),
          json.at("complete"),
          number(json, "checksum")};
}

TruthType type(const Json& json) {
  TruthType read;
  read.name = json.at("name");
  read.methodTable = address(json, "methodTable");
  read.module = json.at("module");
  read.count = number(json, "count");
  read.bytes = number(json, "bytes");
  read.exactBytes = number(json, "exactBytes");
  read.generationBytes = json.at("generations");
  read.baseSize = smallNumber(json, "baseSize");
  read.componentSize = smallNumber(json, "componentSize");
  for (const Json& field : json.value("fields", Json::array())) {
    read.fields.push_back({field.at("declaringType"), field.at("name"), smallNumber(field, "offset"),
                           smallNumber(field, "elementType"), smallNumber(field, "size")});
  }
  read.staticFields = json.value("staticFields", std::vector<std::string>{});
  return read;
}

TruthModule module(const Json& json) {
  return {json.at("name"),      json.at("path"),        address(json, "imageBase"),
          number(json, "size"), json.value("mvid", ""), json.at("dynamic")};
}

Truth parsed(const Json& json) {
  Truth truth;
  truth.runtime = json.at("runtime");
  truth.gc = json.at("gc");
  truth.heaps = smallNumber(json, "heaps");
  truth.hasRegions = json.at("regions");
  truth.isWalkable = json.at("walkable");
  truth.hasMembers = json.at("members");
  for (const Json& part : json.at("segments")) truth.segments.push_back(segment(part));
  for (const Json& part : json.at("generations")) {
    truth.generations.push_back({smallNumber(part, "heap"), part.at("generation"), totals(part)});
  }
  for (const Json& part : json.at("types")) truth.types.push_back(type(part));
  for (const Json& part : json.at("modules")) truth.modules.push_back(module(part));
  return truth;
}

std::vector<std::string> dumpsWithout(std::initializer_list<std::string_view> endings) {
  std::vector<std::string> names = allDumps();
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
  });
  return names;
}

}  // namespace

bool TruthType::isNameReliable() const {
  const auto has = [this](std::string_view part) { return name.find(part) != std::string::npos; };
  return !name.empty() && !has("<*>") && !has("T1") && !has("Void*") && !has("(null)");
}

Truth Truth::read(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return parsed(Json::parse(file));
}

Truth Truth::of(const std::string& dump) {
  return parsed(Json::parse(unpackedFile(std::filesystem::path(HEAPSCAPE_TEST_DATA) / (dump + ".truth.json.zst"))));
}

void ObjectChecksum::add(std::uint64_t address, std::uint64_t exactBytes, std::uint64_t methodTable) {
  addWord(address);
  addWord(exactBytes);
  addWord(methodTable);
}

void ObjectChecksum::addWord(std::uint64_t word) {
  for (int i = 0; i < 8; ++i, word >>= 8) m_hash = (m_hash ^ (word & 0xff)) * 0x100000001b3;
}

std::vector<std::string> allDumps() {
  constexpr std::string_view kEnding = ".truth.json.zst";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(HEAPSCAPE_TEST_DATA)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kEnding)) names.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> heapDumps() {
  return dumpsWithout({"-normal", "-triage"});
}

std::vector<std::string> healthyDumps() {
  return dumpsWithout({"-normal", "-triage", "-collecting"});
}

std::vector<std::string> shopDumps() {
  std::vector<std::string> names = dumpsWithout({"-normal", "-triage", "-collecting", "-gcore"});
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("shop-"); });
  return names;
}

std::string testName(std::string dump) {
  std::ranges::replace(dump, '-', '_');
  return dump;
}

}  // namespace heapscape::test
