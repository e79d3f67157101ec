// SPDX-License-Identifier: MIT
#include "layout/advice/layout_difference.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heapscape::engine {
namespace {

std::uint32_t bytesOf(const LayoutField& field) {
  return field.sizeBytes * field.repeat;
}

bool isSamePadding(const Padding& a, const Padding& b) {
  return std::tie(a.offset, a.sizeBytes, a.in, a.isNested) == std::tie(b.offset, b.sizeBytes, b.in, b.isNested);
}

class FieldComparison {
 public:
  /// Two lists of fields that lie at these offsets of the whole; `path` goes before their names.
  void compare(const std::vector<LayoutField>& before, std::uint32_t startBefore, const std::vector<LayoutField>& after,
               std::uint32_t startAfter, const std::string& path) {
    // Several fields of one name, which only crafted metadata has, meet in their order.
    std::multimap<Name, const LayoutField*> unmatched;
    for (const LayoutField& field : before) unmatched.emplace(Name{field.declaringType, field.name}, &field);
    for (const LayoutField& field : after) {
      const auto match = unmatched.find({field.declaringType, field.name});
      if (match == unmatched.end()) {
        add(nullptr, &field, FieldChange::Added, path);
        continue;
      }
      compareMatched(*match->second, startBefore, field, startAfter, path);
      unmatched.erase(match);
    }
    std::vector<const LayoutField*> removed;
    for (const auto& [name, field] : unmatched) removed.push_back(field);
    std::ranges::sort(removed);  // all of one array, so by their order there
    for (const LayoutField* field : removed) add(field, nullptr, FieldChange::Removed, path);
  }

  std::vector<FieldDifference> take() {
    std::ranges::stable_sort(m_fields, [](const FieldDifference& a, const FieldDifference& b) {
      if (!a.offsetAfter || !b.offsetAfter) return a.offsetAfter.has_value() && !b.offsetAfter.has_value();
      return *a.offsetAfter < *b.offsetAfter;
    });
    return std::move(m_fields);
  }

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // declaring type and field

  void compareMatched(const LayoutField& before, std::uint32_t startBefore, const LayoutField& after,
                      std::uint32_t startAfter, const std::string& path) {
    FieldChange change = FieldChange::Same;
    if (before.offset - startBefore != after.offset - startAfter) change = FieldChange::Moved;
    if (bytesOf(before) != bytesOf(after)) change = FieldChange::Resized;
    if (before.typeName != after.typeName) change = FieldChange::Retyped;
    if (path.empty() || change != FieldChange::Same) add(&before, &after, change, path);
    if (change != FieldChange::Retyped)
      compare(before.nested, before.offset, after.nested, after.offset, path + after.name + ".");
  }

  void add(const LayoutField* before, const LayoutField* after, FieldChange change, const std::string& path) {
    const LayoutField& named = after ? *after : *before;
    FieldDifference difference;
    difference.declaringType = named.declaringType;
    difference.name = path + named.name;
    difference.change = change;
    if (before) {
      difference.offsetBefore = before->offset;
      difference.sizeBefore = bytesOf(*before);
      difference.typeBefore = before->typeName;
    }
    if (after) {
      difference.offsetAfter = after->offset;
      difference.sizeAfter = bytesOf(*after);
      difference.typeAfter = after->typeName;
    }
    m_fields.push_back(std::move(difference));
  }

  std::vector<FieldDifference> m_fields;
};

}  // namespace

LayoutDifference compareLayouts(const TypeLayout& before, const TypeLayout& after) {
  const TypeLayout& partBefore = before.unitLayout();
  const TypeLayout& partAfter = after.unitLayout();
  FieldComparison fields;
  fields.compare(partBefore.fields, 0, partAfter.fields, 0, {});
  LayoutDifference difference;
  difference.fields = fields.take();
  difference.instanceBytes = std::int64_t{after.unitBytes()} - before.unitBytes();
  difference.paddingBytes = std::int64_t{partAfter.paddingBytes()} - partBefore.paddingBytes();
  difference.kindChanged = partBefore.effectiveKind != partAfter.effectiveKind;
  const bool sameFields = std::ranges::all_of(
      difference.fields, [](const FieldDifference& field) { return field.change == FieldChange::Same; });
  difference.isSame = sameFields && before.baseSize == after.baseSize && before.valueSize == after.valueSize &&
                      before.componentSize == after.componentSize && before.elementOffset == after.elementOffset &&
                      partBefore.fieldsBytes == partAfter.fieldsBytes &&
                      partBefore.references == partAfter.references &&
                      std::ranges::equal(partBefore.paddings, partAfter.paddings, isSamePadding);
  return difference;
}

}  // namespace heapscape::engine
