// SPDX-License-Identifier: MIT
#include "values/string_details.h"

#include <algorithm>

#include "base/unicode.h"
#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kUnitBytes = 2;
constexpr std::uint64_t kHeaderBytes = 8;

}  // namespace

StringDetails readStringDetails(const ClrRuntime& runtime, const WalkedHeap& heap, Address string, std::size_t limit) {
  StringDetails details;
  const Contract& contract = runtime.contract();
  details.lengthOffset = static_cast<std::uint32_t>(contract.offset("String", "m_StringLength"));
  details.charactersOffset = static_cast<std::uint32_t>(contract.offset("String", "m_FirstChar"));
  if (!runtime.memory().tryRead(string + details.lengthOffset, details.length)) {
    details.damage = "The dump does not hold the string's length.";
    return details;
  }
  const Address characters = string + details.charactersOffset;
  const Address terminator = characters + kUnitBytes * details.length;
  // The next object's header follows, so the characters may not even reach that.
  const std::uint64_t used = terminator + details.terminatorBytes - string;
  const std::uint64_t whole = std::max(alignUp(used + kHeaderBytes, 8), kMinimumObjectBytes);
  details.alignmentBytes = static_cast<std::uint32_t>(whole - kHeaderBytes - used);
  if (heap.index.segmentOf(terminator) != heap.index.segmentOf(string))
    details.damage = "The string's length reaches beyond the segment that it lies in.";
  std::u16string text(std::min<std::size_t>(details.length, limit), u'\0');
  const auto target = std::as_writable_bytes(std::span(text));
  // Of a string that is cut by the dump's end, what is there counts.
  const Bytes there = runtime.memory().prefix(characters, target.size());
  if (!runtime.memory().tryRead(characters, target)) {
    text.resize(there.size() / kUnitBytes);
    std::ranges::copy(there.first(text.size() * kUnitBytes), std::as_writable_bytes(std::span(text)).begin());
    if (details.damage.empty()) details.damage = "The dump does not hold all of the string's characters.";
  }
  details.text = toUtf8(text);
  details.shown = static_cast<std::uint32_t>(text.size());
  char16_t zero = 0;
  if (details.damage.empty() && runtime.memory().tryRead(terminator, zero) && zero != 0)
    details.damage = "The string does not end with its terminator.";
  return details;
}

}  // namespace heapscape::engine
