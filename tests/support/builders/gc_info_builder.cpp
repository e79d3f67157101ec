// SPDX-License-Identifier: MIT
#include "support/builders/gc_info_builder.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "support/builders/runtime_in_memory.h"

namespace heapscape::test {
namespace {

constexpr std::uint32_t kChunk = 64;

std::vector<bool> statesOf(const std::vector<std::size_t>& live, std::size_t slots) {
  std::vector<bool> states(slots);
  for (const std::size_t slot : live) states.at(slot) = true;
  return states;
}

BitWriter plainStates(const std::vector<bool>& states) {
  BitWriter out;
  for (const bool state : states) out.flag(state);
  return out;
}

// Dead slots in groups of four bits, live ones in groups of two.
BitWriter runsOf(const std::vector<bool>& states) {
  BitWriter out;
  out.flag(false);
  std::size_t at = 0;
  for (bool isLive = false; at < states.size(); isLive = !isLive) {
    std::size_t end = at;
    while (end < states.size() && states[end] == isLive) ++end;
    out.number(end - at - (isLive || at > 0 ? 1 : 0), isLive ? 2 : 4);
    at = end;
  }
  return out;
}

BitWriter statesWithKind(const std::vector<bool>& states, bool hasRuns) {
  BitWriter out;
  out.flag(hasRuns);
  return out.append(hasRuns ? runsOf(states) : plainStates(states));
}

unsigned widthOf(std::uint64_t largest) {
  return static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(largest))));
}

}  // namespace

BitWriter& BitWriter::bits(std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) m_bits.push_back((value >> i & 1) != 0);
  return *this;
}

BitWriter& BitWriter::number(std::uint64_t value, unsigned base) {
  for (;; value >>= base) {
    bits(value, base);
    const bool hasMore = value >> base != 0;
    flag(hasMore);
    if (!hasMore) return *this;
  }
}

BitWriter& BitWriter::signedNumber(std::int64_t value, unsigned base) {
  for (;; value >>= base) {
    bits(static_cast<std::uint64_t>(value), base);
    // The last group holds all that is left, with its sign.
    const bool hasMore = value < -(std::int64_t{1} << (base - 1)) || value >= std::int64_t{1} << (base - 1);
    flag(hasMore);
    if (!hasMore) return *this;
  }
}

BitWriter& BitWriter::alignToByte() {
  while (m_bits.size() % 8 != 0) m_bits.push_back(false);
  return *this;
}

BitWriter& BitWriter::append(const BitWriter& other) {
  m_bits.insert(m_bits.end(), other.m_bits.begin(), other.m_bits.end());
  return *this;
}

FileBytes BitWriter::bytes() const {
  FileBytes made((m_bits.size() + 7) / 8);
  for (std::size_t i = 0; i < m_bits.size(); ++i) {
    if (m_bits[i]) made[i / 8] |= std::byte{1} << i % 8;
  }
  return made;
}

FileBytes GcInfoSketch::bytes() const {
  BitWriter out;
  writeHead(out);
  const engine::GcInfoRules rules = gcInfoRulesOf(runtime, architecture);
  const auto width = static_cast<unsigned>(std::bit_width((codeLength >> rules.codeOffsetShift) - 1));
  for (const std::uint32_t safePoint : safePoints) out.bits(safePoint, width);
  std::uint32_t last = 0;
  for (const auto& range : interruptible) {
    out.number(range.start - last, 6).number(range.end - range.start - 1, 6);
    last = range.end;
  }
  writeSlots(out);
  if (!tracked.empty()) {
    if (!safePoints.empty()) writeSafePointStates(out);
    if (!interruptible.empty()) writeChunks(out);
  }
  // What comes behind is of other methods.
  return out.alignToByte().bits(UINT64_MAX, 64).bits(UINT64_MAX, 64).bytes();
}

void GcInfoSketch::writeHead(BitWriter& out) const {
  const bool hasReturnKind = runtime < 10;
  const engine::GcInfoRules rules = gcInfoRulesOf(runtime, architecture);
  out.flag(isFat);
  if (isFat)
    out.bits(flags | (hasFrameBase ? 0x40u : 0), 10);
  else
    out.flag(hasFrameBase);
  if (hasReturnKind) out.bits(1, isFat ? 4 : 2);
  out.number(codeLength >> rules.codeLengthShift, 8);
  if (isFat) {
    const auto has = [&](std::uint32_t flag) { return (flags & flag) != 0; };
    if (has(0x34)) out.number(11, 5);
    if (has(0x4)) out.number(7, 3).signedNumber(-12, 6);
    if (has(0x8)) out.signedNumber(100, 6);
    if (has(0x30)) out.signedNumber(-2, 6);
    if (hasFrameBase) out.number(0, rules.frameBaseBits);
    if (has(0x100)) out.number(2, 4);
    if (has(0x100) && rules.hasFixedFrameSize) out.number(5, 4);
    if (has(0x200)) out.signedNumber(-31, 6);
    out.number(scratchSlots, 3);
  }
  out.number(safePoints.size(), rules.safePointCountBits);
  if (isFat) out.number(interruptible.size(), 1);
}

void GcInfoSketch::writeSlots(BitWriter& out) const {
  std::vector<engine::GcSlot> registers;
  std::vector<engine::GcSlot> stack;
  for (const auto& slot : tracked) (slot.reg ? registers : stack).push_back(slot);
  const auto flagsOf = [](const engine::GcSlot& slot) { return (slot.isInterior ? 1u : 0) | (slot.isPinned ? 2u : 0); };
  out.flag(!registers.empty());
  if (!registers.empty()) out.number(registers.size(), gcInfoRulesOf(runtime, architecture).registerCountBits);
  out.flag(!stack.empty() || !untracked.empty());
  if (!stack.empty() || !untracked.empty()) out.number(stack.size(), 2).number(untracked.size(), 1);

  // Behind a slot without flags only the distance is written, and all that follow have none either.
  const auto check = [&](const engine::GcSlot& slot, bool isBehind) {
    if (!isBehind || flagsOf(slot) != 0) throw std::runtime_error("no compiler writes slots in this order");
  };
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const auto number = std::uint64_t{registers[i].reg->number};
    if (i == 0 || flagsOf(registers[i - 1]) != 0) {
      out.number(number, 3).bits(flagsOf(registers[i]), 2);
    } else {
      check(registers[i], registers[i].reg > registers[i - 1].reg);
      out.number(number - registers[i - 1].reg->number - 1, 2);
    }
  }
  for (const std::vector<engine::GcSlot>* group : {&std::as_const(stack), &untracked}) {
    for (std::size_t i = 0; i < group->size(); ++i) {
      const engine::GcSlot& slot = (*group)[i];
      out.bits(static_cast<std::uint64_t>(slot.base), 2);
      if (i == 0 || flagsOf((*group)[i - 1]) != 0) {
        out.signedNumber(slot.offset / 8, 6).bits(flagsOf(slot), 2);
      } else {
        check(slot, slot.offset >= (*group)[i - 1].offset);
        out.number(static_cast<std::uint64_t>(slot.offset - (*group)[i - 1].offset) / 8, 4);
      }
    }
  }
}

void GcInfoSketch::writeSafePointStates(BitWriter& out) const {
  out.flag(isIndirect);
  if (!isIndirect) {
    for (const auto& live : liveAtSafePoints) out.append(plainStates(statesOf(live, tracked.size())));
    return;
  }
  BitWriter states;
  std::vector<std::size_t> offsets;
  for (const auto& live : liveAtSafePoints) {
    offsets.push_back(states.size());
    states.append(statesWithKind(statesOf(live, tracked.size()), hasRuns));
  }
  const unsigned width = widthOf(offsets.back());
  out.number(width - 1, 3);
  for (const std::size_t offset : offsets) out.bits(offset, width);
  out.alignToByte().append(states);
}

std::vector<bool> GcInfoSketch::statesAt(std::uint32_t place) const {
  std::vector<bool> states(tracked.size());
  for (const Life& life : lives) {
    if (life.start <= place && place < life.end) states.at(life.slot) = true;
  }
  return states;
}

void GcInfoSketch::writeChunks(BitWriter& out) const {
  std::uint32_t length = 0;
  for (const auto& range : interruptible) length += range.end - range.start;
  BitWriter chunks;
  std::vector<std::size_t> pointers;
  std::vector<bool> before(tracked.size());
  for (std::uint32_t start = 0; start < length; start += kChunk) {
    const std::uint32_t end = std::min(length, start + kChunk);
    std::vector<bool> couldBeLive(tracked.size());
    bool isSame = true;
    for (std::uint32_t place = start; place < end; ++place) {
      const auto states = statesAt(place);
      isSame = isSame && states == before;
      for (std::size_t i = 0; i < states.size(); ++i) couldBeLive[i] = couldBeLive[i] || states[i];
    }
    before = statesAt(end - 1);
    pointers.push_back(isSame ? 0 : chunks.size() + 1);
    if (isSame) continue;
    chunks.append(statesWithKind(couldBeLive, hasRuns));
    for (std::size_t i = 0; i < tracked.size(); ++i) {
      if (couldBeLive[i]) chunks.flag(before[i]);
    }
    for (std::size_t i = 0; i < tracked.size(); ++i) {
      if (!couldBeLive[i]) continue;
      for (std::uint32_t place = start + 1; place < end; ++place) {
        if (statesAt(place)[i] != statesAt(place - 1)[i]) chunks.flag(true).bits(place % kChunk, 6);
      }
      chunks.flag(false);
    }
  }
  const unsigned width = widthOf(pointers.empty() ? 0 : *std::max_element(pointers.begin(), pointers.end()));
  out.number(width, 3);
  for (const std::size_t pointer : pointers) out.bits(pointer, width);
  out.alignToByte().append(chunks);
}

engine::GcSlot registerSlot(engine::Register reg, bool isInterior, bool isPinned) {
  return {.reg = reg, .isInterior = isInterior, .isPinned = isPinned};
}

engine::GcSlot stackSlot(engine::GcSlotBase base, std::int32_t offset, bool isInterior, bool isPinned) {
  return {.reg = {}, .base = base, .offset = offset, .isInterior = isInterior, .isPinned = isPinned};
}

engine::GcInfoRules gcInfoRulesOf(unsigned runtime, engine::Architecture architecture) {
  return engine::GcInfoRules::of(shippedContract(runtime, architecture));
}

}  // namespace heapscape::test
