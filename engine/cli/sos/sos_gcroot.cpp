// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "session/references/path_edges.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::Outcome;
using engine::RootKind;
using engine::RootRow;
using engine::Snapshot;

/// Statics, and arrays of the runtime that keep them: the graph has no references from these.
class KeptStatics {
 public:
  explicit KeptStatics(const Snapshot& snapshot) {
    const engine::ObjectIndex& index = snapshot.contents().heap->index;
    for (const RootRow& root : snapshot.roots().roots) {
      if (root.kind != RootKind::Static && root.kind != RootKind::ThreadStatic) continue;
      const auto keeper = engine::objectAt(snapshot, root.address);
      const auto object = root.object ? engine::objectAt(snapshot, root.object) : std::nullopt;
      if (!keeper || !object) continue;
      m_roots.push_back({index.idOf(object->address).value, index.idOf(keeper->address).value, &root});
    }
    std::ranges::sort(m_roots, {}, [](const Kept& kept) { return std::tuple(kept.object, kept.keeper, kept.root); });
  }

  template <class Visit>
  void forEachKeeper(std::uint32_t object, Visit visit) const {
    for (auto kept = std::ranges::lower_bound(m_roots, object, {}, &Kept::object);
         kept != m_roots.end() && kept->object == object; ++kept)
      visit(kept->keeper);
  }

  /// The first static that keeps an object in an array; null if there is none.
  const RootRow* find(std::uint32_t keeper, std::uint32_t object) const {
    for (auto kept = std::ranges::lower_bound(m_roots, object, {}, &Kept::object);
         kept != m_roots.end() && kept->object == object; ++kept) {
      if (kept->keeper == keeper) return kept->root;
    }
    return nullptr;
  }

 private:
  struct Kept {
    std::uint32_t object = 0;  // ObjectIds
    std::uint32_t keeper = 0;
    const RootRow* root = nullptr;
  };
  std::vector<Kept> m_roots;  // by object
};

/// Which object comes next on the shortest way from any object to a target.
class WaysTo {
 public:
  /// Follows references back from the target until nothing is left that leads to it.
  static Outcome<WaysTo> find(const Snapshot& snapshot, const KeptStatics& statics, Address target,
                              const std::stop_token& stop) {
    HEAPSCAPE_TRY(const auto reverse, engine::reverseReferencesOf(snapshot, nullptr, stop));
    const engine::ObjectIndex& index = snapshot.contents().heap->index;
    WaysTo ways;
    ways.m_next.assign(index.objectCount(), kNone);
    std::vector<std::uint32_t> current{index.idOf(target).value}, further;
    ways.m_next[current.front()] = current.front();
    while (!current.empty()) {
      if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
      for (const std::uint32_t object : current) {
        const auto add = [&](std::uint32_t referrer) {
          if (ways.m_next[referrer] != kNone) return;
          ways.m_next[referrer] = object;
          further.push_back(referrer);
        };
        std::ranges::for_each(reverse->of(object), add);
        statics.forEachKeeper(object, add);
      }
      current.swap(further);
      further.clear();
    }
    return ways;
  }

  /// From an object to the target, both included; empty if it does not lead there.
  std::vector<std::uint32_t> from(std::uint32_t object) const {
    std::vector<std::uint32_t> way;
    for (; m_next[object] != kNone; object = m_next[object]) {
      way.push_back(object);
      if (m_next[object] == object) break;
    }
    return way;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> m_next;  // by ObjectId; the target's is itself
};

/// Prints roots in SOS's sections with what they lead through.
class RootPrinter {
 public:
  RootPrinter(SosRun& run, const Snapshot& snapshot, const KeptStatics& statics, const WaysTo& ways)
      : m_run(run),
        m_snapshot(snapshot),
        m_statics(statics),
        m_ways(ways),
        m_names(*snapshot.contents().readers),
        m_edges(snapshot.contents()) {}

  std::uint64_t found() const { return m_found; }

  void printOther(const RootRow& root) {
    const auto way = wayFrom(root.object);
    if (way.empty()) return;
    startSection(sectionOf(root.kind));
    m_run.print("    {} ({})\n", lowerAddress(root.address), wordsOf(root));
    printWay(way);
  }

  void printStackRoot(const engine::ThreadStackRow& thread, const engine::FrameRow& frame,
                      const engine::StackRootRow& root) {
    const auto way = wayFrom(root.object);
    if (way.empty()) return;
    if (startSection(fmt::format("Thread {:x}", thread.osId))) m_lastFrame = nullptr;
    if (m_lastFrame != &frame) {
      const bool isManaged = frame.kind == engine::FrameKind::Managed;
      m_run.print("    {:x} {:x} {}{}{}\n", frame.stackPointer.value, frame.instruction.value,
                  isManaged ? std::string() : fmt::format("[{}] ", frame.origin), siteOf(frame),
                  frame.file.empty() ? std::string() : fmt::format(" [{} @ {}]", frame.file, frame.line));
    }
    m_lastFrame = &frame;
    const std::string counted = root.base.empty() ? std::string() : root.base + ": ";
    m_run.print("        {}{}\n", root.reg.empty() ? counted + lowerAddress(root.slot) : root.reg + ":",
                root.isExact ? "" : " (may be no reference)");
    printWay(way);
  }

  /// Statics that lie in an object are told of where a way leads through it.
  bool isInObject(const RootRow& root) const { return engine::objectAt(m_snapshot, root.address).has_value(); }

 private:
  bool startSection(const std::string& section) {
    if (m_section == section) return false;
    m_run.print("{}:\n", section);
    m_section = section;
    return true;
  }

  /// The method of a frame, in brackets where the frame is the runtime's own.
  std::string siteOf(const engine::FrameRow& frame) {
    const std::string& method = m_names.ofMethod(frame.methodDesc);
    return method.empty() || frame.kind == engine::FrameKind::Managed ? method : fmt::format(" ({})", method);
  }

  static const char* sectionOf(RootKind kind) {
    switch (kind) {
      case RootKind::Static:
        return "Statics";
      case RootKind::ThreadStatic:
        return "Thread statics";
      case RootKind::FinalizerReady:
        return "Finalizer Queue";
      case RootKind::Given:
        return "Given roots";
      default:
        return "HandleTable";
    }
  }
  static std::string wordsOf(const RootRow& root) {
    switch (root.kind) {
      case RootKind::StrongHandle:
        return "strong handle";
      case RootKind::PinnedHandle:
        return "pinned handle";
      case RootKind::RefCountedHandle:
        return "ref counted handle";
      case RootKind::AsyncPinnedHandle:
        return "async pinned handle";
      case RootKind::SizedRefHandle:
        return "sized ref handle";
      case RootKind::FinalizerReady:
        return "finalizer root";
      default:
        return root.name;
    }
  }

  std::vector<std::uint32_t> wayFrom(Address object) const {
    const auto row = object ? engine::objectAt(m_snapshot, object) : std::nullopt;
    if (!row) return {};
    const engine::ObjectId id = m_snapshot.contents().heap->index.idOf(row->address);
    return id.isNone() ? std::vector<std::uint32_t>() : m_ways.from(id.value);
  }

  void printWay(const std::vector<std::uint32_t>& way) {
    ++m_found;
    for (std::size_t i = 0; i < way.size() && m_run.goesOn(); ++i) {
      const auto row = engine::objectAt(m_snapshot, addressOf(way[i]));
      if (!row) continue;
      m_run.print("          -> {:<16} {} {}\n", shortAddress(row->address), m_snapshot.typeName(row->type),
                  i == 0 ? std::string() : remarkOn(way[i - 1], way[i]));
    }
    m_run.print("\n");
  }

  Address addressOf(std::uint32_t object) const { return m_snapshot.contents().heap->index.addressOf({object}); }

  /// "(static variable: Shop.Warehouse.orders)" or "(dependent handle)", of a reference that is no field's.
  std::string remarkOn(std::uint32_t holder, std::uint32_t object) {
    if (const RootRow* kept = m_statics.find(holder, object)) {
      constexpr std::string_view kWord = "static ";
      const std::size_t word = kept->name.find(kWord);
      return fmt::format("({} variable: {})", kept->kind == RootKind::Static ? "static" : "thread static",
                         word == std::string::npos ? kept->name : kept->name.substr(word + kWord.size()));
    }
    const auto edges = m_edges.between(addressOf(holder), addressOf(object));
    return !edges.empty() && edges.front().kind == engine::EdgeKind::Dependent ? "(dependent handle)" : "";
  }

  SosRun& m_run;
  const Snapshot& m_snapshot;
  const KeptStatics& m_statics;
  const WaysTo& m_ways;
  engine::DebuggerNames m_names;
  engine::PathEdges m_edges;
  std::string m_section;
  const engine::FrameRow* m_lastFrame = nullptr;
  std::uint64_t m_found = 0;
};

Outcome<void> gcRoot(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.retained());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  HEAPSCAPE_TRY(const std::uint64_t limit, run.arguments().number("-limit", UINT64_MAX));
  HEAPSCAPE_CHECK(sosObject(snapshot, address));
  const KeptStatics statics(snapshot);
  HEAPSCAPE_TRY(const WaysTo ways, WaysTo::find(snapshot, statics, address, run.stop()));
  RootPrinter printer(run, snapshot, statics, ways);
  const auto goesOn = [&] { return printer.found() < limit && run.goesOn(); };
  std::vector<const RootRow*> roots;
  bool hasStacks = false;
  for (const RootRow& root : snapshot.roots().roots) {
    const bool isStatic = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
    if (root.kind == RootKind::Stack)
      hasStacks = true;
    else if (!isStatic || !printer.isInObject(root))
      roots.push_back(&root);
  }
  // Handles as their table has them, then the others.
  std::ranges::stable_sort(roots, {}, [](const RootRow* root) {
    const bool isHandle = root->kind < RootKind::Static;
    return std::tuple(!isHandle, isHandle ? root->address : Address{});
  });
  for (const RootRow* root : roots) {
    if (!goesOn()) break;
    printer.printOther(*root);
  }
  if (hasStacks && !run.arguments().has("-nostacks")) {
    HEAPSCAPE_TRY(const auto stacks, engine::keptStacks(snapshot, run.stop()));
    for (const engine::ThreadStackRow& thread : stacks->threads) {
      for (const engine::StackRootRow& root : thread.roots) {
        if (root.frame < thread.frames.size() && goesOn())
          printer.printStackRoot(thread, thread.frames[root.frame], root);
      }
    }
  }
  run.print("Found {} unique roots.\n", grouped(printer.found()));
  return {};
}

}  // namespace

void addSosGcRootCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "gcroot",
                      .arguments = "[-nostacks] [-limit N] ADDRESS",
                      .summary = "Why an object is alive: the shortest way from each root that leads to it",
                      .flags = "-nostacks -all -gcgen",
                      .values = "-limit",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = gcRoot,
                      .more = "path {}"});
}

}  // namespace heapscape::cli
