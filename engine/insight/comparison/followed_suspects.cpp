// SPDX-License-Identifier: MIT
#include "insight/comparison/followed_suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/figures.h"
#include "heap/object_types.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kStatic = "static ";

/// The one insight that a change is about; null if there are several.
const Insight* insightOf(const InsightChange& change, const InsightList& list) {
  const Insight* found = nullptr;
  for (const Insight& insight : list.insights) {
    if (insight.kind != change.kind || insight.subject != change.subject) continue;
    if (found) return nullptr;
    found = &insight;
  }
  return found;
}

/// Finds what suspects of one dump retain in another one.
class OtherDump {
 public:
  OtherDump(const Snapshot& known, const Snapshot& other) : m_known(known), m_other(other) {}

  Outcome<std::optional<Retained>> retainedThere(const Insight& suspect, const std::stop_token& stop) {
    using Found = std::optional<Retained>;
    if (suspect.ids.empty()) return Found();
    const std::string& type = m_known.typeName(TypeId{(*typesOf(m_known))[suspect.ids.front()]});
    if (type.empty()) return Found();
    if (suspect.objects > 1) return ofType(suspect, type);
    if (suspect.subject.starts_with(kStatic)) return ofStatic(suspect.subject, type);
    HEAPSCAPE_TRY(const std::uint64_t largestHere, largestOf(m_known, type, stop));
    if (largestHere != suspect.bytes) return Found();
    HEAPSCAPE_TRY(const std::uint64_t largest, largestOf(m_other, type, stop));
    return largest ? Found({.objects = 1, .bytes = largest}) : Found();
  }

 private:
  static std::shared_ptr<const ObjectTypes> typesOf(const Snapshot& snapshot) {
    return snapshot.contents().typesOfObjects();
  }

  /// What all objects of a type retain together, if that is what the suspect says of them here.
  std::optional<Retained> ofType(const Insight& suspect, const std::string& type) const {
    if (retainedBy(m_known, type).bytes != suspect.bytes) return std::nullopt;
    const Retained there = retainedBy(m_other, type);
    return there.bytes ? std::optional(there) : std::nullopt;
  }

  static Retained retainedBy(const Snapshot& snapshot, const std::string& type) {
    Retained together;
    for (std::size_t id = 0; id < snapshot.typeRetained().size(); ++id) {
      if (snapshot.types()[id].name != type) continue;
      together.objects += snapshot.typeRetained()[id].instances;
      together.bytes += snapshot.typeRetained()[id].retainedBytes;
    }
    return together;
  }

  std::optional<Retained> ofStatic(const std::string& name, const std::string& type) const {
    for (const RootRow& root : m_other.roots().roots) {
      if (!root.name.ends_with(name)) continue;  // of a thread's statics the thread stands first
      const auto object = retainedOf(m_other, root.object);
      const auto bytes = retainedBytesAt(m_other, root.object);
      if (object && bytes && m_other.typeName(object->type) == type) return Retained{.objects = 1, .bytes = *bytes};
    }
    return std::nullopt;
  }

  static Outcome<std::uint64_t> largestOf(const Snapshot& snapshot, const std::string& type,
                                          const std::stop_token& stop) {
    const Retention& retention = *snapshot.contents().retention;
    const auto types = typesOf(snapshot);
    std::vector<bool> isMeant;
    for (const TypeRow& row : snapshot.types()) isMeant.push_back(row.name == type);
    std::uint64_t largest = 0;
    if (std::ranges::find(isMeant, true) == isMeant.end()) return largest;
    for (std::uint32_t number = 1; number <= retention.tree.reachedCount(); ++number) {
      if (number % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t vertex = retention.tree.vertexOf(number);
      if (!retention.tree.isObject(vertex)) continue;
      const std::uint32_t id = (*types)[vertex];
      if (id < isMeant.size() && isMeant[id]) largest = std::max(largest, retention.sizes.bytes[number]);
    }
    return largest;
  }

  const Snapshot& m_known;
  const Snapshot& m_other;
};

}  // namespace

Outcome<void> followSuspects(std::vector<InsightChange>& changes, const InsightList& listBefore,
                             const InsightList& listAfter, const Snapshot& before, const Snapshot& after,
                             const std::stop_token& stop) {
  for (InsightChange& change : changes) {
    if (change.kind != InsightKind::Suspect) continue;
    const bool isInBefore = change.objects.before > 0, isInAfter = change.objects.after > 0;
    if (isInBefore == isInAfter) continue;
    const Insight* suspect = insightOf(change, isInBefore ? listBefore : listAfter);
    if (!suspect) continue;
    OtherDump other(isInBefore ? before : after, isInBefore ? after : before);
    HEAPSCAPE_TRY(const std::optional<Retained> there, other.retainedThere(*suspect, stop));
    if (!there) continue;
    const auto missing = isInBefore ? &Change::after : &Change::before;
    change.bytes.*missing = there->bytes;
    change.objects.*missing = there->objects;
    if (!isInBefore) continue;
    const bool areSeveral = suspect->objects > 1;
    change.title =
        fmt::format("{} {}% of what is live{}, {}% before", change.subject + (areSeveral ? " objects hold" : " holds"),
                    percentOf(change.bytes.after, after.retainedTotals().reachableBytes), areSeveral ? " together" : "",
                    percentOf(change.bytes.before, before.retainedTotals().reachableBytes));
  }
  return {};
}

}  // namespace heapscape::engine
