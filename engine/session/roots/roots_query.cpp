// SPDX-License-Identifier: MIT
#include "session/roots/roots_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "runtime/threads/thread_details.h"
#include "session/objects/object_query.h"
#include "session/roots/finalizers_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/stack_roots.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {
namespace {

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

const char* nameOf(RootKind kind) {
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
    case RootKind::FinalizerReady:
      return "ready to be finalized";
    default:
      return "";
  }
}

class RootCollector {
 public:
  RootCollector(const Snapshot& snapshot, std::stop_token stop) : m_snapshot(snapshot), m_stop(std::move(stop)) {}

  Outcome<RootList> collect(const RootOptions& options) {
    if (options.only) {
      addGiven(*options.only);
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

  std::uint32_t groupOf(std::uint32_t parent, const std::string& name, Address owner = {}) {
    const auto [known, isNew] =
        m_groups.try_emplace({parent, name, owner}, static_cast<std::uint32_t>(m_list.groups.size()));
    if (isNew) m_list.groups.push_back({name, parent, owner});
    return known->second;
  }

  std::uint32_t topGroup(const char* name) { return groupOf(RootGroup::kNone, name); }

  Outcome<void> addHandles() {
    HEAPSCAPE_TRY(const auto handles, checkHandles(m_snapshot, false, m_list.findings, m_stop));
    for (const GcHandle& handle : handles) {
      if (!handle.isHolding) continue;
      if (const auto kind = rootKindOf(handle.kind))
        m_list.roots.push_back({*kind, handle.address, handle.object, nameOf(*kind), true,
                                groupOf(topGroup("Handles"), fmt::format("{}s", nameOf(*kind)))});
    }
    return {};
  }

  Outcome<void> addStatics() {
    StaticsFilter filter;
    filter.includeUninitialised = false;
    HEAPSCAPE_TRY(const StaticList list, listStatics(m_snapshot, filter, m_stop));
    m_list.findings.append(list.findings);
    const AddressSpace& memory = *m_snapshot.contents().memory;
    for (const StaticRow& row : list.statics) {
      Address object = row.value.value.object;
      if (row.isBoxed && !memory.tryRead(row.address, object)) continue;
      if (!row.address || !object) continue;
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
                              nameOf(RootKind::FinalizerReady),
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

  // What its stack and its statics hang on.
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

}  // namespace heapscape::engine
