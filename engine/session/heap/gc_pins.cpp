// SPDX-License-Identifier: MIT
#include "session/heap/gc_pins.h"

#include <algorithm>
#include <cstring>

#include "base/address.h"
#include "base/stop_interval.h"
#include "session/objects/referred_object.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {
namespace {

// GCHandle marks handles that pin, so that AddrOfPinnedObject need not ask (GCHandle.cs).
constexpr std::uint64_t kPinnedMark = 1;

class HolderFinder {
 public:
  HolderFinder(const Snapshot& snapshot, std::vector<Pin>& pins) : m_snapshot(snapshot), m_pins(pins) {
    for (std::uint32_t i = 0; i < pins.size(); ++i) {
      if (!pins[i].handle) continue;
      m_byHandle.emplace(pins[i].handle.value, i);
      m_lowest = std::min(m_lowest, pins[i].handle.value);
      m_highest = std::max(m_highest, pins[i].handle.value);
    }
  }

  /// False if it was stopped.
  bool find(const std::stop_token& stop) {
    if (m_byHandle.empty()) return true;
    for (const Segment& segment : m_snapshot.segments()) {
      for (const AddressRange& part : m_snapshot.contents().memory->present(segment.objects)) {
        const auto view = m_snapshot.contents().memory->view(part);
        if (view && !searchIn(view->bytes, part.start, stop)) return false;
      }
    }
    return true;
  }

 private:
  bool searchIn(Bytes bytes, Address start, const std::stop_token& stop) {
    for (std::uint64_t at = 0; at + kPointerBytes <= bytes.size(); at += kPointerBytes) {
      if (at % kStopInterval == 0 && stop.stop_requested()) return false;
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, kPointerBytes);
      word &= ~kPinnedMark;
      if (word < m_lowest || word > m_highest) continue;
      const auto found = m_byHandle.find(word);
      if (found != m_byHandle.end()) note(m_pins[found->second], start + at);
    }
    return true;
  }

  void note(Pin& pin, Address place) const {
    if (pin.holderObject) return;
    const auto object = m_snapshot.contents().heap->index.startAtOrBefore(place);
    if (!object) return;
    const ReferredObject referred = referredObject(m_snapshot, *object);
    if (!referred.isObject) return;  // what a dead object has left behind in a gap
    pin.holder = referred.typeName;
    pin.holderObject = *object;
  }

  const Snapshot& m_snapshot;
  std::vector<Pin>& m_pins;
  std::unordered_map<std::uint64_t, std::uint32_t> m_byHandle;
  std::uint64_t m_lowest = ~0ull;
  std::uint64_t m_highest = 0;
};

}  // namespace

const char* toString(PinKind kind) {
  switch (kind) {
    case PinKind::Handle:
      return "pinned handle";
    case PinKind::AsyncHandle:
      return "async pinned handle";
    case PinKind::Stack:
      return "stack";
  }
  return "";
}

Outcome<std::vector<Pin>> listPins(const Snapshot& snapshot, std::stop_token stop) {
  std::vector<Pin> pins;
  HEAPSCAPE_TRY(const HandleList handles, listHandles(snapshot, false, stop));
  for (const HandleRow& handle : handles.handles) {
    if (handle.kind != HandleKind::Pinned && handle.kind != HandleKind::AsyncPinned) continue;
    const PinKind kind = handle.kind == HandleKind::Pinned ? PinKind::Handle : PinKind::AsyncHandle;
    pins.push_back({.kind = kind, .handle = handle.address, .object = handle.object});
  }
  if (!HolderFinder(snapshot, pins).find(stop)) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, stop));
  for (const ThreadStackRow& thread : stacks->threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!root.isPinned || !root.object || root.frame >= thread.frames.size()) continue;
      const auto object = snapshot.contents().heap->index.startAtOrBefore(root.object);
      if (object)
        pins.push_back({.kind = PinKind::Stack, .holder = nameOf(thread.frames[root.frame]), .object = *object});
    }
  }
  return pins;
}

}  // namespace heapscape::engine
