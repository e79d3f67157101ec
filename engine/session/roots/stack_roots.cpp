// SPDX-License-Identifier: MIT
#include "session/roots/stack_roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/address.h"
#include "base/stop_interval.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "stacks/stack_frame.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMostBytesOfSignalStack = 1024 * 1024;

std::string placeOf(const FrameRow& frame, const StackRootRow& root) {
  if (!root.variable.empty()) return root.variable;
  if (root.isProtected) return "held by the runtime";
  if (!root.reg.empty()) return root.reg;
  if (!root.slot) return "code";
  return root.slot >= frame.stackPointer ? fmt::format("rsp+{:#x}", root.slot - frame.stackPointer)
                                         : fmt::format("rsp-{:#x}", frame.stackPointer - root.slot);
}

/// Looks through words of one thread's stacks: its own, and the one that it handles a signal on.
class StackWords {
 public:
  StackWords(const Snapshot& snapshot, const ThreadStackRow& stack, const std::function<void(StackRootEntry)>& visit,
             std::stop_token stop)
      : m_snapshot(snapshot), m_stack(stack), m_thread(*stack.core), m_visit(visit), m_stop(std::move(stop)) {}

  bool visit() {
    if (m_stack.isComplete && std::ranges::all_of(m_stack.frames, &FrameRow::isExact)) return true;
    for (const StackRootRow& root : m_stack.roots) m_known.insert(root.slot.value);
    Address begin = m_thread.stackPointer();
    bool isNothingKnown = true;
    for (std::size_t i = 0; i < m_stack.frames.size(); ++i) {
      const FrameRow& frame = m_stack.frames[i];
      if (!isOnOneStack(begin, frame.stackPointer)) begin = frame.stackPointer;
      if (!frame.isExact) {
        if (isNothingKnown) addRegisters();
        isNothingKnown = false;
        if (!addContextBefore(i) || !addWords({begin, endOf(i)})) return false;
      } else if (frame.kind == FrameKind::Managed) {
        isNothingKnown = false;
      }
      begin = std::max(begin, frame.stackPointer);
    }
    if (m_stack.isComplete) return true;
    if (isNothingKnown) addRegisters();
    if (m_stack.gap) begin = m_stack.frames[*m_stack.gap].stackPointer;
    if (!addWords({begin, endOfStackAt(begin)})) return false;
    // How far the thread's own stack was in use only frames would tell.
    const bool isOwnUnknown = !m_stack.limits.isEmpty() && !m_stack.limits.contains(begin);
    return !isOwnUnknown || addWords(m_stack.limits);
  }

 private:
  bool isOnOneStack(Address left, Address right) const { return areOnOneStack(m_stack.limits, left, right); }

  /// What the frame's callees may have been given on the stack belongs to it: up to the end of the frame behind it.
  Address endOf(std::size_t index) const {
    const FrameRow& frame = m_stack.frames[index];
    const std::size_t further = frame.kind == FrameKind::Managed ? index + 1 : index + 2;
    if (further < m_stack.frames.size() && isOnOneStack(frame.stackPointer, m_stack.frames[further].stackPointer))
      return m_stack.frames[further].stackPointer;
    return endOfStackAt(frame.stackPointer);
  }

  /// 0 if it is not known. The dump does not tell where a stack ends that signals are handled on: it is as long as what
  /// the dump holds in one piece.
  Address endOfStackAt(Address place) const {
    if (m_stack.limits.isEmpty()) return {};
    if (m_stack.limits.contains(place)) return m_stack.limits.end;
    const auto held = m_snapshot.contents().memory->present({place, place + kMostBytesOfSignalStack});
    return !held.empty() && held.front().start == place ? held.front().end : Address{};
  }

  /// The registers of a method that ran when the thread's stack overflowed lie in a frame on another stack.
  bool addContextBefore(std::size_t index) {
    if (index == 0) return true;
    const FrameRow& before = m_stack.frames[index - 1];
    if (before.kind != FrameKind::Runtime || isOnOneStack(before.stackPointer, m_stack.frames[index].stackPointer) ||
        before.origin != toString(ExplicitFrameKind::FaultingExceptionFrame))
      return true;
    const ClrRuntime& runtime = m_snapshot.contents().readers->runtime;
    const Address context = runtime.member(before.stackPointer, "FaultingExceptionFrame", "TargetContext");
    return addWords({context, runtime.member(context, "Context", "Rip")});
  }

  void addRegisters() {
    const Registers registers = registersOf(m_thread);
    for (std::size_t i = 0; i < kRegisterCount; ++i) {
      const auto reg = static_cast<Register>(i);
      if (reg != Register::Rsp) addWord({}, registers[reg], [&] { return std::string(toString(reg)); });
    }
  }

  bool addWords(AddressRange range) {
    const AddressSpace& memory = *m_snapshot.contents().memory;
    Address& seenUpTo = m_seenUpTo[m_stack.limits.contains(range.start) ? 1 : 0];
    const AddressRange unseen{m_stack.gap ? range.start : std::max(range.start, seenUpTo), range.end};
    seenUpTo = std::max(seenUpTo, range.end);
    if (unseen.isEmpty()) return true;
    std::uint64_t steps = 0;
    for (const AddressRange& part : memory.present(unseen)) {
      for (Address slot{alignUp(part.start.value, kPointerBytes)}; slot < part.end; slot += kPointerBytes) {
        if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
        std::uint64_t word = 0;
        if (m_known.contains(slot.value) || !memory.tryRead(slot, word)) continue;
        if (m_stack.gap) m_known.insert(slot.value);
        addWord(slot, word, [&] { return placeOfWord(slot); });
      }
    }
    return true;
  }

  std::string placeOfWord(Address slot) const {
    const Address top = m_thread.stackPointer();
    return isOnOneStack(top, slot) && slot >= top ? fmt::format("rsp+{:#x}", slot - top) : toString(slot);
  }

  template <class Place>
  void addWord(Address slot, std::uint64_t word, const Place& place) {
    if (!word || m_snapshot.contents().heap->index.segmentOf(Address{word}).isNone()) return;
    const auto row = objectAt(m_snapshot, Address{word});
    // A word that seems to point to a header is the end of the object before.
    if (!row || row->address.value > word || m_snapshot.types()[row->type.value].isFree) return;
    m_visit({slot, row->address, place(), false});
  }

  const Snapshot& m_snapshot;
  const ThreadStackRow& m_stack;
  const CoreThread& m_thread;
  const std::function<void(StackRootEntry)>& m_visit;
  std::stop_token m_stop;
  std::unordered_set<std::uint64_t> m_known;  // slots of roots that frames have told of
  std::array<Address, 2> m_seenUpTo{};        // of stacks that are not the thread's own, and of that
};

}  // namespace

bool forEachStackRoot(const Snapshot& snapshot, const ThreadStackRow& stack, bool includeInexact,
                      const std::function<void(StackRootEntry)>& visit, std::stop_token stop) {
  for (const StackRootRow& root : stack.roots) {
    // Interior ones may point anywhere, most often to a variable of a caller.
    if (!root.object || root.typeName.empty() || (!root.isExact && !includeInexact)) continue;
    const FrameRow& frame = stack.frames[root.frame];
    const std::string method = frame.method.empty() ? frame.origin : methodOf(frame);
    visit({root.slot, root.object, fmt::format("{}, {}", method, placeOf(frame, root)), root.isExact});
  }
  if (!includeInexact) return true;
  return !stack.core || StackWords(snapshot, stack, visit, std::move(stop)).visit();
}

}  // namespace heapscape::engine
