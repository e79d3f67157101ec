// SPDX-License-Identifier: MIT
#include "memory/process_arguments.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/address.h"

namespace heapscape::engine {
namespace {

// Between the vector and the random bytes lies no more than padding, which the kernel chooses by chance.
constexpr std::uint64_t kMostPaddingBytes = 64 << 10;
constexpr std::size_t kMostTexts = 100'000;
constexpr std::size_t kLongestText = 128 << 10;  // MAX_ARG_STRLEN

Error missing() {
  return {ErrorCode::NotInDump, "The dump does not hold the arguments and the environment of the process.",
          "They lie at the top of the first stack, which mini dumps may leave out."};
}

/// Where the kernel has put the auxiliary vector: below the bytes that two of its entries point to.
Address findAuxiliaryVector(const ElfCore& core, const AddressSpace& memory) {
  Address top;
  for (const AuxiliaryEntry& entry : core.auxiliaryVector) {
    if (entry.type == AT_RANDOM) top = {entry.value};
  }
  if (!top || core.auxiliaryVector.size() < 2) return {};
  const std::uint64_t vectorBytes = core.auxiliaryVector.size() * sizeof(AuxiliaryEntry);
  const std::uint64_t lowest = top.value > kMostPaddingBytes ? top.value - kMostPaddingBytes : 0;
  std::vector<AuxiliaryEntry> found(core.auxiliaryVector.size());
  for (std::uint64_t at = (top.value / kPointerBytes * kPointerBytes) - vectorBytes; at > lowest; at -= kPointerBytes) {
    AuxiliaryEntry first;
    if (!memory.tryRead({at}, first)) return {};
    if (first.type != core.auxiliaryVector.front().type || first.value != core.auxiliaryVector.front().value) continue;
    if (memory.tryRead({at}, std::as_writable_bytes(std::span(found))) &&
        std::memcmp(found.data(), core.auxiliaryVector.data(), vectorBytes) == 0)
      return {at};
  }
  return {};
}

/// The texts that pointers right below `end` refer to, down to a null; `end` moves to that null. Empty on damage.
std::vector<std::string> textsBelow(Address& end, const AddressSpace& memory) {
  std::vector<std::string> texts;
  while (texts.size() < kMostTexts) {
    Address text;
    if (!memory.tryRead(end - kPointerBytes, text.value)) break;
    // Below the arguments lies their number.
    if (text.value == 0 || text.value == texts.size()) break;
    const auto read = memory.readText(text, kLongestText);
    if (!read) break;
    texts.push_back(*read);
    end = end - kPointerBytes;
  }
  std::ranges::reverse(texts);
  return texts;
}

}  // namespace

Result<ProcessArguments> readProcessArguments(const ElfCore& core, const AddressSpace& memory) {
  const Address vector = findAuxiliaryVector(core, memory);
  if (!vector) return tl::unexpected(missing());
  Address end = vector - kPointerBytes;
  std::uint64_t null = 1;
  if (!memory.tryRead(end, null) || null != 0) return tl::unexpected(missing());
  ProcessArguments read;
  read.environment = textsBelow(end, memory);
  end = end - kPointerBytes;
  if (!memory.tryRead(end, null) || null != 0) return tl::unexpected(missing());
  read.arguments = textsBelow(end, memory);
  return read;
}

}  // namespace heapscape::engine
