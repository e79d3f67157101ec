// SPDX-License-Identifier: MIT
#include "values/field_path.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

std::uint64_t sizeOf(const TypeShape& declaring, const FieldShape& field) {
  return std::uint64_t{field.slot.sizeBytes} * declaring.repeat;
}

/// Of fields that lie over each other a reference wins.
const FieldShape* fieldAround(const TypeShape& type, std::uint64_t offset) {
  const FieldShape* around = nullptr;
  for (const FieldShape& field : type.fields) {
    if (offset < field.offset || offset - field.offset >= sizeOf(type, field)) continue;
    if (field.slot.kind == Slot::Kind::Reference) return &field;
    if (!around) around = &field;
  }
  return around;
}

/// In the type or one of its bases.
FieldPathPart partAround(const TypeShapes& shapes, const TypeShape& type, std::uint64_t offset) {
  const TypeShape* level = &type;
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (const FieldShape* field = fieldAround(*level, offset)) return {level, field};
    level = type.type.isValueType || !level->type.parent ? nullptr : shapes.find(level->type.parent);
  }
  return {};
}

}  // namespace

std::vector<FieldPathPart> fieldPathAt(const TypeShapes& shapes, const TypeShape& type, std::uint64_t offset) {
  std::vector<FieldPathPart> path;
  const TypeShape* level = &type;
  while (level && path.size() < kLimits.nestingDepth) {
    FieldPathPart part = partAround(shapes, *level, offset);
    if (!part.field) break;
    offset -= part.field->offset;
    const Slot& slot = part.field->slot;
    if (part.declaring->repeat > 1 && slot.sizeBytes) {
      part.element = static_cast<std::uint32_t>(offset / slot.sizeBytes);
      offset %= slot.sizeBytes;
    }
    path.push_back(part);
    level = slot.kind == Slot::Kind::ValueType ? shapes.find(slot.type) : nullptr;
  }
  return path;
}

std::string toString(const std::vector<FieldPathPart>& path) {
  std::string text;
  for (const FieldPathPart& part : path) {
    if (part.element) {
      text += fmt::format("[{}]", *part.element);
    } else {
      if (!text.empty()) text += '.';
      text += csharpFieldName(part.field->name);
    }
  }
  return text;
}

}  // namespace heapscape::engine
