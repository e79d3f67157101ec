// SPDX-License-Identifier: MIT
#include "runtime/modules/component_mvids.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/limits.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/ready_to_run_header.h"
#include "metadata/names/guid_text.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/noted_images.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kManifestAssemblyMvids = 118;  // READYTORUN_SECTION_MANIFEST_ASSEMBLY_MVIDS
constexpr std::size_t kGuidBytes = 16;
constexpr std::array<std::byte, kGuidBytes> kNoGuid{};

using MvidByName = std::map<std::string, std::string>;

/// Where the image begins that has the native code of a module; 0 for a module without, or with its own.
Address compositeImageOf(const ClrRuntime& runtime, const NotedImage& image) {
  const auto info = runtime.pointerAt(image.module, "Module", "ReadyToRunInfo");
  const auto table = info && *info ? runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions") : info;
  const auto code = table && *table ? findCodeRange(runtime, *table) : std::nullopt;
  return code && code->module && code->range.start != image.base ? code->range.start : Address{};
}

MvidByName readMvids(const ClrRuntime& runtime, Address composite) {
  const PeReader read = [&](std::uint64_t offset, std::span<std::byte> target) {
    return runtime.memory().tryRead(composite + offset, target);
  };
  const auto location = locateMetadata(read, true);
  const auto section =
      location ? findReadyToRunSection(read, *location, kManifestAssemblyMvids) : std::optional<ReadyToRunSection>();
  if (!section) return {};
  // One for each assembly that the manifest references, in their order.
  const std::vector<std::string> names = readReadyToRunHeader(read, true, *location).manifestAssemblies;
  MvidByName mvids;
  for (std::size_t i = 0; i < names.size() && (i + 1) * kGuidBytes <= section->sizeBytes; ++i) {
    std::array<std::byte, kGuidBytes> guid{};
    if (!read(section->rva + i * kGuidBytes, guid)) break;
    if (guid != kNoGuid) mvids.emplace(names[i], guidText(guid));
  }
  return mvids;
}

}  // namespace

std::unordered_map<Address, std::string> componentMvids(const ClrRuntime& runtime) {
  std::map<Address, MvidByName> composites;
  std::unordered_map<Address, std::string> mvids;
  for (const NotedImage& image : notedImages(runtime)) {
    const Address composite = compositeImageOf(runtime, image);
    if (!composite) continue;
    if (!composites.contains(composite)) composites.emplace(composite, readMvids(runtime, composite));
    const MvidByName& known = composites[composite];
    std::string name = fileNameOf(image.path);
    name.resize(std::min(name.size(), name.rfind('.')));
    if (const auto found = known.find(name); found != known.end()) mvids.emplace(image.base, found->second);
  }
  return mvids;
}

}  // namespace heapscape::engine
