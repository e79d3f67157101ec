// SPDX-License-Identifier: MIT
#include "review/opening_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

#include "output/text.h"
#include "review/review_cells.h"
#include "session/heap/gc_settings.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kOwnersTold = 5;

std::string withExact(std::uint64_t size) {
  return fmt::format("{} ({} bytes)", readableBytes(size), readableCount(size));
}

std::string objectsText(std::uint64_t objects, std::uint64_t bytes) {
  return fmt::format("{}, {}", countOf(objects, "object"), withExact(bytes));
}

void addFact(ReviewTable& table, std::string name, std::string value) {
  table.rows.push_back({{std::move(name)}, {std::move(value)}});
}

/// The groups of roots below the kinds, a type's statics, a thread, a kind of handles, that retain most.
std::vector<const RootTreeNode*> largestOwners(const HeldRoots& held) {
  std::vector<const RootTreeNode*> owners;
  if (held.tree.empty()) return owners;
  for (const std::uint32_t kind : held.tree[0].children) {
    const RootTreeNode& group = held.tree[kind];
    if (group.children.empty()) owners.push_back(&group);
    for (const std::uint32_t owner : group.children) owners.push_back(&held.tree[owner]);
  }
  std::erase_if(owners, [](const RootTreeNode* node) { return node->alone.bytes == 0; });
  std::ranges::stable_sort(owners, std::greater(), [](const RootTreeNode* node) { return node->alone.bytes; });
  owners.resize(std::min(owners.size(), kOwnersTold));
  return owners;
}

std::string ownerName(const HeldRoots& held, const RootTreeNode& node) {
  const std::string& name = nameOf(held, node);
  const RootTreeNode& kind = held.tree[node.parent];
  return node.parent == 0 ? name : fmt::format("{}: {}", nameOf(held, kind), name);
}

}  // namespace

ReviewTable factsTable(const Snapshot& snapshot) {
  const Summary& summary = snapshot.summary();
  const RuntimeSummary& runtime = summary.runtime;
  const ObjectTotals totals = snapshot.totals();
  ReviewTable table{.columns = {{"Figure"}, {"Value"}}, .rows = {}};
  addFact(table, "Runtime", fmt::format(".NET {}, {}", runtime.version, runtime.architecture));
  addFact(table, "Garbage collector",
          fmt::format("{}, {}, {}", runtime.isServerGc ? "server" : "workstation",
                      runtime.hasRegions ? "regions" : "segments", describe(gcHeaps(snapshot))));
  addFact(table, "Dump", fmt::format("{}, {}", toString(summary.dump.kind), withExact(summary.dump.fileBytes)));
  addFact(table, "Threads", readableCount(summary.dump.threads));
  addFact(table, "Objects", objectsText(totals.objects - totals.freeObjects, totals.bytes - totals.freeBytes));
  if (snapshot.has(Stage::Retained)) {
    const RetainedTotals retained = snapshot.retainedTotals();
    addFact(table, "Live: reachable from roots", objectsText(retained.reachableObjects, retained.reachableBytes));
    addFact(table, "Garbage: not collected yet", objectsText(retained.unreachableObjects, retained.unreachableBytes));
  }
  addFact(table, "Free between them", withExact(totals.freeBytes));
  addFact(table, "Completeness",
          snapshot.isComplete()
              ? "Everything was there and read."
              : fmt::format("{} of the heap was walked; Findings say what is missing.",
                            percentText(static_cast<std::uint64_t>(snapshot.coverage() * 1e6), 1000000)));
  return table;
}

Outcome<ReviewPage> openingPage(const Snapshot& snapshot, std::stop_token stop) {
  ReviewPage page{.title = kOpeningTitle};
  ReviewTable table = factsTable(snapshot);
  if (snapshot.has(Stage::Retained)) {
    HEAPSCAPE_TRY(const HeldRoots held, listHeldRoots(snapshot, std::move(stop)));
    for (const RootTreeNode* owner : largestOwners(held))
      addFact(table, "Retained by " + ownerName(held, *owner), objectsText(owner->alone.objects, owner->alone.bytes));
    page.remark = "Retained: what would be freed with these roots alone. What several of them hold is in none.";
  }
  page.content = std::move(table);
  return page;
}

std::string proposedTitle(const Snapshot& snapshot, std::string_view day) {
  std::string name = std::filesystem::path(snapshot.summary().dump.path).filename().string();
  name = name.substr(0, name.find('.'));
  std::string title = fmt::format("{}, {}", name.empty() ? "Dump" : name, day);
  if (!snapshot.has(Stage::Objects)) return title;
  const ObjectTotals totals = snapshot.totals();
  const std::uint64_t bytes = totals.bytes - totals.freeBytes;
  if (!snapshot.has(Stage::Retained)) return title + fmt::format(": {} of objects", readableBytes(bytes));
  const std::uint64_t garbage = snapshot.retainedTotals().unreachableBytes;
  return title + fmt::format(": {} of {} is garbage", percentText(garbage, bytes), readableBytes(bytes));
}

}  // namespace heapscape::engine
