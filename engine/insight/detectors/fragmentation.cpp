// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/figures.h"
#include "base/progress.h"
#include "heap/object_head.h"
#include "insight/heap_objects.h"

namespace heapscape::engine {
namespace {

/// Finds free space that cannot be given back because of what lies behind it. One insight for each generation of each
/// heap, and where pinned objects are the reason, for each type of these. Counted are gaps of kSmallestGap bytes and
/// more in segments of which such gaps take more than a fifth; what is free behind the last object is none. Between
/// small objects that nothing pins, the GC leaves gaps on purpose: they are told of from kMuchUnpinned bytes on.
class Fragmentation : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::Fragmentation}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::uint64_t kSmallestGap = 1024;
  static constexpr std::uint64_t kShareOfSegment = 5;  // a fifth
  static constexpr std::uint64_t kMuchUnpinned = 1 << 20;
};

// How far behind a gap a pinned object is looked for: what lies in one piece with it could not move either.
constexpr std::uint32_t kLongestPlug = 4096;

struct Gap {
  std::uint32_t object = 0;  // its own ObjectId
  Address start;
  std::uint64_t bytes = 0;
  std::uint32_t behind = 0;                   // ObjectId of what lies behind it
  std::uint32_t pinned = HeapObjects::kNone;  // the object there that a handle pins
};

/// Gaps that have a generation, a heap and a pinned type in common.
struct GapGroup {
  std::vector<Gap> gaps;
  std::uint64_t bytes = 0;
  std::uint64_t ofBytes = 0;  // of the segments that they lie in
};
using GroupKey = std::tuple<Generation, std::uint32_t, std::uint32_t>;  // with the heap and the TypeId

class GapFinder {
 public:
  GapFinder(const InsightInput& input, std::stop_token stop) : m_input(input), m_heap(input), m_stop(std::move(stop)) {
    const std::vector<RootRow>& roots = m_heap.contents().retention->roots.roots;
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
      if (roots[i].kind == RootKind::PinnedHandle || roots[i].kind == RootKind::AsyncPinnedHandle)
        m_pins.try_emplace(m_heap.objectAt(roots[i].object), i);
    }
    m_pins.erase(HeapObjects::kNone);
  }

  Outcome<void> find(FoundInsights& found, StageProgress& progress) {
    const std::vector<Segment>& segments = *m_heap.contents().segments;
    const TypeId freeType = m_heap.contents().heap->freeType;
    if (freeType.isNone()) return {};
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      const ObjectTotals& totals = m_heap.contents().heap->segments[i].totals;
      if (!isMuch(totals.freeBytes, segments[i])) continue;
      if (!addGapsOf({i}, segments[i], freeType)) return tl::unexpected(Unfinished::cancelled());
      progress.report(static_cast<double>(i) / static_cast<double>(segments.size()));
    }
    for (auto& [key, group] : m_groups) describe(key, group, found);
    return {};
  }

 private:
  static bool isMuch(std::uint64_t bytes, const Segment& segment) {
    return bytes > segment.objects.sizeBytes() / Fragmentation::kShareOfSegment;
  }

  bool addGapsOf(SegmentId id, const Segment& segment, TypeId freeType) {
    const auto [first, last] = m_heap.contents().heap->index.objectsOf(id);
    std::vector<Gap> gaps;
    std::uint64_t bytes = 0;
    for (std::uint32_t object = first.value; object + 1 < last.value; ++object) {
      if (object % kStopInterval == 0 && m_stop.stop_requested()) return false;
      if (m_input.objectTypes[object] != freeType.value) continue;
      Gap gap{.object = object, .start = m_heap.addressOf(object), .behind = object + 1};
      std::uint32_t components = 0;
      if (!m_heap.memory().tryRead(gap.start + kComponentsOffset, components)) continue;
      gap.bytes = alignUp(kMinimumObjectBytes + std::uint64_t{components}, 8);
      if (gap.bytes < Fragmentation::kSmallestGap) continue;
      gap.pinned = pinnedBehind(object, last.value, freeType);
      bytes += gap.bytes;
      gaps.push_back(gap);
    }
    if (isMuch(bytes, segment)) addTo(gaps, segment);
    return true;
  }

  std::uint32_t pinnedBehind(std::uint32_t gap, std::uint32_t end, TypeId freeType) const {
    for (std::uint32_t object = gap + 1; object < end && object - gap <= kLongestPlug; ++object) {
      if (m_input.objectTypes[object] == freeType.value) break;
      if (m_pins.contains(object)) return object;
    }
    return HeapObjects::kNone;
  }

  void addTo(const std::vector<Gap>& gaps, const Segment& segment) {
    std::map<GroupKey, bool> touched;
    for (const Gap& gap : gaps) {
      const Generation generation = segment.generationOf(gap.start);
      // The youngest objects are allocated into gaps; only a pin makes one last.
      if (generation == Generation::Gen0 && gap.pinned == HeapObjects::kNone) continue;
      const bool isLarge = generation == Generation::Large || generation == Generation::Pinned;
      const bool isByPin = gap.pinned != HeapObjects::kNone && !isLarge;
      const GroupKey key{generation, segment.heap, isByPin ? m_heap.typeOf(gap.pinned).value : TypeId::kNone};
      GapGroup& group = m_groups[key];
      group.gaps.push_back(gap);
      group.bytes += gap.bytes;
      if (touched.try_emplace(key).second) group.ofBytes += segment.objects.sizeBytes();
    }
  }

  void describe(const GroupKey& key, GapGroup& group, FoundInsights& all) const {
    const auto& [generation, heap, pinnedType] = key;
    const bool isByPin = pinnedType != TypeId::kNone;
    const bool isSmall = generation != Generation::Large && generation != Generation::Pinned;
    if (isSmall && !isByPin && group.bytes < Fragmentation::kMuchUnpinned) return;
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::Fragmentation;
    insight.meaning = isSmall && !isByPin ? InsightMeaning::Held : InsightMeaning::Waste;
    insight.place = nameOf(generation, heap);
    if (isByPin) insight.type = (*m_heap.contents().types)[pinnedType].name;
    insight.subject = isByPin ? insight.place + ", pinned " + insight.type : insight.place;
    insight.title = fmt::format("{} in {} of {}{}: {}% of these segments", sizeText(group.bytes),
                                countOf(group.gaps.size(), "free object"), isSmall ? "" : "the ", insight.subject,
                                percentOf(group.bytes, group.ofBytes));
    insight.advice = adviceOn(generation, isByPin);
    insight.bytes = group.bytes;
    insight.objects = group.gaps.size();
    if (isByPin) insight.methodTable = (*m_heap.contents().types)[pinnedType].methodTable;
    std::vector<Ownership::Share> shares;
    for (const Gap& gap : group.gaps) {
      const std::uint32_t holder = gap.pinned == HeapObjects::kNone ? gap.behind : gap.pinned;
      shares.push_back({holder, gap.bytes});
      insight.items.push_back({gap.start, gap.bytes});
      insight.ids.push_back(gap.object);
    }
    std::ranges::sort(insight.ids);
    insight.owners = m_input.ownership.ownersOf(shares);
    keepCostliest(insight.items);
    nameHolders(group, insight);
    all.insights.push_back(std::move(found));
  }

  void nameHolders(GapGroup& group, Insight& insight) const {
    std::unordered_map<Address, const Gap*> gaps;
    for (const Gap& gap : group.gaps) gaps.emplace(gap.start, &gap);
    for (InsightItem& item : insight.items) {
      const auto gap = gaps.find(item.object);
      if (gap != gaps.end()) item.text = holderText(*gap->second);
    }
    const auto pinned = std::ranges::count_if(group.gaps, [](const Gap& g) { return g.pinned != HeapObjects::kNone; });
    insight.facts.push_back({"Of these before pinned objects", readableCount(static_cast<std::uint64_t>(pinned))});
    insight.facts.push_back({"Size of these segments", sizeText(group.ofBytes)});
  }

  /// "pinned handle 0x… → System.Byte[] at 0x…", "in front of System.Byte[] at 0x…".
  std::string holderText(const Gap& gap) const {
    const std::uint32_t object = gap.pinned == HeapObjects::kNone ? gap.behind : gap.pinned;
    const std::string what = fmt::format("{} at {}", m_heap.typeNameOf(object), toString(m_heap.addressOf(object)));
    const auto pin = m_pins.find(object);
    if (pin == m_pins.end()) return "in front of " + what;
    const RootRow& root = m_heap.contents().retention->roots.roots[pin->second];
    return fmt::format("{} {} → {}", root.name, toString(root.address), what);
  }

  std::string nameOf(Generation generation, std::uint32_t heap) const {
    std::string name = generation == Generation::Large    ? "large object heap"
                       : generation == Generation::Pinned ? "pinned object heap"
                                                          : toString(generation);
    if (m_heap.contents().gc->heaps.size() > 1) name += fmt::format(" of heap {}", heap);
    return name;
  }

  static const char* adviceOn(Generation generation, bool isByPin) {
    if (isByPin)
      return "Pin for a shorter time, or allocate what stays pinned on the pinned object heap: "
             "GC.AllocateArray(length, pinned: true).";
    if (generation == Generation::Large)
      return "Reuse large arrays (ArrayPool), or compact once: GCSettings.LargeObjectHeapCompactionMode = CompactOnce.";
    if (generation == Generation::Pinned) return "Allocate pinned arrays of one size, early, and keep them for reuse.";
    return "The GC did not think moving worth its while; what survives the next collections fills the free objects.";
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  std::stop_token m_stop;
  std::unordered_map<std::uint32_t, std::uint32_t> m_pins;  // index of the root, by ObjectId
  std::map<GroupKey, GapGroup> m_groups;
};

}  // namespace

Outcome<void> Fragmentation::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                  StageProgress& progress, std::stop_token stop) {
  return GapFinder(input, std::move(stop)).find(found, progress);
}

std::unique_ptr<Detector> makeFragmentation() {
  return std::make_unique<Fragmentation>();
}

}  // namespace heapscape::engine
