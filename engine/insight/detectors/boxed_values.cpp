// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/figures.h"
#include "base/limits.h"
#include "insight/collections/collection_items.h"
#include "insight/detectors/struct_candidates.h"
#include "insight/heap_objects.h"
#include "insight/insight_groups.h"
#include "insight/insight_input.h"
#include "runtime/types/method_tables.h"
#include "session/objects/strings_query.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

/// Boxes in arrays and collections of nothing but boxes of one type, which a typed one would hold without them.
struct BoxCollections {
  /// By ObjectId of a box that nothing but one such collection refers to: its share in what is won back, which is
  /// the bytes of all of them less what the slots would grow by where the value is larger than a reference.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> savedBytes;  // ascending
  std::uint64_t collections = 0;

  /// Nothing for a box that is in none.
  std::optional<std::uint64_t> savedOf(std::uint32_t box) const;
};

/// The keys or the values of a collection, as far as they are boxes of one type.
class BoxColumn {
 public:
  BoxColumn(const InsightInput& input, const TypeShapes& shapes, const std::vector<std::uint32_t>& valueBytes)
      : m_input(input), m_shapes(shapes), m_valueBytes(valueBytes) {}

  /// False if the item is neither null nor a box, or one of another type than those before.
  bool add(Address place) {
    Address box;
    if (!m_input.contents.memory->tryRead(place, box)) return false;
    m_hasNull |= !box;
    if (!box) return true;
    const std::uint32_t object = m_input.contents.heap->index.idOf(box).value;
    const std::uint32_t type = object == kNone ? kNone : m_input.objectTypes[object];
    if (type >= m_valueBytes.size() || !m_valueBytes[type] || (!m_boxes.empty() && type != m_type)) return false;
    m_type = type;
    m_boxes.push_back(object);
    return true;
  }

  bool isEmpty() const { return m_boxes.empty(); }
  /// Bytes that a typed collection needs for each: a Nullable if there are nulls.
  std::uint32_t valueBytes() const {
    const TypeShape* shape = m_hasNull ? m_shapes.find(m_input.row({m_type}).methodTable) : nullptr;
    return shape ? structSizeOf(m_shapes, *shape).nullableBytes() : m_valueBytes[m_type];
  }

  /// `growth`: of all slots together. Nothing is saved if the values would take up more than the boxes do.
  void save(std::uint32_t storage, std::uint64_t growth, BoxCollections& result) {
    std::ranges::sort(m_boxes);
    const auto repeated = std::ranges::unique(m_boxes);
    m_boxes.erase(repeated.begin(), repeated.end());
    keepHeldBy(storage);
    std::uint64_t bytes = 0;
    for (const std::uint32_t box : m_boxes) bytes += m_input.bytesOf(box);
    if (bytes <= growth) return;
    const std::uint64_t left = (bytes - growth) / 8;
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
      result.savedBytes.emplace_back(m_boxes[i], (left * (i + 1) / m_boxes.size() - left * i / m_boxes.size()) * 8);
    ++result.collections;
  }

 private:
  /// Leaves the boxes that nothing but this storage refers to, however often.
  void keepHeldBy(std::uint32_t storage) {
    std::erase_if(m_boxes, [&](std::uint32_t box) {
      const auto only = m_input.onlyReferrer(box);
      return m_input.ownership.isRooted(box) || (only && *only != storage);
    });
    const bool areAllKnown =
        std::ranges::all_of(m_boxes, [&](std::uint32_t box) { return m_input.onlyReferrer(box).has_value(); });
    if (areAllKnown) return;
    std::vector<std::uint64_t> within(m_boxes.size());
    for (const std::uint32_t target : m_input.contents.graph->targetsOf(storage)) {
      const auto box = std::ranges::lower_bound(m_boxes, target);
      if (box != m_boxes.end() && *box == target) ++within[static_cast<std::size_t>(box - m_boxes.begin())];
    }
    std::size_t at = 0;
    std::erase_if(m_boxes, [&](std::uint32_t box) {
      const std::uint64_t references = within[at++];
      return !references || !m_input.isReferredBy(box, references);
    });
  }

  const InsightInput& m_input;
  const TypeShapes& m_shapes;
  const std::vector<std::uint32_t>& m_valueBytes;
  std::uint32_t m_type = kNone;
  bool m_hasNull = false;
  std::vector<std::uint32_t> m_boxes;
};

class BoxCollectionFinder {
 public:
  BoxCollectionFinder(const InsightInput& input, const std::vector<std::uint32_t>& valueBytes, std::stop_token stop)
      : m_input(input),
        m_shapes(input.shapes),
        m_valueBytes(valueBytes),
        m_items(input),
        m_stop(std::move(stop)),
        m_mayHoldBoxes(arraysForBoxes()) {}

  Outcome<BoxCollections> find() const {
    BoxCollections found;
    const auto collections = m_input.collections.collections();
    lookAtAll(
        collections.size(), [&](std::size_t i, BoxCollections& part) { look(collections[i], part); }, found);
    const std::vector<std::uint32_t> arrays = objectArrays();
    const auto lookAtArray = [&](std::size_t i, BoxCollections& part) {
      if (!m_input.collections.isStorage(arrays[i])) look(arrays[i], part);
    };
    lookAtAll(arrays.size(), lookAtArray, found);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    // A box that is key and value of one collection counts once, as the value.
    std::ranges::stable_sort(found.savedBytes, {}, &SavedBox::first);
    const auto isSame = [](const SavedBox& a, const SavedBox& b) { return a.first == b.first; };
    const auto repeated = std::unique(found.savedBytes.rbegin(), found.savedBytes.rend(), isSame);
    found.savedBytes.erase(found.savedBytes.begin(), repeated.base());
    return found;
  }

 private:
  /// By TypeId: whether what is declared for an array's elements is a class that boxes derive from, or an interface.
  std::vector<std::uint8_t> arraysForBoxes() const {
    const MethodTables& methodTables = m_input.contents.readers->methodTables;
    std::set<Address> bases;
    for (std::uint32_t i = 0; i < m_valueBytes.size(); ++i) {
      auto base = m_valueBytes[i] ? methodTables.read(m_input.row({i}).methodTable) : failure(ErrorCode::NotFound, {});
      for (std::size_t depth = 0; base && base->parent && depth < kLimits.parentDepth; ++depth) {
        bases.insert(base->parent);
        base = methodTables.read(base->parent);
      }
    }
    std::vector<std::uint8_t> mayHold(m_valueBytes.size(), 1);
    for (std::uint32_t i = 0; i < mayHold.size(); ++i) {
      if (m_input.row({i}).componentSize != kPointerBytes) continue;
      const auto array = methodTables.read(m_input.row({i}).methodTable);
      if (!array || !array->isSzArray || !array->containsPointers) continue;
      const auto handle = methodTables.arrayElementType(*array);
      const auto element = handle ? methodTables.read(*handle) : tl::unexpected<Error>(handle.error());
      if (element) mayHold[i] = element->isValueType || element->isInterface || bases.contains(*handle);
    }
    return mayHold;
  }

  bool mayHoldBoxes(std::uint32_t storage) const {
    const std::uint32_t type = m_input.objectTypes[storage];
    return type >= m_mayHoldBoxes.size() || m_mayHoldBoxes[type];
  }

  using SavedBox = std::pair<std::uint32_t, std::uint64_t>;

  /// On all cores; what they find stands in order.
  template <class LookAt>
  void lookAtAll(std::size_t count, LookAt lookAt, BoxCollections& found) const {
    constexpr std::size_t kLookedAtOnce = 1 << 14;
    std::vector<BoxCollections> parts((count + kLookedAtOnce - 1) / kLookedAtOnce);
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
      if (m_stop.stop_requested()) return;
      const std::size_t first = part * kLookedAtOnce;
      for (std::size_t i = first; i < std::min(count, first + kLookedAtOnce); ++i) lookAt(i, parts[part]);
    });
    for (const BoxCollections& part : parts) {
      found.savedBytes.insert(found.savedBytes.end(), part.savedBytes.begin(), part.savedBytes.end());
      found.collections += part.collections;
    }
  }

  std::vector<std::uint32_t> objectArrays() const {
    std::vector<TypeId> types;
    for (std::uint32_t i = 0; i < m_input.contents.types->size(); ++i) {
      if (m_input.row({i}).name == "System.Object[]") types.push_back({i});
    }
    return m_input.objectsOf(types);
  }

  void look(const SurveyedCollection& collection, BoxCollections& found) const {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    const bool isInArray = type.form == CollectionForm::Items || type.form == CollectionForm::Entries ||
                           type.form == CollectionForm::Buckets;
    if (!collection.count || !isInArray || !mayHoldBoxes(collection.storage[0])) return;
    if (type.valueBytes == kPointerBytes) lookAt(collection, &SurveyedItem::value, found);
    if (type.keyBytes == kPointerBytes) lookAt(collection, &SurveyedItem::key, found);
  }

  void lookAt(const SurveyedCollection& collection, Address SurveyedItem::*place, BoxCollections& found) const {
    BoxColumn column(m_input, m_shapes, m_valueBytes);
    bool areBoxes = true;
    const bool isWhole = m_items.forEach(collection, [&](const SurveyedItem& item) {
      areBoxes = column.add(item.*place);
      return areBoxes;
    });
    if (!isWhole || !areBoxes || column.isEmpty()) return;
    const std::uint32_t storage = collection.storage[0];
    const CollectionForm form = m_input.collections.typeOf(collection).form;
    column.save(storage,
                form == CollectionForm::Items ? growthOfArray(storage, collection.capacity, column.valueBytes())
                                              : growthOfEntries(collection.capacity, column.valueBytes()),
                found);
  }

  void look(std::uint32_t array, BoxCollections& found) const {
    BoxColumn column(m_input, m_shapes, m_valueBytes);
    std::uint32_t length = 0;
    if (!m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, length)) return;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (!column.add(m_input.addressOf(array) + kElementsOffset + i * kPointerBytes)) return;
    }
    if (!column.isEmpty()) column.save(array, growthOfArray(array, length, column.valueBytes()), found);
  }

  std::uint64_t growthOfArray(std::uint32_t array, std::uint64_t slots, std::uint64_t valueBytes) const {
    constexpr std::uint64_t kBaseBytes = 24;  // of an array without elements
    const std::uint64_t then = alignUp(kBaseBytes + slots * valueBytes, 8);
    return then - std::min(then, m_input.bytesOf(array));
  }

  static std::uint64_t growthOfEntries(std::uint64_t slots, std::uint64_t valueBytes) {
    return slots * (alignUp(std::max<std::uint64_t>(valueBytes, kPointerBytes), 8) - kPointerBytes);
  }

  const InsightInput& m_input;
  const TypeShapes& m_shapes;
  const std::vector<std::uint32_t>& m_valueBytes;
  CollectionItems m_items;
  std::stop_token m_stop;
  std::vector<std::uint8_t> m_mayHoldBoxes;  // by TypeId
};

/// By TypeId: bytes of the value in a boxed object; 0 for types that are not boxes.
std::vector<std::uint32_t> boxTypes(const InsightInput& input) {
  const MethodTables& methodTables = input.contents.readers->methodTables;
  std::vector<std::uint32_t> valueBytes(input.contents.types->size());
  for (std::uint32_t i = 0; i < valueBytes.size(); ++i) {
    const TypeRow& row = input.row({i});
    if (row.isFree || row.componentSize) continue;
    const auto type = methodTables.read(row.methodTable);
    if (type && type->isValueType) valueBytes[i] = methodTables.valueSize(*type).value_or(0);
  }
  return valueBytes;
}

std::optional<std::uint64_t> BoxCollections::savedOf(std::uint32_t box) const {
  const auto saved = std::ranges::lower_bound(savedBytes, box, {}, &std::pair<std::uint32_t, std::uint64_t>::first);
  return saved != savedBytes.end() && saved->first == box ? std::optional(saved->second) : std::nullopt;
}

Outcome<BoxCollections> findBoxCollections(const InsightInput& input, const std::vector<std::uint32_t>& valueBytes,
                                           const std::stop_token& stop) {
  return BoxCollectionFinder(input, valueBytes, stop).find();
}

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
