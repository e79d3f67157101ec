// SPDX-License-Identifier: MIT
#include "session/roots/roots_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/address.h"
#include "base/progress.h"
#include "base/short_type_name.h"
#include "graph/retained/retained_parts.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "stacks/frames/explicit_frames.h"
#include "stacks/stack_frame.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {
namespace {

/// A root that a stack or the registers of a thread hold.
struct StackRootEntry {
  Address slot;       // 0 for one in a register of the processor
  Address object;     // that it refers to, or into
  std::string place;  // "Zoo.P.Work, order", "Zoo.P.Work, rbx", "Zoo.P.Work, rsp+0x18"; of a word "rsp+0x18"
  bool isExact = true;
};

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

  /// End of a frame: with what its callees may have been given on the stack, up to the end of the frame behind it.
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
    return addWords(registersOfFault(runtime, before.stackPointer));
  }

  void addRegisters() {
    const Registers registers = registersOf(m_thread);
    const RegisterFile& file = registerFile(registers.architecture);
    for (std::size_t i = 0; i < file.count(); ++i) {
      const Register reg{static_cast<std::uint8_t>(i), registers.architecture};
      if (reg != file.stackPointer) addWord({}, registers[reg], [&] { return std::string(toString(reg)); });
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
    return isOnOneStack(top, slot) && slot >= top
               ? fmt::format("{}+{:#x}", toString(registerFile(m_thread.architecture).stackPointer), slot - top)
               : toString(slot);
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

/// Everything of a thread's stack that holds objects. Where a frame's references are not known, each word of its part
/// of the stack that leads to or into an object stands in for them, and is not exact; so do the registers if no frame
/// further in is known. False if it was stopped.
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

std::optional<RootKind> rootKindOf(HandleKind kind) {
  switch (kind) {
    case HandleKind::Strong:
      return RootKind::StrongHandle;
    case HandleKind::Pinned:
      return RootKind::PinnedHandle;
    case HandleKind::RefCounted:
      return RootKind::RefCountedHandle;
    case HandleKind::AsyncPinned:
      return RootKind::AsyncPinnedHandle;
    case HandleKind::SizedRef:
      return RootKind::SizedRefHandle;
    default:
      return std::nullopt;
  }
}

}  // namespace

const char* nameOfRoot(RootKind kind) {
  switch (kind) {
    case RootKind::StrongHandle:
      return "strong handle";
    case RootKind::PinnedHandle:
      return "pinned handle";
    case RootKind::RefCountedHandle:
      return "reference-counted handle";
    case RootKind::AsyncPinnedHandle:
      return "async-pinned handle";
    case RootKind::SizedRefHandle:
      return "sized-reference handle";
    case RootKind::DependentHandle:
      return "dependent handle";
    case RootKind::FinalizerReady:
      return "ready to be finalized";
    case RootKind::Stack:
      return "stack";
    default:
      return "";
  }
}

namespace {

class RootCollector {
 public:
  RootCollector(const Snapshot& snapshot, std::stop_token stop) : m_snapshot(snapshot), m_stop(std::move(stop)) {}

  Outcome<RootList> collect(const RootOptions& options) {
    if (options.only) {
      addGiven(*options.only);
      return std::move(m_list);
    }
    if (m_snapshot.isRecorded()) {
      addRecorded(options);
      return std::move(m_list);
    }
    readThreadNames();
    HEAPSCAPE_CHECK(addHandles());
    HEAPSCAPE_CHECK(addStatics());
    HEAPSCAPE_CHECK(addFinalizers());
    if (options.includeStacks) HEAPSCAPE_CHECK(addStacks(options.includeInexact));
    std::stable_sort(m_list.roots.begin(), m_list.roots.end(),
                     [](const RootRow& a, const RootRow& b) { return a.kind < b.kind; });
    return std::move(m_list);
  }

 private:
  void addGiven(const std::vector<Address>& objects) {
    for (const Address object : objects) {
      if (!m_snapshot.contents().heap->index.idOf(object).isNone())
        m_list.roots.push_back({RootKind::Given, {}, object, "given", true});
    }
  }

  void addRecorded(const RootOptions& options) {
    m_list = m_snapshot.contents().recorded->roots;
    if (!options.includeStacks)
      std::erase_if(m_list.roots, [](const RootRow& root) { return root.kind == RootKind::Stack; });
  }

  std::uint32_t groupOf(std::uint32_t parent, const std::string& name, Address owner = {}) {
    const auto [known, isNew] =
        m_groups.try_emplace({parent, name, owner}, static_cast<std::uint32_t>(m_list.groups.size()));
    if (isNew) m_list.groups.push_back({name, parent, owner});
    return known->second;
  }

  std::uint32_t groupOfHolder(const StaticsHolderRow& holder) {
    if (holder.thread) return groupOf(groupOfThread(holder.thread->managedId), "thread statics");
    if (!holder.typeName.empty()) return groupOf(topGroup("Statics"), holder.typeName, ownerOf(holder));
    const std::uint32_t group = groupOf(topGroup("Statics"), holder.name, holder.methodTable);
    m_list.groups[group].isNameless = true;
    return group;
  }

  static Address ownerOf(const StaticsHolderRow& holder) { return holder.type ? holder.type : holder.methodTable; }

  std::uint32_t topGroup(const char* name) { return groupOf(RootGroup::kNone, name); }

  Outcome<void> addHandles() {
    HEAPSCAPE_TRY(const auto handles, checkHandles(m_snapshot, false, m_list.findings, m_stop));
    for (const GcHandle& handle : handles) {
      if (!handle.isHolding) continue;
      if (const auto kind = rootKindOf(handle.kind))
        m_list.roots.push_back({*kind, handle.address, handle.object, nameOfRoot(*kind), true,
                                groupOf(topGroup("Handles"), fmt::format("{}s", nameOfRoot(*kind)))});
    }
    return {};
  }

  Outcome<void> addStatics() {
    StaticsFilter filter;
    filter.includeUninitialised = false;
    filter.objectsAlone = true;
    HEAPSCAPE_TRY(const StaticList list, listStatics(m_snapshot, filter, m_stop));
    m_list.findings.append(list.findings);
    for (const StaticRow& row : list.statics) {
      const Address object = row.value.value.object;
      const std::string field = fmt::format("static {}.{}", row.typeName, row.field);
      if (row.kind == StaticKind::Thread) {
        m_list.roots.push_back({RootKind::ThreadStatic, row.address, object,
                                fmt::format("thread {}: {}", row.threadId, field), true,
                                groupOf(groupOfThread(row.threadId), "thread statics")});
      } else {
        m_list.roots.push_back({RootKind::Static, row.address, object, field, true,
                                groupOf(topGroup("Statics"), row.typeName, row.methodTable)});
      }
    }
    for (const StaticsHolderRow& holder : list.holders) {
      const std::string name = holder.typeName.empty()
                                   ? fmt::format("object of {}", holder.name)
                                   : fmt::format("object with the static fields of {}", holder.typeName);
      m_list.roots.push_back({holder.thread ? RootKind::ThreadStatic : RootKind::Static, holder.cell, holder.object,
                              name, true, groupOfHolder(holder)});
    }
    return {};
  }

  Outcome<void> addFinalizers() {
    HEAPSCAPE_TRY(const FinalizerList list, listFinalizers(m_snapshot, m_stop));
    m_list.findings.append(list.findings);
    for (const FinalizerRow& row : list.objects) {
      if (row.queue == FinalizerQueueKind::Registered) continue;
      m_list.roots.push_back({RootKind::FinalizerReady,
                              {},
                              row.object,
                              nameOfRoot(RootKind::FinalizerReady),
                              true,
                              topGroup("Ready to be finalized")});
    }
    return {};
  }

  void readThreadNames() {
    const RuntimeReaders& readers = *m_snapshot.contents().readers;
    FindingList known;  // opening has told of them
    for (const RuntimeThread& thread : readThreads(readers.runtime, known)) {
      if (!isAlive(thread)) continue;
      ThreadDetails details = readThreadDetails(readers, thread);
      m_threads.try_emplace(thread.managedId, thread.address);
      m_threadNames.try_emplace(thread.address, details.name.empty()
                                                    ? fmt::format("thread {}", thread.managedId)
                                                    : fmt::format("thread {} \"{}\"", thread.managedId, details.name));
    }
  }

  // Group of its stack and its statics.
  std::uint32_t groupOfThread(std::uint32_t managedId) {
    const auto thread = m_threads.find(managedId);
    if (thread == m_threads.end()) return groupOf(topGroup("Threads"), fmt::format("thread {}", managedId));
    return groupOf(topGroup("Threads"), m_threadNames[thread->second], thread->second);
  }

  Outcome<void> addStacks(bool includeInexact) {
    HEAPSCAPE_TRY(const auto list, keptStacks(m_snapshot, m_stop));
    m_list.findings.append(list->findings);
    for (const ThreadStackRow& stack : list->threads) {
      const auto threadName = m_threadNames.find(stack.thread);
      if (threadName == m_threadNames.end()) continue;
      std::optional<std::uint32_t> threadGroup;  // made with the first root, so that none stays empty
      const auto add = [&](StackRootEntry root) {
        const std::string name =
            fmt::format("{}: {}{}", threadName->second, root.isExact ? "" : "inexact stack word, ", root.place);
        const char* group = root.isExact ? kStackGroup : kInexactStackGroup;
        if (!threadGroup) threadGroup = groupOfThread(stack.managedId);
        m_list.roots.push_back(
            {RootKind::Stack, root.slot, root.object, name, root.isExact, groupOf(*threadGroup, group)});
      };
      if (!forEachStackRoot(m_snapshot, stack, includeInexact, add, m_stop))
        return tl::unexpected(Unfinished::cancelled());
    }
    return {};
  }

  const Snapshot& m_snapshot;
  std::stop_token m_stop;
  std::unordered_map<std::uint32_t, Address> m_threads;                               // those that live, by managed id
  std::map<Address, std::string> m_threadNames;                                       // "thread 5 \"worker\""
  std::map<std::tuple<std::uint32_t, std::string, Address>, std::uint32_t> m_groups;  // by parent, name and owner
  RootList m_list;
};

}  // namespace

Outcome<RootList> listRoots(const Snapshot& snapshot, const RootOptions& options, std::stop_token stop) {
  if (!snapshot.contents().heap) return RootList{};
  return RootCollector(snapshot, std::move(stop)).collect(options);
}

namespace {

constexpr const char* kNamelessStatics = "statics of the program";

class RootTreeBuilder {
 public:
  explicit RootTreeBuilder(const Snapshot& snapshot) : m_snapshot(snapshot), m_list(snapshot.roots()) {}

  Outcome<HeldRoots> build(const std::stop_token& stop) {
    m_held.roots.reserve(m_list.roots.size());
    m_held.tree.reserve(m_list.groups.size() + m_list.roots.size() + 1);
    addGroups();
    for (std::uint32_t i = 0; i < m_list.roots.size(); ++i) {
      if (i % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      addRoot(i);
    }
    countRoots();
    sortHeldRoots(m_held);
    for (RootTreeNode& node : m_held.tree)
      if (!node.place.empty()) node.name = namedByType(node);
    return std::move(m_held);
  }

 private:
  // Node 0 is the whole, and the groups follow in their order.
  static std::uint32_t nodeOf(std::uint32_t group) { return group == RootGroup::kNone ? 0 : group + 1; }

  void addGroups() {
    const RetainedTotals totals = m_snapshot.retainedTotals();
    m_held.tree.push_back({.name = "All roots", .alone = {totals.reachableObjects, totals.reachableBytes}});
    for (std::uint32_t i = 0; i < m_list.groups.size(); ++i) {
      const RootGroup& group = m_list.groups[i];
      m_held.tree.push_back(
          {.parent = nodeOf(group.parent), .name = group.name, .alone = retainedByGroup(m_snapshot, i)});
      if (group.isNameless) m_held.tree.back().place = group.name;
      m_held.tree[nodeOf(group.parent)].children.push_back(i + 1);
    }
  }

  void addRoot(std::uint32_t index) {
    const RootRow& root = m_list.roots[index];
    ReferredObject object = referredObject(m_snapshot, root.object);
    const Retained alone = retainedByRoot(m_snapshot, index);
    m_held.roots.push_back({root, std::move(object.typeName), object.methodTable, alone,
                            retainedBytesAt(m_snapshot, root.object).value_or(0)});
    const auto node = static_cast<std::uint32_t>(m_held.tree.size());
    m_held.tree.push_back({.parent = nodeOf(root.group), .root = index, .roots = 1, .alone = alone});
    m_held.tree[nodeOf(root.group)].children.push_back(node);
  }

  /// What static fields without names are called: by the type of what the one refers to that holds most.
  std::string namedByType(const RootTreeNode& node) const {
    for (const std::uint32_t child : node.children) {
      const RootTreeNode& below = m_held.tree[child];
      if (below.root == RootTreeNode::kNone || below.alone.bytes == 0) continue;
      const std::string& type = m_held.roots[below.root].typeName;
      return "statics: " + (type.empty() ? std::string("an unknown type") : shortTypeName(type));
    }
    return kNamelessStatics;
  }

  // Parents stand before their children.
  void countRoots() {
    for (std::size_t node = m_held.tree.size(); node-- > 1;)
      m_held.tree[m_held.tree[node].parent].roots += m_held.tree[node].roots;
  }

  const Snapshot& m_snapshot;
  const RootList& m_list;
  HeldRoots m_held;
};

}  // namespace

const std::string& nameOf(const HeldRoots& held, const RootTreeNode& node) {
  return node.root == RootTreeNode::kNone ? node.name : held.roots[node.root].root.name;
}

Outcome<HeldRoots> listHeldRoots(const Snapshot& snapshot, std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return HeldRoots{};
  return RootTreeBuilder(snapshot).build(stop);
}

void sortHeldRoots(HeldRoots& held) {
  const auto objectBytes = [&](const RootTreeNode& node) {
    return node.root == RootTreeNode::kNone ? 0 : held.roots[node.root].objectRetainedBytes;
  };
  const auto isBefore = [&](std::uint32_t left, std::uint32_t right) {
    const RootTreeNode& a = held.tree[left];
    const RootTreeNode& b = held.tree[right];
    return a.alone.bytes != b.alone.bytes ? a.alone.bytes > b.alone.bytes : objectBytes(a) > objectBytes(b);
  };
  for (RootTreeNode& node : held.tree) std::stable_sort(node.children.begin(), node.children.end(), isBefore);
}

namespace {

bool isOfThread(RootKind kind) {
  return kind == RootKind::Stack || kind == RootKind::ThreadStatic;
}

}  // namespace

Outcome<HeldRoots> groupHeldRoots(const Snapshot& snapshot, const HeldRoots& held,
                                  const std::vector<std::string>& groupOf, ProgressSink* progress,
                                  std::stop_token stop) {
  if (!snapshot.has(Stage::Retained) || held.tree.empty()) return HeldRoots{};
  HeldRoots grouped{.roots = held.roots, .tree = {}};
  grouped.tree.push_back(held.tree.front());
  grouped.tree.front().children.clear();
  std::unordered_map<std::string, std::uint32_t> nodes;
  std::vector<std::uint32_t> nodeOf;
  std::vector<GroupedRoot> roots;
  const ObjectIndex& index = snapshot.contents().heap->index;
  for (std::uint32_t root = 0; root < grouped.roots.size(); ++root) {
    const auto [known, isNew] = nodes.try_emplace(groupOf[root], static_cast<std::uint32_t>(grouped.tree.size()));
    if (isNew) {
      grouped.tree.push_back({.name = groupOf[root], .alone = {}});
      grouped.tree.front().children.push_back(known->second);
    }
    nodeOf.push_back(known->second);
    const ObjectId object = index.idOf(grouped.roots[root].root.object);
    if (!object.isNone()) roots.push_back({object.value, known->second - 1});
  }
  StageProgress following(progress, "following what each group holds", 0, 1);
  const auto alone =
      heldByGroups(*snapshot.contents().graph, roots, static_cast<std::uint32_t>(grouped.tree.size() - 1),
                   snapshot.retainedTotals().reachableObjects, following, stop);
  if (!alone) return tl::unexpected(Unfinished::cancelled());
  for (std::uint32_t group = 0; group < alone->size(); ++group)
    grouped.tree[group + 1].alone = {(*alone)[group].objects, (*alone)[group].bytes};
  for (std::uint32_t root = 0; root < grouped.roots.size(); ++root) {
    const auto node = static_cast<std::uint32_t>(grouped.tree.size());
    const HeldRoot& row = grouped.roots[root];
    grouped.tree.push_back({.parent = nodeOf[root], .root = root, .roots = 1, .alone = row.alone});
    grouped.tree[nodeOf[root]].children.push_back(node);
    ++grouped.tree[nodeOf[root]].roots;
  }
  sortHeldRoots(grouped);
  return grouped;
}

std::string threadOfRoot(const RootList& list, const RootRow& root) {
  if (!isOfThread(root.kind)) return {};
  for (std::uint32_t group = root.group; group != RootGroup::kNone; group = list.groups[group].parent) {
    if (list.groups[group].owner) return list.groups[group].name;
  }
  return {};
}

}  // namespace heapscape::engine
