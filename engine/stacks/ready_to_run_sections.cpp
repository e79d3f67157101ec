// SPDX-License-Identifier: MIT
#include "stacks/ready_to_run_sections.h"

#include <algorithm>

#include "runtime/methods/code_range.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMaximumSections = 1024;  // a few dozen kinds exist

}  // namespace

AddressRange ReadyToRunSections::find(std::uint64_t type) const {
  const auto found = std::ranges::find(sections, type, &Section::type);
  return found == sections.end() ? AddressRange{} : found->range;
}

std::optional<ReadyToRunSections> readReadyToRunSections(const ClrRuntime& runtime, Address module) {
  const auto info = runtime.pointerAt(module, "Module", "ReadyToRunInfo");
  const auto owner = info && *info ? runtime.pointerAt(*info, "ReadyToRunInfo", "CompositeInfo") : info;
  const auto header = owner && *owner ? runtime.pointerAt(*owner, "ReadyToRunInfo", "ReadyToRunHeader") : owner;
  if (!header || !*header) return std::nullopt;
  // The header lies in the image, all of which is a range of code.
  const auto image = findCodeRange(runtime, *header);
  const auto count = runtime.valueAt<std::uint32_t>(*header, "ReadyToRunHeader", "NumberOfSections");
  if (!image || !count || *count > kMaximumSections) return std::nullopt;
  ReadyToRunSections sections{.imageBase = image->range.start, .sections = {}};
  const Address first = runtime.member(*header, "ReadyToRunHeader", "Sections");
  const std::uint64_t size = runtime.contract().sizeOf("ReadyToRunSection");
  for (std::uint64_t i = 0; i < *count; ++i) {
    const Address entry = first + i * size;
    const auto type = runtime.valueAt<std::uint32_t>(entry, "ReadyToRunSection", "Type");
    const auto offset = runtime.valueAt<std::uint32_t>(entry, "ReadyToRunSection", "VirtualAddress");
    const auto bytes = runtime.valueAt<std::uint32_t>(entry, "ReadyToRunSection", "Size");
    if (!type || !offset || !bytes) return std::nullopt;
    const Address start = sections.imageBase + *offset;
    sections.sections.push_back({*type, {start, start + *bytes}});
  }
  return sections;
}

}  // namespace heapscape::engine
