// SPDX-License-Identifier: MIT
#include "runtime/contract/contract.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

namespace heapscape::engine {
namespace {

using Json = nlohmann::json;

std::optional<std::uint64_t> numberOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return static_cast<std::uint64_t>(value.get<std::int64_t>());
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text.c_str(), &end, 0);
    if (!text.empty() && *end == '\0') return number;
  }
  return std::nullopt;
}

const Json& memberOf(const Json& object, const char* name) {
  static const Json kNothing = Json::object();
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

// A descriptor writes a field as its offset, or as [offset, type].
std::optional<std::uint64_t> descriptorOffset(const Json& value) {
  return value.is_array() && !value.empty() ? numberOf(value.front()) : numberOf(value);
}

}  // namespace

Result<Contract> Contract::parse(std::string_view text, std::span<const std::string_view> differences) {
  try {
    return fromJson(text, differences);
  } catch (const Json::exception&) {  // a value of another kind than the schema says
    return failure(ErrorCode::Damaged, "A contract file is not readable.");
  }
}

Result<Contract> Contract::fromJson(std::string_view text, std::span<const std::string_view> differences) {
  Json json = Json::parse(text, nullptr, false);
  for (const std::string_view difference : differences) json.merge_patch(Json::parse(difference, nullptr, false));
  if (!json.is_object() || json.value("schema", 0) != 1 || !json.contains("types")) {
    return failure(ErrorCode::Damaged, "A contract file is not readable.");
  }
  Contract contract;
  contract.m_runtimeVersion = json.value("runtime", "");
  contract.m_architecture = enumNamed<Architecture>(json.value("architecture", "x64")).value_or(Architecture::X64);
  contract.m_verifiedOn = json.value("verifiedOn", std::vector<std::string>{});
  for (const Json& table : memberOf(json, "globalTables")) {
    GlobalTable& added = contract.m_globalTables.emplace_back();
    added.entryCount = table.value("entryCount", std::size_t{0});
    for (const auto& [name, index] : memberOf(table, "index").items())
      added.indexOf[name] = numberOf(index).value_or(SIZE_MAX / 16);
  }
  for (const auto& [name, theirs] : memberOf(json, "descriptorNames").items())
    contract.m_descriptorNames[name] = theirs.get<std::string>();
  for (const auto& [type, fields] : memberOf(json, "types").items()) {
    for (const auto& [field, offset] : fields.items()) {
      contract.m_types[type][field] = numberOf(offset).value_or(kAbsentOffset);
      contract.m_numbers.set(ContractName(type).numberOf(field), contract.m_types[type][field]);
    }
  }
  for (const auto& [name, value] : memberOf(json, "constants").items()) {
    if (const auto number = numberOf(value)) contract.m_numbers.set(ContractName(name).number(), *number);
  }
  for (const auto& [name, theirs] : memberOf(json, "globals").items())
    contract.m_describedGlobals[name] = theirs.get<std::string>();
  for (const auto& [name, theirs] : memberOf(json, "gcVariables").items())
    contract.m_gcVariables[name] = theirs.get<std::string>();
  for (const auto& [name, type] : memberOf(json, "wellKnownTypes").items())
    contract.m_wellKnownTypes[name] = type.get<std::string>();
  return contract;
}

namespace {

/// None if it cannot be read.
std::vector<Contract> parseShipped(std::size_t number, Architecture architecture) {
  const std::array differences{kDifferencesOfArm64, kDifferencesOfArm64Versions[number]};
  const bool isArm64 = architecture == Architecture::Arm64;
  auto contract =
      Contract::parse(kShippedContracts[number], std::span(differences).first(isArm64 ? differences.size() : 0));
  std::vector<Contract> parsed;
  if (contract) parsed.push_back(std::move(*contract));
  return parsed;
}

std::vector<Contract> parseAllShipped(Architecture architecture) {
  std::vector<Contract> all;
  for (std::size_t i = 0; i < kShippedContracts.size(); ++i)
    std::ranges::move(parseShipped(i, architecture), std::back_inserter(all));
  return all;
}

bool isOfVersion(std::string_view release, std::string_view version) {
  return release.size() > version.size() && release.starts_with(version) && release[version.size()] == '.';
}

/// Those of a processor, each parsed when it is asked for.
class SingleContracts {
 public:
  explicit SingleContracts(Architecture architecture) : m_architecture(architecture) {}

  std::span<const Contract> at(std::size_t number) {
    std::call_once(m_once[number], [&] { m_parsed[number] = parseShipped(number, m_architecture); });
    return m_parsed[number];
  }

 private:
  const Architecture m_architecture;
  std::array<std::once_flag, kShippedContracts.size()> m_once;
  std::array<std::vector<Contract>, kShippedContracts.size()> m_parsed;
};

}  // namespace

const std::vector<Contract>& Contract::shipped(Architecture architecture) {
  if (architecture == Architecture::Arm64) {
    static const std::vector<Contract> contracts = parseAllShipped(Architecture::Arm64);
    return contracts;
  }
  static const std::vector<Contract> contracts = parseAllShipped(Architecture::X64);
  return contracts;
}

std::span<const Contract> Contract::shippedFor(std::string_view release, Architecture architecture) {
  static SingleContracts ofX64(Architecture::X64), ofArm64(Architecture::Arm64);
  if (release.empty()) return shipped(architecture);
  for (std::size_t i = 0; i < kShippedVersions.size(); ++i)
    if (isOfVersion(release, kShippedVersions[i])) return (architecture == Architecture::Arm64 ? ofArm64 : ofX64).at(i);
  return {};
}

namespace {

/// CoreCLR's contract of the same version with nothing but the types and constants that "shared" lists; a name that
/// ends with a dot stands for all constants that begin so.
std::string sharedPartOf(std::string_view coreClr, const Json& shared) {
  const Json whole = Json::parse(coreClr, nullptr, false);
  Json part{{"schema", 1}, {"types", Json::object()}, {"constants", Json::object()}};
  for (const Json& type : memberOf(shared, "types"))
    if (const auto found = whole["types"].find(type.get<std::string>()); found != whole["types"].end())
      part["types"][type.get<std::string>()] = *found;
  for (const Json& wanted : memberOf(shared, "constants")) {
    const std::string name = wanted.get<std::string>();
    for (const auto& [constant, value] : whole["constants"].items())
      if (constant == name || (name.ends_with('.') && constant.starts_with(name))) part["constants"][constant] = value;
  }
  return part.dump();
}

}  // namespace

const std::vector<Contract>& Contract::shippedForNativeAot() {
  static const std::vector<Contract> contracts = [] {
    std::vector<Contract> parsed;
    for (std::size_t i = 0; i < kShippedNativeAotContracts.size(); ++i) {
      const std::string_view own = kShippedNativeAotContracts[i];
      const Json json = Json::parse(own, nullptr, false);
      const std::string shared = sharedPartOf(kShippedContracts[i], memberOf(json, "shared"));
      if (auto contract = parse(shared, std::array{own})) parsed.push_back(std::move(*contract));
    }
    return parsed;
  }();
  return contracts;
}

bool Contract::isFor(std::string_view release) const {
  return isOfVersion(release, m_runtimeVersion);
}

bool Contract::isVerifiedOn(std::string_view release) const {
  return std::ranges::find(m_verifiedOn, release) != m_verifiedOn.end();
}

void Contract::Numbers::set(std::uint64_t name, std::uint64_t value) {
  std::size_t i = name % kSlots;
  while (m_slots[i].name && m_slots[i].name != name) i = (i + 1) % kSlots;
  if (!m_slots[i].name && ++m_taken > kSlots / 2) return;  // no contract is a quarter as large
  m_slots[i] = {name, value};
}

std::string_view Contract::describedName(std::string_view global) const {
  const auto found = m_describedGlobals.find(global);
  return found == m_describedGlobals.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view Contract::descriptorName(std::string_view name) const {
  const auto found = m_descriptorNames.find(name);
  return found == m_descriptorNames.end() ? name : std::string_view(found->second);
}

Contract::Agreement& Contract::Agreement::operator+=(const Agreement& other) {
  members += other.members;
  differing += other.differing;
  return *this;
}

Result<Contract::Agreement> Contract::applyDescriptor(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("types") || !json["types"].is_object()) {
    return failure(ErrorCode::Damaged, "The runtime's contract descriptor is not readable.");
  }
  Agreement agreement;
  const Json& types = json["types"];
  for (auto& [type, fields] : m_types) {
    for (auto& [field, offset] : fields) {
      const std::string own = type + "." + field;
      const std::string_view name = descriptorName(own);
      const std::size_t dot = name.find('.');
      const auto described = types.find(name.substr(0, dot));
      if (dot == std::string_view::npos || described == types.end() || !described->is_object()) continue;
      const auto entry = described->find(name.substr(dot + 1));
      const auto theirs = entry == described->end() ? std::nullopt : descriptorOffset(*entry);
      if (!theirs) continue;
      ++agreement.members;
      if (*theirs == offset) continue;
      offset = *theirs;
      m_numbers.set(ContractName(type).numberOf(field), offset);
      ++agreement.differing;
    }
  }
  return agreement;
}

namespace {

/// Globals that only few questions need: without them the others are still known.
bool isDispensable(std::string_view global) {
  return global == "EEJitManager" || global == "StressLog";
}

}  // namespace

std::optional<Contract::GlobalTable> Contract::movedTable(const GlobalTable& known,
                                                          const std::function<Address(std::string_view)>& addressOf,
                                                          std::span<const Address> entries) const {
  std::map<std::size_t, std::ptrdiff_t> moves;  // by place in the table that is known
  for (const auto& [name, index] : known.indexOf) {
    const Address address = addressOf(descriptorName(name));
    const auto found = std::ranges::find(entries, address);
    if (address && found != entries.end())
      moves[index] = (found - entries.begin()) - static_cast<std::ptrdiff_t>(index);
  }
  GlobalTable moved{.entryCount = entries.size(), .indexOf = {}};
  for (const auto& [name, index] : known.indexOf) {
    const auto next = moves.lower_bound(index);
    const bool isTold = next != moves.end() && next->first == index;
    const bool isBetween = next != moves.end() && next != moves.begin() && std::prev(next)->second == next->second;
    if (isTold || isBetween)
      moved.indexOf[name] = index + static_cast<std::size_t>(next->second);
    else if (!isDispensable(name))
      return std::nullopt;
  }
  return moved;
}

}  // namespace heapscape::engine
