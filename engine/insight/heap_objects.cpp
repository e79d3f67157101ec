// SPDX-License-Identifier: MIT
#include "insight/heap_objects.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kAlwaysPassed = 20'000'000;  // objects, whatever the heap's size: a fraction of a second

}  // namespace

HeapObjects::HeapObjects(const InsightInput& input) : m_input(input), m_contents(input.contents) {}

const TypeRow& HeapObjects::typeRowOf(std::uint32_t object) const {
  static const TypeRow kUnknown{};
  const TypeId type = typeOf(object);
  return type.value < m_contents.types->size() ? (*m_contents.types)[type.value] : kUnknown;
}

bool HeapObjects::dominates(std::uint32_t above, std::uint32_t object) const {
  const std::uint32_t top = tree().numberOf(above);
  const std::uint32_t number = tree().numberOf(object);
  return top && number >= top && number - top < sizes().objects[top];
}

std::vector<TypeId> HeapObjects::typesNamed(std::string_view name) const {
  std::vector<TypeId> types;
  for (std::uint32_t i = 0; i < m_contents.types->size(); ++i) {
    const std::string& type = (*m_contents.types)[i].name;
    if (name.ends_with('<') ? type.starts_with(name) && !type.ends_with(']') : type == name) types.push_back({i});
  }
  return types;
}

std::optional<std::uint64_t> HeapObjects::offsetOf(TypeId type, std::string_view field) {
  if (type.isNone()) return std::nullopt;
  const auto [entry, isNew] = m_offsets.try_emplace({type.value, field});
  if (!isNew) return entry->second;
  const TypeShape* shape = m_input.shapes.find((*m_contents.types)[type.value].methodTable);
  if (!shape) return std::nullopt;
  const InstanceSources all = sources();
  const auto offset = Instance(all, *shape, {}).offsetOf(field);
  if (offset) entry->second = *offset + Instance::kFieldsOffset;
  return entry->second;
}

std::uint32_t HeapObjects::reference(std::uint32_t object, std::string_view field) {
  if (object == kNone) return kNone;
  const auto offset = offsetOf(typeOf(object), field);
  return offset ? referenceAt(object, *offset) : kNone;
}

std::uint32_t HeapObjects::referenceAt(std::uint32_t object, std::uint64_t offset) const {
  Address target;
  return memory().tryRead(addressOf(object) + offset, target) && target ? objectAt(target) : kNone;
}

std::uint32_t HeapObjects::innerReference(std::uint32_t object, std::string_view field, std::string_view inner) {
  const InstanceSources all = sources();
  const auto instance = Instance::at(all, addressOf(object));
  const auto value = instance ? instance->inner(field) : failure(ErrorCode::NotFound, {});
  const auto target = value ? value->reference(inner) : failure(ErrorCode::NotFound, {});
  return target && *target ? objectAt(*target) : kNone;
}

std::vector<std::uint32_t> HeapObjects::rootObjects() const {
  std::vector<std::uint32_t> objects;
  for (const RootRow& root : m_contents.retention->roots.roots) {
    if (const std::uint32_t object = objectAt(root.object); object != kNone) objects.push_back(object);
  }
  return objects;
}

RetainedPartsFinder HeapObjects::partsFinder(std::span<const std::uint32_t> roots, std::uint64_t passes) const {
  return {graph(), tree(), sizes(), roots, std::max(passes * tree().reachedCount(), kAlwaysPassed)};
}

void addParts(const HeapObjects& heap, const RetainedParts& parts, FoundInsight& found) {
  found.insight.bytes += parts.bytes;
  found.dominating.insert(found.dominating.end(), parts.tops.begin(), parts.tops.end());
  for (const std::uint32_t object : parts.alone) found.claims.push_back({object, heap.graph().units[object]});
  if (!parts.isExact) found.insight.facts.push_back({"Bytes", "at least: the rest would have taken too long to find"});
}

void keepCostliest(std::vector<InsightItem>& items) {
  const auto costs = [](const InsightItem& a, const InsightItem& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.object < b.object;
  };
  const std::size_t kept = std::min(items.size(), Insight::kMaximumItems);
  std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(kept), costs);
  items.resize(kept);
}

namespace {

constexpr std::uint64_t kScanPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores

std::vector<ScanPiece> scanPieces(const Contents& contents) {
  const std::vector<Segment>& segments = *contents.segments;
  std::vector<ScanPiece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange& objects = segments[i].objects;
    for (Address start = objects.start; start < objects.end; start += kScanPieceBytes) {
      pieces.push_back({i, {start, std::min(start + kScanPieceBytes, objects.end)}, 0});
      pieces.back().firstObject = contents.heap->index.countBefore({i}, start);
    }
  }
  return pieces;
}

class SharedScan {
 public:
  SharedScan(const InsightInput& input, std::span<ObjectVisitor* const> visitors)
      : m_input(input),
        m_visitors(visitors),
        m_pieces(scanPieces(input.contents)),
        m_objects(objectsOfAll(*input.contents.memory, input.contents.heap->index, input.contents.heap->types,
                               *input.contents.segments)),
        m_visitorsOf(input.contents.types->size()) {
    assert(visitors.size() <= 8 * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < visitors.size(); ++i) {
      const std::vector<std::uint8_t> isWanted = visitors[i]->wantedTypes();
      for (std::size_t type = 0; type < isWanted.size(); ++type) m_visitorsOf[type] |= isWanted[type] ? 1u << i : 0;
      visitors[i]->begin(m_pieces);
    }
  }

  bool run(const std::function<void(double)>& tell, const std::stop_token& stop) const {
    CountedProgress counted(m_pieces.size(), tell);
    tbb::parallel_for(std::size_t{0}, m_pieces.size(), [&](std::size_t piece) {
      if (stop.stop_requested()) return;
      look(piece);
      counted.finishOne();
    });
    return !stop.stop_requested();
  }

 private:
  void look(std::size_t piece) const {
    const ScanPiece& part = m_pieces[piece];
    std::uint32_t id = part.firstObject;
    m_input.contents.heap->index.forEachStart({part.segment}, part.range, [&](Address address) {
      const std::uint32_t object = id++;
      const std::uint32_t type = m_input.objectTypes[object];
      const std::uint32_t visitors = type < m_visitorsOf.size() ? m_visitorsOf[type] : 0;
      if (visitors && m_input.isReachable(object)) show(piece, address, {object, {}, {}}, {type}, visitors);
      return true;
    });
  }

  void show(std::size_t piece, Address address, ScannedObject scanned, TypeId type, std::uint32_t visitors) const {
    const SegmentObjects& objects = m_objects[m_pieces[piece].segment];
    if (!objects.tryReadAs(type, m_input.contents.heap->types.shape(type), address, scanned.facts)) return;
    scanned.bytes = objects.bytesOf(scanned.facts);
    scanned.isInPlace = !scanned.bytes.empty();
    MemoryView copy;
    if (!scanned.isInPlace) {
      auto view = m_input.contents.memory->view({address, address + scanned.facts.sizeBytes});
      if (!view) return;
      copy = std::move(*view);
      scanned.bytes = copy.bytes;
    }
    for (; visitors; visitors &= visitors - 1)
      m_visitors[static_cast<std::size_t>(__builtin_ctz(visitors))]->visit(piece, scanned);
  }

  const InsightInput& m_input;
  std::span<ObjectVisitor* const> m_visitors;
  const std::vector<ScanPiece> m_pieces;
  const std::vector<SegmentObjects> m_objects;  // index: SegmentId
  std::vector<std::uint32_t> m_visitorsOf;      // by TypeId, a bit for each visitor
};

}  // namespace

bool visitObjects(const InsightInput& input, std::span<ObjectVisitor* const> visitors,
                  const std::function<void(double)>& tell, const std::stop_token& stop) {
  return visitors.empty() ? !stop.stop_requested() : SharedScan(input, visitors).run(tell, stop);
}

}  // namespace heapscape::engine
