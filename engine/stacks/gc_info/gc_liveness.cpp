// SPDX-License-Identifier: MIT
#include "stacks/gc_info/gc_liveness.h"

#include "stacks/gc_info/gc_slots.h"

namespace heapscape::engine {
namespace {

using States = std::vector<bool>;

// Widths of src/coreclr/inc/gcinfotypes.h for AMD64.
constexpr unsigned kPointerSizeBase = 3;
constexpr unsigned kSkipBase = 4;
constexpr unsigned kRunBase = 2;
constexpr unsigned kChunkBits = 6;
constexpr std::uint32_t kChunkBytes = 1 << kChunkBits;
constexpr std::uint32_t kWidestPointer = 32;

// Runs of dead and live slots take turns. One of the two is thought to be longer and written in larger groups: which
// one, the first bit says. Only the first run, of dead slots, can be empty.
bool readRuns(GcInfoBits& bits, States& states) {
  bool isInLargeGroups = !bits.readFlag();
  const auto baseOfRun = [&] { return isInLargeGroups ? kSkipBase : kRunBase; };
  std::uint64_t slot = bits.readUnsigned(baseOfRun());
  for (bool isLive = true; slot < states.size() && !bits.failed(); isLive = !isLive) {
    isInLargeGroups = !isInLargeGroups;
    const std::uint64_t end = slot + bits.readUnsigned(baseOfRun()) + 1;
    if (end > states.size()) return false;
    for (; slot < end; ++slot) states[static_cast<std::size_t>(slot)] = isLive;
  }
  return slot == states.size();
}

void readPlain(GcInfoBits& bits, States& states) {
  for (std::size_t i = 0; i < states.size() && !bits.failed(); ++i) states[i] = bits.readFlag();
}

bool readStates(GcInfoBits& bits, States& states) {
  if (bits.readFlag()) return readRuns(bits, states);
  readPlain(bits, states);
  return true;
}

Result<States> checked(const GcInfoBits& bits, bool isSound, States states) {
  if (bits.failed()) return tl::unexpected(unreadableGcInfo(bits));
  if (!isSound) return tl::unexpected(damagedGcInfo("its slots' states do not fit their number"));
  return states;
}

// Each slot that is live anywhere in the chunk has its state at the chunk's end, and places where that changes; going
// back from the end, all of those behind the instruction have to be undone.
bool readChunk(GcInfoBits& bits, States& states, std::uint32_t place, bool hasPlace) {
  if (!readStates(bits, states)) return false;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i]) known.push_back(i);
  }
  for (const std::size_t slot : known) states[slot] = bits.readFlag();
  if (!hasPlace) return true;
  for (const std::size_t slot : known) {
    std::uint32_t changes = 0;
    for (; bits.readFlag(); ++changes) {
      if (changes == kChunkBytes) return false;
      if (bits.read(kChunkBits) > place) states[slot] = !states[slot];
    }
    if (bits.failed()) break;
  }
  return true;
}

}  // namespace

Result<States> GcLiveness::atSafePoint(std::uint32_t index) const {
  States states(m_shape.trackedSlots);
  if (states.empty()) return states;
  GcInfoBits bits = m_bits;
  // Equal states may be written once, and found by a table.
  if (!bits.readFlag()) {
    bits.skip(std::uint64_t{index} * m_shape.trackedSlots);
    readPlain(bits, states);
    return checked(bits, true, std::move(states));
  }
  const std::uint64_t width = std::uint64_t{bits.readUnsigned(kPointerSizeBase)} + 1;
  if (width > kWidestPointer) return checked(bits, false, {});
  const std::uint64_t table = bits.position();
  bits.skip(index * width);
  const std::uint32_t offset = bits.read(static_cast<unsigned>(width));
  bits.seek(table + m_shape.safePoints * width);
  bits.alignToByte();
  bits.skip(offset);
  const bool isSound = readStates(bits, states);
  return checked(bits, isSound, std::move(states));
}

Result<States> GcLiveness::atInterruptible(std::uint32_t place) const {
  States states(m_shape.trackedSlots);
  if (states.empty() || place >= m_shape.interruptibleBytes) return states;
  GcInfoBits bits = m_bits;
  if (m_shape.safePoints > 0 && bits.readFlag()) bits.readUnsigned(kPointerSizeBase);
  bits.skip(std::uint64_t{m_shape.safePoints} * m_shape.trackedSlots);

  const std::uint32_t width = bits.readUnsigned(kPointerSizeBase);
  if (width > kWidestPointer) return checked(bits, false, {});
  if (width == 0) return checked(bits, true, std::move(states));
  const std::uint64_t table = bits.position();
  const std::uint64_t chunks = (std::uint64_t{m_shape.interruptibleBytes} + kChunkBytes - 1) / kChunkBytes;
  // A chunk at whose end all is as at the end of the one before has no entry of its own.
  const std::uint64_t chunkOfPlace = place / kChunkBytes;
  std::uint64_t chunk = chunkOfPlace;
  std::uint32_t pointer = 0;
  for (;; --chunk) {
    bits.seek(table + chunk * width);
    pointer = bits.read(width);
    if (pointer != 0 || chunk == 0 || bits.failed()) break;
  }
  if (pointer == 0) return checked(bits, true, std::move(states));
  bits.seek(table + chunks * width);
  bits.alignToByte();
  bits.skip(pointer - 1);
  const bool isSound = readChunk(bits, states, place % kChunkBytes, chunk == chunkOfPlace);
  return checked(bits, isSound, std::move(states));
}

}  // namespace heapscape::engine
