// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "base/count_text.h"
#include "insight/detectors/box_collections.h"
#include "insight/insight_groups.h"
#include "insight/object_scan.h"
#include "session/objects/string_grouping.h"
#include "values/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kValueOffset = 8;  // in a box: behind the method table pointer
constexpr std::size_t kShownValues = 3;

struct Box {
  std::uint64_t key = 0;  // the value itself if it is as small as this, else a hash of it
  std::uint32_t object = 0;
  std::uint32_t type = 0;  // TypeId
  bool isFramework = false;
};

/// Boxes [first, first + count) hold the same value.
struct EqualBoxes {
  std::size_t first = 0, count = 0;
};

class BoxFinder : public ObjectVisitor {
 public:
  explicit BoxFinder(const InsightInput& input)
      : m_input(input), m_values({.readers = *input.contents.readers}), m_valueBytes(boxTypes(input)) {}

  std::vector<std::uint8_t> wantedTypes() const override {
    std::vector<std::uint8_t> isWanted(m_valueBytes.size());
    for (std::size_t i = 0; i < isWanted.size(); ++i) isWanted[i] = m_valueBytes[i] != 0;
    return isWanted;
  }
  void begin(std::span<const ScanPiece> pieces) override { m_seen.resize(pieces.size()); }
  void visit(std::size_t piece, const ScannedObject& object) override {
    const std::uint32_t size = m_valueBytes[object.facts.type.value];
    Bytes value;
    if (!trySlice(object.bytes, kValueOffset, size, value)) return;
    Box box{0, object.id, object.facts.type.value, m_input.ownership.isHeldByFramework(object.id)};
    if (size <= sizeof box.key) {
      std::memcpy(&box.key, value.data(), size);
    } else {
      box.key = hashOfCharacters(value);
    }
    m_seen[piece].push_back(box);
  }

  Outcome<void> find(FoundInsights& found, const std::stop_token& stop) {
    joinBoxes();
    HEAPSCAPE_TRY(m_typeable, findBoxCollections(m_input, m_valueBytes, stop));
    for (auto first = m_boxes.begin(); first != m_boxes.end();) {
      const auto last = std::find_if(first, m_boxes.end(), [&](const Box& box) {
        return box.type != first->type || box.isFramework != first->isFramework;
      });
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      addType(static_cast<std::size_t>(first - m_boxes.begin()), static_cast<std::size_t>(last - first), found);
      first = last;
    }
    return {};
  }

 private:
  Bytes valueOf(const Box& box) const {
    return m_input.contents.memory->prefix(m_input.addressOf(box.object) + kValueOffset, m_valueBytes[box.type]);
  }

  void joinBoxes() {
    for (std::vector<Box>& some : m_seen) {
      m_boxes.insert(m_boxes.end(), some.begin(), some.end());
      some = {};
    }
    std::ranges::sort(m_boxes, {},
                      [](const Box& box) { return std::tuple(box.type, box.isFramework, box.key, box.object); });
  }

  bool areEqual(const Box& a, const Box& b) const {
    if (a.key != b.key) return false;
    if (m_valueBytes[a.type] <= sizeof a.key) return true;
    const Bytes left = valueOf(a), right = valueOf(b);
    return left.size() == right.size() && !left.empty() && std::memcmp(left.data(), right.data(), left.size()) == 0;
  }

  void addType(std::size_t first, std::size_t count, FoundInsights& found) {
    const std::span<const Box> boxes = std::span(m_boxes).subspan(first, count);
    const TypeId type{boxes.front().type};
    InsightGroup group(type, boxes.front().isFramework);
    std::uint64_t inCollections = 0;
    std::vector<std::uint32_t> kept;
    std::vector<EqualBoxes> repeated;
    for (std::size_t i = 0; i < boxes.size();) {
      std::size_t end = i, ordinary = 0;
      std::uint32_t staying = 0;  // the first of the ordinary ones
      for (; end < boxes.size() && areEqual(boxes[i], boxes[end]); ++end) {
        if (const auto typeable = m_typeable.savedOf(boxes[end].object)) {
          ++inCollections;
          group.addAlone(boxes[end].object, *typeable);
        } else if (ordinary++) {
          group.addAlone(boxes[end].object, m_input.bytesOf(boxes[end].object));
        } else {
          staying = boxes[end].object;
        }
      }
      if (ordinary > 1) kept.push_back(staying);
      if (end - i > 1) repeated.push_back({first + i, end - i});
      i = std::max(end, i + 1);
    }
    if (!group.bytes()) return;
    if (group.bytes() < m_input.minimumBytes) {
      ++found.smallInsights;
      found.smallBytes += group.bytes();
      return;
    }
    describe(group, {count, inCollections, std::move(kept)}, std::move(repeated), found);
  }

  struct Counts {
    std::size_t boxes = 0;
    std::uint64_t inCollections = 0;
    std::vector<std::uint32_t> kept;  // one of each value
  };

  void describe(InsightGroup& group, const Counts& counts, std::vector<EqualBoxes> repeated, FoundInsights& found) {
    FoundInsight one =
        group.finish(m_input, InsightKind::BoxedValues, [this](std::uint32_t box) { return textOf(box); });
    Insight& insight = one.insight;
    insight.objects += counts.kept.size();
    insight.ids.insert(insight.ids.end(), counts.kept.begin(), counts.kept.end());
    std::ranges::sort(insight.ids);
    insight.title = fmt::format("{} of {}", countOf(insight.objects, "needless boxed value"), insight.subject);
    insight.advice = counts.inCollections
                         ? fmt::format(
                               "Keep the values in a collection of {0} rather than of objects (List<{0}>, "
                               "Dictionary<…, {0}>, {0}[]): they need no objects of their own there.",
                               insight.subject)
                         : "Box each value once and use that object again (a static readonly field, a small cache), or "
                           "make what takes them generic.";
    insight.facts = {{"Boxes of this type", readableCount(counts.boxes)},
                     {"In collections of nothing else", readableCount(counts.inCollections)}};
    const std::size_t shown = std::min(kShownValues, repeated.size());
    std::ranges::partial_sort(repeated, repeated.begin() + static_cast<std::ptrdiff_t>(shown), {},
                              [](const EqualBoxes& equal) { return std::pair(~equal.count, equal.first); });
    std::vector<std::string> values;
    for (const EqualBoxes& equal : std::span(repeated).first(shown))
      values.push_back(fmt::format("{} ({} times)", textOf(m_boxes[equal.first].object), readableCount(equal.count)));
    if (!values.empty()) insight.facts.push_back({"Most frequent", fmt::format("{}", fmt::join(values, ", ")), true});
    found.insights.push_back(std::move(one));
  }

  std::string textOf(std::uint32_t box) const {
    const TypeRow& type = m_input.row({m_input.objectTypes[box]});
    return m_values.readValue(type.methodTable, m_input.addressOf(box) + kValueOffset).value.text;
  }

  const InsightInput& m_input;
  ValueReader m_values;
  std::vector<std::uint32_t> m_valueBytes;  // by TypeId: of a boxed value; 0 for all that is none
  std::vector<Box> m_boxes;                 // by type, the framework's behind the program's, then by value
  std::vector<std::vector<Box>> m_seen;     // by piece
  BoxCollections m_typeable;
};

/// BoxedValues, an insight for each type of value.
class BoxedValues : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::BoxedValues}; }
  ObjectVisitor* visitor(const InsightInput& input) override { return &m_finder.emplace(input); }
  Outcome<void> find(const InsightInput&, FoundInsights& found, FindingList&, StageProgress&,
                     std::stop_token stop) override {
    return m_finder->find(found, stop);
  }

 private:
  std::optional<BoxFinder> m_finder;
};

}  // namespace

std::unique_ptr<Detector> makeBoxedValues() {
  return std::make_unique<BoxedValues>();
}

}  // namespace heapscape::engine
