// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "runtime/aot/aot_sections.h"
#include "runtime/aot/aot_silent_program.h"
#include "runtime/aot/aot_words.h"
#include "runtime/library/runtime_library.h"

namespace heapscape::engine {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kDebugHeaderMark = 0x48444e44;  // "DNDH"
constexpr std::uint16_t kHighestVersion = 100;
constexpr std::uint32_t kReleaseBeforeVersion = 5;  // version 3 is .NET 8's, 4 that of .NET 9, 5 that of .NET 10
constexpr std::uint32_t kMostHeaderEntries = 1000;  // about a hundred are there
constexpr std::size_t kMostNameBytes = 128;
constexpr std::size_t kMostVersionBytesOfAot = 16;
constexpr std::string_view kFlavour = "NativeAot";

struct DebugHeader {
  std::uint32_t mark;
  std::uint16_t majorVersion;
  std::uint16_t minorVersion;
  std::uint32_t flags;
  std::uint32_t unused;
  Address types;
  Address globals;
};
static_assert(sizeof(DebugHeader) == 32);

struct TypeEntry {
  Address type;
  Address field;
  std::uint32_t offset;
  std::uint32_t unused;
};
static_assert(sizeof(TypeEntry) == 24);

struct GlobalEntry {
  Address name;
  Address value;
};

std::optional<DebugHeader> headerAt(const AddressSpace& space, Address address) {
  DebugHeader header{};
  const bool isOne = space.tryRead(address, header) && header.mark == kDebugHeaderMark && header.majorVersion > 0 &&
                     header.majorVersion <= kHighestVersion;
  return isOne ? std::optional(header) : std::nullopt;
}

tl::unexpected<Error> aotNamesMissing() {
  return failure(ErrorCode::NotInDump, "The names of what the program says of its runtime are not in the dump.");
}

class DebugHeaderReader {
 public:
  DebugHeaderReader(const AddressSpace& space, const DebugHeader& header) : m_space(space), m_header(header) {}

  Result<AotDescription> read() const {
    AotDescription description;
    description.release = m_header.majorVersion + kReleaseBeforeVersion;
    HEAPSCAPE_TRY(description.members, readTypes());
    HEAPSCAPE_CHECK(readGlobals(description));
    return description;
  }

 private:
  Result<std::string> readTypes() const {
    Json types = Json::object();
    for (std::uint32_t i = 0; i < kMostHeaderEntries; ++i) {
      HEAPSCAPE_TRY(const auto entry, m_space.read<TypeEntry>(m_header.types + i * sizeof(TypeEntry)));
      if (!entry.type) return Json{{"types", std::move(types)}}.dump(-1, ' ', true, Json::error_handler_t::replace);
      HEAPSCAPE_TRY(const std::string type, m_space.readText(entry.type, kMostNameBytes));
      HEAPSCAPE_TRY(const std::string field, m_space.readText(entry.field, kMostNameBytes));
      types[type][field == "SIZEOF" ? "!" : field] = entry.offset;
    }
    return failure(ErrorCode::Damaged, "The program's list of the runtime's members has no end.");
  }

  Result<void> readGlobals(AotDescription& description) const {
    for (std::uint32_t i = 0; i < kMostHeaderEntries; ++i) {
      HEAPSCAPE_TRY(const auto entry, m_space.read<GlobalEntry>(m_header.globals + i * sizeof(GlobalEntry)));
      if (!entry.name) return {};
      HEAPSCAPE_TRY(const std::string name, m_space.readText(entry.name, kMostNameBytes));
      description.globals[name] = entry.value;
    }
    return failure(ErrorCode::Damaged, "The program's list of the runtime's variables has no end.");
  }

  const AddressSpace& m_space;
  const DebugHeader& m_header;
};

/// Reads descriptors, whose constants may come from the program's file.
std::optional<RuntimeDescriptor> aotDescriptorAt(const AddressSpace& space, Address address) {
  return descriptorAt(space, address, ConstantsFrom::DumpOrFile);
}

const Json* memberIn(const Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() ? nullptr : &*found;
}

/// A global's value as text: "NativeAot", or ["NativeAot", "string"].
std::string textOf(const Json* value) {
  if (value && value->is_array() && !value->empty()) value = &value->front();
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

/// A member of JSON that stands for an address: [[3], "pointer"].
std::optional<std::size_t> placeOf(const Json& value) {
  const bool isPlace = value.is_array() && !value.empty() && value[0].is_array() && !value[0].empty() &&
                       value[0][0].is_number_unsigned();
  return isPlace ? std::optional(value[0][0].get<std::size_t>()) : std::nullopt;
}

std::map<std::string, Address, std::less<>> addressesIn(const RuntimeDescriptor& descriptor, const Json& json,
                                                        const char* member) {
  std::map<std::string, Address, std::less<>> addresses;
  const Json* list = memberIn(json, member);
  if (!list || !list->is_object()) return addresses;
  for (const auto& [name, value] : list->items()) {
    const auto place = placeOf(value);
    if (place && *place < descriptor.addresses.size()) addresses[name] = descriptor.addresses[*place];
  }
  return addresses;
}

bool isOfFlavour(const Json& json) {
  const Json* globals = memberIn(json, "globals");
  return globals && textOf(memberIn(*globals, "RuntimeFlavor")) == kFlavour;
}

std::uint32_t releaseOf(std::string_view version) {
  std::uint32_t release = 0;
  std::from_chars(version.data(), version.data() + version.size(), release);
  return release;
}

Result<AotDescription> readDescriptor(const AddressSpace& space, const RuntimeDescriptor& descriptor) {
  const Json json = Json::parse(descriptor.json, nullptr, false);
  if (!isOfFlavour(json)) return failure(ErrorCode::Damaged, "The program's contract descriptor is not readable.");
  AotDescription description;
  description.members = descriptor.json;
  description.version = textOf(memberIn(*memberIn(json, "globals"), "RuntimeProductVersionString"));
  description.release = releaseOf(description.version);
  for (const auto& [name, variable] : addressesIn(descriptor, json, "globals"))
    space.tryRead(variable, description.globals[name]);
  for (const auto& [name, variable] : addressesIn(descriptor, json, "subDescriptors")) {
    Address part;
    if (name != "GC" || !space.tryRead(variable, part)) continue;
    const auto ofGc = aotDescriptorAt(space, part);
    if (!ofGc) continue;
    description.membersOfGc = ofGc->json;
    description.gcVariables = addressesIn(*ofGc, Json::parse(ofGc->json, nullptr, false), "globals");
  }
  return description;
}

}  // namespace

bool isAotDescription(const AddressSpace& space, Address address) {
  if (headerAt(space, address)) return true;
  const auto descriptor = aotDescriptorAt(space, address);
  return descriptor && isOfFlavour(Json::parse(descriptor->json, nullptr, false));
}

Address findAotDescription(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data) {
  const auto isHeader = [&](Address address) {
    const auto header = headerAt(space, address);
    return header && program.contains(header->types) && program.contains(header->globals);
  };
  Address found;
  forEachAotWord(space, data, [&](Address address, std::uint64_t word) {
    const bool isFound = (static_cast<std::uint32_t>(word) == kDebugHeaderMark && isHeader(address)) ||
                         (word == kDescriptorMagic && isAotDescription(space, address));
    if (isFound) found = address;
    return !isFound;
  });
  return found ? found : findAotModuleHeader(space, program, data);
}

std::string versionAmongConstants(const AddressSpace& space, AddressRange program, std::uint32_t release) {
  const std::string start = fmt::format("{}{}.0.", '\0', release);
  const std::boyer_moore_horspool_searcher searcher(start.begin(), start.end());
  std::set<std::string> found;
  for (const AddressRange& part : space.readable(program)) {
    const auto view = space.view({part.start, std::min(part.end, part.start + kMostAotDataBytes)});
    if (!view) continue;
    const std::string_view text(reinterpret_cast<const char*>(view->bytes.data()), view->bytes.size());
    for (auto at = std::search(text.begin(), text.end(), searcher); at != text.end();
         at = std::search(at + 1, text.end(), searcher)) {
      const std::string_view rest =
          text.substr(static_cast<std::size_t>(at - text.begin()) + 1, kMostVersionBytesOfAot);
      const std::string_view version = rest.substr(0, rest.find('\0'));
      const std::string_view patch = version.substr(start.size() - 1);
      const bool isVersion = version.size() < rest.size() && !patch.empty() &&
                             std::ranges::all_of(patch, [](char c) { return c >= '0' && c <= '9'; });
      if (isVersion) found.emplace(version);
    }
  }
  return found.size() == 1 ? *found.begin() : std::string();
}

Result<AotDescription> readAotDescription(const AddressSpace& space, Address address) {
  if (const auto header = headerAt(space, address)) return DebugHeaderReader(space, *header).read();
  const auto descriptor = aotDescriptorAt(space, address);
  if (!descriptor && AotSections::readAt(space, address))
    return AotDescription{.release = releaseOfAotModule(space, address), .isSilent = true};
  if (!descriptor) return aotNamesMissing();
  return readDescriptor(space, *descriptor);
}

}  // namespace heapscape::engine
