// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/address.h"
#include "base/figures.h"
#include "base/limits.h"
#include "insight/detectors/struct_candidates.h"
#include "insight/insight_groups.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

/// SingleFieldWrappers, an insight for each class around one field whose objects lie in one field each: the field could
/// lie there itself.
class SingleFieldWrappers : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::SingleFieldWrappers}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

constexpr std::size_t kFewestWrappers = 100;
constexpr std::size_t kMostWrappedFields = 10'000;  // of a type, its base types and all structs inside
constexpr std::size_t kPieceObjects = 4096;

/// A field, of an object or of a struct inside it, that is declared as a wrapper.
struct WrapperSlot {
  std::uint64_t offset = 0;   // from the object's address
  std::uint32_t wrapper = 0;  // TypeId
};

/// A class around one field.
struct Wrapper {
  const FieldShape* field = nullptr;
  StructSize size;
  std::uint64_t objects = 0;                // all that can be reached
  std::uint64_t slots = 0;                  // fields of all objects that are declared as it
  std::vector<std::uint32_t> movable = {};  // ObjectIds of those that one such field alone refers to
  bool isNullable = false;                  // some of the slots hold null, or one that others refer to as well

  /// Bytes that each slot grows by, in whole words, if it holds the field rather than a reference.
  std::uint64_t growthOfSlot() const {
    const std::uint64_t bytes = alignUp(isNullable ? size.nullableBytes() : size.bytes, kPointerBytes);
    return bytes - std::min<std::uint64_t>(bytes, kPointerBytes);
  }
};

class WrapperFinder {
 public:
  WrapperFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input), m_stop(std::move(stop)), m_shapes(input.shapes) {}

  Outcome<void> find(FoundInsights& found) {
    findWrappers();
    if (m_wrappers.empty()) return {};
    findSlots();
    HEAPSCAPE_CHECK(lookAtObjects());
    for (auto& [type, wrapper] : m_wrappers) {
      const bool isRule = wrapper.movable.size() * 10 >= wrapper.objects * 9;
      if (wrapper.movable.size() >= kFewestWrappers && isRule) save({type}, wrapper);
    }
    const auto describe = [&](Insight& insight, const InsightGroup& group) { this->describe(insight, group); };
    m_groups.finish(m_input, InsightKind::SingleFieldWrappers, describe, found);
    return {};
  }

 private:
  void findWrappers() {
    const std::vector<StructSize> sizes = structCandidates(m_input, kFewestWrappers);
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      const TypeRow& row = m_input.row({i});
      const bool isCompilers = row.name.find("+<") != std::string::npos;  // closures and the like
      if (!sizes[i].bytes || isCompilers) continue;
      const TypeShape* shape = m_shapes.find(row.methodTable);
      if (shape->fields.size() != 1) continue;
      m_wrappers[i] = Wrapper{.field = &shape->fields.front(), .size = sizes[i]};
      m_named[row.name] = i;
    }
    std::vector<std::uint32_t> endless;
    for (const auto& [type, wrapper] : m_wrappers) {
      if (isAroundItself(type)) endless.push_back(type);
    }
    for (const std::uint32_t type : endless) {
      m_named.erase(m_input.row({type}).name);
      m_wrappers.erase(type);
    }
  }

  /// Around another wrapper that is around this one, say: no struct could be.
  bool isAroundItself(std::uint32_t type) const {
    std::uint32_t at = type;
    for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
      const auto inside = m_named.find(m_wrappers.at(at).field->slot.typeName);
      if (inside == m_named.end()) return false;
      if (inside->second == type) return true;
      at = inside->second;
    }
    return true;
  }

  void findSlots() {
    const auto& rows = *m_input.contents.types;
    m_slots.resize(rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (rows[i].isFree || rows[i].componentSize) continue;
      const TypeShape* shape = m_shapes.find(rows[i].methodTable);
      std::size_t fieldsLeft = kMostWrappedFields;
      for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
        addSlots(*shape, {Instance::kFieldsOffset, 0, fieldsLeft}, m_slots[i]);
        shape = shape->type.parent ? m_shapes.find(shape->type.parent) : nullptr;
      }
    }
  }

  /// Where the fields of a type begin in an object, and how many more may be looked at: damaged types may have no end.
  struct Place {
    std::uint64_t offset;
    std::size_t depth;
    std::size_t& fieldsLeft;
  };

  void addSlots(const TypeShape& shape, Place place, std::vector<WrapperSlot>& slots) {
    for (const FieldShape& field : shape.fields) {
      if (!place.fieldsLeft) return;
      --place.fieldsLeft;
      const std::uint64_t offset = place.offset + field.offset;
      if (field.slot.kind == Slot::Kind::Reference) {
        const auto wrapper = m_named.find(field.slot.typeName);
        if (wrapper != m_named.end()) slots.push_back({offset, wrapper->second});
      } else if (field.slot.kind == Slot::Kind::ValueType && place.depth < kLimits.nestingDepth) {
        const TypeShape* nested = m_shapes.find(field.slot.type);
        if (nested && nested->kind == TypeShape::Kind::Struct)
          addSlots(*nested, {offset, place.depth + 1, place.fieldsLeft}, slots);
      }
    }
  }

  Outcome<void> lookAtObjects() {
    std::vector<Wrapper*> wrapperOf(m_slots.size());
    for (auto& [type, wrapper] : m_wrappers) wrapperOf[type] = &wrapper;
    std::vector<std::uint32_t> objects;
    for (std::uint32_t object = 0; object < m_input.objectTypes.size(); ++object) {
      const std::uint32_t type = m_input.objectTypes[object];
      if (type >= m_slots.size() || (!wrapperOf[type] && m_slots[type].empty()) || !m_input.isReachable(object))
        continue;
      for (const WrapperSlot& slot : m_slots[type]) ++wrapperOf[slot.wrapper]->slots;
      if (wrapperOf[type]) objects.push_back(object);
    }
    const std::vector<std::uint32_t> referrers = onlyReferrersOf(objects);
    std::vector<std::uint8_t> canMove(objects.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, objects.size(), kPieceObjects), [&](const auto& piece) {
      if (m_stop.stop_requested()) return;
      for (std::size_t i = piece.begin(); i < piece.end(); ++i) canMove[i] = isMovable(objects[i], referrers[i]);
    });
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      Wrapper& wrapper = *wrapperOf[m_input.objectTypes[objects[i]]];
      ++wrapper.objects;
      if (canMove[i]) wrapper.movable.push_back(objects[i]);
    }
    return {};
  }

  /// By position in `objects`; kNone where there is none or several.
  std::vector<std::uint32_t> onlyReferrersOf(const std::vector<std::uint32_t>& objects) const {
    std::vector<std::uint32_t> referrers(objects.size(), ObjectId::kNone);
    std::vector<std::uint32_t> searched;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (m_input.references.of(objects[i]) != 1 || m_input.ownership.isRooted(objects[i])) continue;
      if (const auto only = m_input.onlyReferrer(objects[i])) {
        referrers[i] = *only;
        continue;
      }
      searched.push_back(objects[i]);
      places.push_back(i);
    }
    const std::vector<std::uint32_t> found = firstReferrersOf(m_input.contents.graph->edges(), searched);
    for (std::size_t i = 0; i < places.size(); ++i) referrers[places[i]] = found[i];
    return referrers;
  }

  bool isMovable(std::uint32_t object, std::uint32_t referrer) const {
    if (referrer == ObjectId::kNone) return false;
    const std::uint32_t holder = m_input.objectTypes[referrer];
    if (holder >= m_slots.size() || hasIdentity(m_input, m_input.addressOf(object))) return false;
    return std::ranges::any_of(m_slots[holder], [&](const WrapperSlot& slot) {
      Address held;
      return slot.wrapper == m_input.objectTypes[object] &&
             m_input.contents.memory->tryRead(m_input.addressOf(referrer) + slot.offset, held) &&
             held == m_input.addressOf(object);
    });
  }

  void save(TypeId type, Wrapper& wrapper) {
    wrapper.isNullable = wrapper.slots != wrapper.movable.size();
    std::uint64_t bytes = 0;
    for (const std::uint32_t object : wrapper.movable) bytes += m_input.bytesOf(object);
    const std::uint64_t growth = wrapper.growthOfSlot() * wrapper.slots;
    if (bytes <= growth) return;
    const std::uint64_t units = (bytes - growth) / 8, count = wrapper.movable.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t object = wrapper.movable[i];
      m_groups.of(m_input, type, object).addAlone(object, (units * (i + 1) / count - units * i / count) * 8);
    }
  }

  void describe(Insight& insight, const InsightGroup& group) const {
    const Wrapper& wrapper = m_wrappers.at(group.type().value);
    insight.title = fmt::format("{} with a single field", countOf(insight.objects, insight.subject + " object"));
    insight.advice = fmt::format(
        "Declare it as a {}struct, or let the field {} lie in the object that refers to it: each needs a header, a "
        "method table pointer and a reference of its own now. Fit where nobody compares, locks or changes them through "
        "two references.",
        wrapper.isNullable ? "nullable " : "readonly ", wrapper.field->name);
    insight.facts = {{"Field", fmt::format("{} {}", wrapper.field->slot.typeName, wrapper.field->name)},
                     {"Bytes of an object", readableCount(m_input.row(group.type()).baseSize)},
                     {"Bytes as a struct", readableCount(wrapper.size.bytes)},
                     {"Objects of this type", readableCount(wrapper.objects)},
                     {"Fields declared as it", readableCount(wrapper.slots)}};
  }

  const InsightInput& m_input;
  std::stop_token m_stop;
  const TypeShapes& m_shapes;
  std::map<std::uint32_t, Wrapper> m_wrappers;    // by TypeId
  std::map<std::string, std::uint32_t> m_named;   // their names
  std::vector<std::vector<WrapperSlot>> m_slots;  // by TypeId of what holds them
  GroupsByType m_groups;
};

}  // namespace

Outcome<void> SingleFieldWrappers::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                        std::stop_token stop) {
  return WrapperFinder(input, std::move(stop)).find(found);
}

std::unique_ptr<Detector> makeSingleFieldWrappers() {
  return std::make_unique<SingleFieldWrappers>();
}

}  // namespace heapscape::engine
