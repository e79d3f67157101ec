// SPDX-License-Identifier: MIT
#include "memory/elf/segment_check.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/address.h"
#include "memory/size_text.h"

namespace heapscape::engine {

namespace {

// So many segments in their order make one out of it a damaged one, rather than the habit of who wrote the file.
constexpr std::size_t kOrderedForEachOther = 8;

void tell(FindingList& findings, const GElf_Phdr& header, std::string what) {
  findings.add(FindingKind::MemoryMissing, {header.p_vaddr}, "The dump's list of segments is damaged: " + what);
}

// A core dump has memory and notes, nothing else.
void checkKinds(std::span<const GElf_Phdr> headers, FindingList& findings) {
  const auto found = std::ranges::find_if(headers, [](const GElf_Phdr& header) {
    return header.p_type != PT_LOAD && header.p_type != PT_NOTE && header.p_filesz > 0;
  });
  if (found == headers.end()) return;
  tell(findings, *found, fmt::format("one of {} is neither memory nor notes.", sizeText(found->p_filesz)));
}

void checkSizes(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto found = std::ranges::find_if(loads, [](const GElf_Phdr& load) { return load.p_filesz > load.p_memsz; });
  if (found == loads.end()) return;
  tell(findings, *found,
       fmt::format("one of {} has {} in the file.", sizeText(found->p_memsz), sizeText(found->p_filesz)));
}

void checkAlignment(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto found = std::ranges::find_if(loads, [](const GElf_Phdr& load) {
    return load.p_filesz > 0 && load.p_align > 1 && load.p_vaddr % load.p_align != load.p_offset % load.p_align;
  });
  if (found != loads.end()) tell(findings, *found, "one is aligned otherwise in memory than in the file.");
}

void checkOrder(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto isMisplaced = [](const GElf_Phdr& one, const GElf_Phdr& next) { return next.p_vaddr < one.p_vaddr; };
  const auto first = std::ranges::adjacent_find(loads, isMisplaced);
  if (first == loads.end()) return;
  std::size_t misplaced = 0;
  for (auto at = first; at != loads.end(); at = std::adjacent_find(at + 1, loads.end(), isMisplaced)) ++misplaced;
  if (misplaced * kOrderedForEachOther < loads.size())
    tell(findings, *first, "one is not in the order of addresses, as the others are.");
}

// `loads` with bytes, in the order of the file.
void checkPlaces(const std::vector<GElf_Phdr>& loads, FindingList& findings) {
  const auto sharing = std::ranges::adjacent_find(
      loads, [](const GElf_Phdr& one, const GElf_Phdr& next) { return next.p_offset - one.p_offset < one.p_filesz; });
  if (sharing != loads.end()) tell(findings, *sharing, "two have the same bytes of the file.");
  const auto between = [](const GElf_Phdr& one, const GElf_Phdr& next) {
    const std::uint64_t distance = next.p_offset - one.p_offset;
    return distance - std::min(distance, one.p_filesz);
  };
  const auto apart = std::ranges::adjacent_find(
      loads, [&](const GElf_Phdr& one, const GElf_Phdr& next) { return between(one, next) >= kPageBytes; });
  if (apart == loads.end()) return;
  tell(findings, *apart,
       fmt::format("{} of the file, between two of them, belong to none.",
                   sizeText(between(*apart, *std::next(apart)))));
}

}  // namespace

void checkSegments(std::span<const GElf_Phdr> headers, FindingList& findings) {
  std::vector<GElf_Phdr> loads;
  std::ranges::copy_if(headers, std::back_inserter(loads),
                       [](const GElf_Phdr& header) { return header.p_type == PT_LOAD; });
  checkKinds(headers, findings);
  checkSizes(loads, findings);
  checkAlignment(loads, findings);
  checkOrder(loads, findings);
  std::erase_if(loads, [](const GElf_Phdr& load) { return load.p_filesz == 0; });
  std::ranges::stable_sort(loads, {}, &GElf_Phdr::p_offset);
  checkPlaces(loads, findings);
}

}  // namespace heapscape::engine
