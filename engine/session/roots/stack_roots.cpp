// SPDX-License-Identifier: MIT
#include "session/roots/stack_roots.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/address.h"
#include "base/stop_interval.h"
#include "session/door/contents.h"
#include "session/objects/object_query.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {
namespace {

std::string placeOf(const FrameRow& frame, const StackRootRow& root) {
  if (!root.variable.empty()) return root.variable;
  if (root.isProtected) return "held by the runtime";
  if (!root.reg.empty()) return root.reg;
  if (!root.slot) return "code";
  return root.slot >= frame.stackPointer ? fmt::format("rsp+{:#x}", root.slot - frame.stackPointer)
                                         : fmt::format("rsp-{:#x}", frame.stackPointer - root.slot);
}

/// Looks through words of one thread's stack.
class StackWords {
 public:
  StackWords(const Snapshot& snapshot, const ThreadStackRow& stack, const CoreThread& thread,
             const std::function<void(StackRootEntry)>& visit, std::stop_token stop)
      : m_snapshot(snapshot), m_stack(stack), m_thread(thread), m_visit(visit), m_stop(std::move(stop)) {
    for (const StackRootRow& root : stack.roots) m_known.insert(root.slot.value);
  }

  bool visit() {
    Address begin = m_thread.stackPointer();
    bool isNothingKnown = true;
    for (std::size_t i = 0; i < m_stack.frames.size(); ++i) {
      const FrameRow& frame = m_stack.frames[i];
      if (!frame.isExact) {
        if (isNothingKnown) addRegisters();
        isNothingKnown = false;
        if (!addWords({begin, endOf(i)})) return false;
      } else if (frame.kind == FrameKind::Managed) {
        isNothingKnown = false;
      }
      begin = std::max(begin, frame.stackPointer);
    }
    if (m_stack.isComplete) return true;
    if (isNothingKnown) addRegisters();
    return addWords({begin, stackEnd()});
  }

 private:
  /// What the frame's callees may have been given on the stack belongs to it: up to the end of the frame behind it.
  Address endOf(std::size_t index) const {
    const std::size_t further = m_stack.frames[index].kind == FrameKind::Managed ? index + 1 : index + 2;
    return further < m_stack.frames.size() ? m_stack.frames[further].stackPointer : stackEnd();
  }

  /// 0 if it is not known, or the thread runs on another stack.
  Address stackEnd() const { return m_stack.limits.contains(m_thread.stackPointer()) ? m_stack.limits.end : Address{}; }

  void addRegisters() {
    const Registers registers = registersOf(m_thread);
    for (std::size_t i = 0; i < kRegisterCount; ++i) {
      const auto reg = static_cast<Register>(i);
      if (reg != Register::Rsp) addWord({}, registers[reg], [&] { return std::string(toString(reg)); });
    }
  }

  bool addWords(AddressRange range) {
    const AddressSpace& memory = *m_snapshot.contents().memory;
    std::uint64_t steps = 0;
    const Address top = m_thread.stackPointer();
    for (Address slot{alignUp(std::max(range.start, m_seenUpTo).value, kPointerBytes)}; slot < range.end;
         slot += kPointerBytes) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      std::uint64_t word = 0;
      if (m_known.contains(slot.value) || !memory.tryRead(slot, word)) continue;
      addWord(slot, word, [&] { return fmt::format("rsp+{:#x}", slot - top); });
    }
    m_seenUpTo = std::max(m_seenUpTo, range.end);
    return true;
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
  Address m_seenUpTo;
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
  for (const CoreThread& thread : snapshot.contents().core->threads) {
    if (thread.osId == stack.osId) return StackWords(snapshot, stack, thread, visit, std::move(stop)).visit();
  }
  return true;
}

}  // namespace heapscape::engine
