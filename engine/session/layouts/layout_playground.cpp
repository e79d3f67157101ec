// SPDX-License-Identifier: MIT
#include "session/layouts/layout_playground.h"

#include <algorithm>
#include <utility>

#include "base/progress.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/layouts/heap_savings.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

ElementType elementOf(TriedType type) {
  switch (type) {
    case TriedType::Bool:
      return ElementType::Boolean;
    case TriedType::Byte:
      return ElementType::U1;
    case TriedType::Char:
      return ElementType::Char;
    case TriedType::Short:
      return ElementType::I2;
    case TriedType::Int:
      return ElementType::I4;
    case TriedType::Long:
      return ElementType::I8;
    case TriedType::Float:
      return ElementType::R4;
    case TriedType::Double:
      return ElementType::R8;
  }
  return ElementType::I4;
}

/// Fails with BadQuery for fields that the type does not have.
Result<DeclarationChange> changeOf(const TriedDeclaration& tried, const TypeDeclaration& declaration) {
  const auto isField = [&declaration](std::uint32_t field) { return field < declaration.fields.size(); };
  DeclarationChange change;
  change.layoutKind = tried.kind;
  change.pack = tried.pack;
  change.size = tried.size;
  change.order = tried.order;
  for (const auto& [field, type] : tried.types) change.types.emplace(field, elementOf(type));
  const bool areFields = std::ranges::all_of(tried.order, isField) &&
                         std::ranges::all_of(tried.types, [&](const auto& type) { return isField(type.first); });
  if (!areFields) return failure(ErrorCode::BadQuery, "The type has no such field.");
  return change;
}

/// These parts of a heap, and the types that hold them, with the parts that those are made of.
HeapParts partsFor(const HeapParts& all, const std::vector<std::uint32_t>& wanted) {
  HeapParts some;
  std::map<std::uint32_t, std::uint32_t> numbers;
  const auto numberOf = [&](std::uint32_t part) {
    const auto [known, isNew] = numbers.emplace(part, static_cast<std::uint32_t>(some.parts.size()));
    if (isNew) some.parts.push_back({.methodTable = all.parts[part].methodTable});
    return known->second;
  };
  for (const std::uint32_t part : wanted) numberOf(part);
  std::map<std::uint32_t, std::uint32_t> holders;
  for (const std::uint32_t part : wanted) {
    for (const std::uint32_t holder : all.parts[part].holders) {
      const auto [known, isNew] = holders.emplace(holder, static_cast<std::uint32_t>(some.types.size()));
      if (isNew) {
        some.types.push_back(all.types[holder]);
        some.types.back().part = numberOf(all.types[holder].part);
      }
      some.parts[numberOf(part)].holders.push_back(known->second);
    }
  }
  return some;
}

}  // namespace

struct HeapOfType::Parts {
  std::shared_ptr<const Contents> contents;  // that the savings look at
  HeapParts parts;
  std::vector<ArrayLengths> lengths;
  std::vector<std::uint32_t> changed;  // numbers of the parts that the declaration is of
  std::optional<HeapSavings> savings;  // for whoever holds the lock of the layouts
};

HeapOfType::HeapOfType(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

HeapOfType::~HeapOfType() = default;

Result<OwnDeclaration> ownDeclaration(const DeclaredLayouts& layouts, LayoutTypeId type) {
  DeclaredLayouts::Parts& parts = layouts.parts();
  const std::lock_guard lock(parts.mutex);
  const ClosedTypeId subject = parts.subjectOf(closedType(type));
  OwnDeclaration own;
  own.canChange = canBeDeclaredOtherwise(parts, subject);
  if (!own.canChange) return own;
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.declared().declarationOf(subject));
  own.kind = declaration->layoutKind;
  own.pack = declaration->pack;
  own.size = declaration->size;
  for (const FieldDeclaration& field : declaration->fields) {
    own.fields.push_back({std::string(field.name), parts.declared().fieldTypeName(subject, field),
                          field.element == ElementType::Boolean});
  }
  return own;
}

Outcome<std::shared_ptr<const HeapOfType>> heapOfType(const Snapshot& snapshot, const DeclaredLayouts& layouts,
                                                      LayoutTypeId type, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap || !layouts.isOfDump()) return std::shared_ptr<const HeapOfType>();
  StageProgress progress(nullptr, "", 0, 1);
  HEAPSCAPE_TRY(const auto read, heapPartsOf(contents, progress, stop));
  const HeapParts& all = *read;
  auto heap = std::make_unique<HeapOfType::Parts>();
  heap->contents = std::make_shared<const Contents>(contents);

  DeclaredLayouts::Parts& parts = layouts.parts();
  std::vector<std::uint32_t> wanted;
  {
    const std::lock_guard lock(parts.mutex);
    const ClosedType subject = parts.declared().type(parts.subjectOf(closedType(type)));
    for (std::uint32_t part = 0; part < all.parts.size(); ++part) {
      if (part % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto closed = parts.typeOf(all.parts[part].methodTable);
      if (!closed) continue;
      const ClosedType& other = parts.declared().type(*closed);
      if (other.assembly == subject.assembly && other.typeDefRow == subject.typeDefRow) wanted.push_back(part);
    }
  }
  if (wanted.empty()) return std::shared_ptr<const HeapOfType>();
  heap->parts = partsFor(all, wanted);
  for (std::uint32_t part = 0; part < wanted.size(); ++part) heap->changed.push_back(part);
  std::vector<TypeId> arrays;
  for (const HoldingType& holder : heap->parts.types) {
    if (holder.isArray) arrays.push_back(holder.type);
  }
  // Not under the lock, which other threads may wait for while this one waits for them.
  HEAPSCAPE_TRY(heap->lengths, readArrayLengths(*heap->contents, arrays, stop));

  const std::lock_guard lock(parts.mutex);
  std::vector<ClosedTypeId> closed;
  for (const HeapPart& part : heap->parts.parts)
    closed.push_back(parts.typeOf(part.methodTable).value_or(ClosedTypeId{}));
  heap->savings.emplace(*heap->contents->heap, heap->parts, std::move(closed), heap->lengths, parts.rules());
  HEAPSCAPE_CHECK(heap->savings->measure(stop));
  return std::make_shared<const HeapOfType>(std::move(heap));
}

Result<TriedLayout> tryDeclaration(const DeclaredLayouts& layouts, LayoutTypeId type, const TriedDeclaration& tried,
                                   const HeapOfType* heap) {
  DeclaredLayouts::Parts& parts = layouts.parts();
  const std::lock_guard lock(parts.mutex);
  const ClosedTypeId subject = parts.subjectOf(closedType(type));
  DeclarationChange change;
  if (canBeDeclaredOtherwise(parts, subject)) {
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.declared().declarationOf(subject));
    HEAPSCAPE_TRY(change, changeOf(tried, *declaration));
  }
  TriedLayout answer;
  HEAPSCAPE_TRY(answer.layout, layOutAs(parts, closedType(type), change));
  if (!heap) return answer;
  HeapOfType::Parts& onHeap = heap->parts();
  HeapSavings::Changes changes;
  for (const std::uint32_t part : onHeap.changed) changes.emplace(part, change);
  answer.savedOnHeap = onHeap.savings->savedBy(changes);
  return answer;
}

}  // namespace heapscape::engine
