// SPDX-License-Identifier: MIT
#include "values/leaf_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kOverlapName = 200;  // bytes of the name of fields that overlap

class LeafCollector {
 public:
  explicit LeafCollector(const TypeShapes& shapes) : m_shapes(shapes) {}

  void add(const Slot& slot, const std::string& name, std::uint64_t offset, std::size_t depth) {
    if (m_leaves.size() >= kLimits.nestedValues) return;
    const TypeShape* shape = slot.kind == Slot::Kind::ValueType ? m_shapes.find(slot.type) : nullptr;
    const bool isNested = shape && !shape->fields.empty() && shape->kind != TypeShape::Kind::Primitive &&
                          shape->kind != TypeShape::Kind::Enum;
    if (isNested && depth < kLimits.nestingDepth) {
      addFields(*shape, name, offset, depth + 1);
    } else if (slot.sizeBytes) {
      m_leaves.push_back({name, slot.typeName, offset, slot.sizeBytes});
    }
  }

  void addFields(const TypeShape& shape, const std::string& name, std::uint64_t offset, std::size_t depth) {
    if (shape.repeat > 1) {
      const Slot& slot = shape.fields.front().slot;
      for (std::uint64_t i = 0; i < shape.repeat && m_leaves.size() < kLimits.nestedValues; ++i)
        add(slot, fmt::format("{}[{}]", name, i), offset + i * slot.sizeBytes, depth);
      return;
    }
    for (const FieldShape& field : shape.fields)
      add(field.slot, name.empty() ? field.name : name + "." + field.name, offset + field.offset, depth);
  }

  std::vector<LeafField> finish() {
    std::ranges::stable_sort(m_leaves, {}, &LeafField::offset);
    std::vector<LeafField> apart;
    for (LeafField& leaf : m_leaves) {
      if (apart.empty() || leaf.offset >= apart.back().offset + apart.back().sizeBytes) {
        apart.push_back(std::move(leaf));
      } else {
        join(apart.back(), leaf);
      }
    }
    return apart;
  }

 private:
  static void join(LeafField& under, const LeafField& over) {
    const std::uint64_t end = std::max(under.offset + under.sizeBytes, over.offset + over.sizeBytes);
    under.sizeBytes = static_cast<std::uint32_t>(end - under.offset);
    if (under.name.size() < kOverlapName) under.name += " | " + over.name;
    under.typeName.clear();
  }

  const TypeShapes& m_shapes;
  std::vector<LeafField> m_leaves;
};

}  // namespace

std::vector<LeafField> leavesOf(const TypeShapes& shapes, const Slot& slot, const std::string& name) {
  LeafCollector collector(shapes);
  collector.add(slot, name, 0, 0);
  return collector.finish();
}

std::vector<LeafField> leavesOfObject(const TypeShapes& shapes, const MethodTable& type) {
  LeafCollector collector(shapes);
  const TypeShape* level = shapes.find(type.address);
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    collector.addFields(*level, {}, 0, 0);
    level = type.isValueType || !level->type.parent ? nullptr : shapes.find(level->type.parent);
  }
  return collector.finish();
}

}  // namespace heapscape::engine
