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
#include "session/roots/root_owners.h"

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
    addFact(table, "Garbage: not collected yet", objectsText(retained.garbageObjects(), retained.garbageBytes()));
    if (retained.frozenObjects)
      addFact(table, "Frozen and unreferenced: never collected",
              objectsText(retained.frozenObjects, retained.frozenBytes));
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
    HEAPSCAPE_TRY(const RootOwners owners, largestOwners(snapshot, kOwnersTold, std::move(stop)));
    for (const RootOwner& owner : owners.owners)
      addFact(table,
              fmt::format("Retained by {}{}", owner.isShared ? owner.typeName : owner.name,
                          owner.isShared ? ", which several roots share" : ""),
              objectsText(owner.alone.objects, owner.alone.bytes));
    page.remark = "Retained: what would be freed with these roots, or with this object, alone.";
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
  const std::uint64_t garbage = snapshot.retainedTotals().garbageBytes();
  return title + fmt::format(": {} of a heap of {} is garbage", percentText(garbage, totals.bytes),
                             readableBytes(totals.bytes));
}

}  // namespace heapscape::engine
