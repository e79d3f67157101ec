// SPDX-License-Identifier: MIT
#include "session/layouts/layout_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/progress.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

using Parts = DeclaredLayouts::Parts;
using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Runs that touch are one: the GCDesc of a derived class keeps its base's apart.
Runs joined(Runs runs) {
  std::ranges::sort(runs);
  Runs whole;
  for (const auto& [offset, bytes] : runs) {
    if (!whole.empty() && whole.back().first + whole.back().second == offset) {
      whole.back().second += bytes;
    } else {
      whole.emplace_back(offset, bytes);
    }
  }
  return whole;
}

std::string figures(std::string_view what, std::uint64_t actual, std::uint64_t computed) {
  return fmt::format("{} {}, by the rules {}", what, actual, computed);
}

/// A list of fields, and the classes that declare them where there are several.
struct Fields {
  const std::vector<LayoutField>& fields;
  std::span<const InheritanceLevel> levels = {};

  /// Not by the name of a class: that of a shared generic type knows its base and values in shared forms only.
  std::size_t levelOf(const LayoutField& field) const {
    const auto level = std::ranges::find(levels, field.declaringType, &InheritanceLevel::typeName);
    return static_cast<std::size_t>(level - levels.begin());
  }
};

std::string differenceOfFields(const Fields& actual, const Fields& computed);

std::string differenceOf(const LayoutField& actual, const LayoutField& computed) {
  if (actual.offset != computed.offset)
    return fmt::format("{}: {}", actual.name, figures("offset", actual.offset, computed.offset));
  if (actual.sizeBytes != computed.sizeBytes)
    return fmt::format("{}: {}", actual.name, figures("size", actual.sizeBytes, computed.sizeBytes));
  if (actual.repeat != computed.repeat)
    return fmt::format("{}: {}", actual.name, figures("elements", actual.repeat, computed.repeat));
  const std::string nested = differenceOfFields({actual.nested}, {computed.nested});
  return nested.empty() ? nested : actual.name + '.' + nested;
}

std::string differenceOfFields(const Fields& actual, const Fields& computed) {
  if (actual.fields.size() != computed.fields.size())
    return figures("fields", actual.fields.size(), computed.fields.size());
  std::map<std::pair<std::size_t, std::string_view>, const LayoutField*> byName;
  for (const LayoutField& field : computed.fields)
    byName.emplace(std::pair(computed.levelOf(field), std::string_view(field.name)), &field);
  for (const LayoutField& field : actual.fields) {
    const auto found = byName.find({actual.levelOf(field), field.name});
    if (found == byName.end())
      return fmt::format("{} of {}: not a field by the rules", field.name, field.declaringType);
    if (std::string difference = differenceOf(field, *found->second); !difference.empty()) return difference;
  }
  return {};
}

std::string referencesText(const Runs& runs) {
  std::string text;
  for (const auto& [offset, bytes] : runs) text += fmt::format("{}{}+{}", text.empty() ? "" : " ", offset, bytes);
  return text.empty() ? "none" : text;
}

/// Empty if both are the same.
std::string differenceOf(const TypeLayout& actual, const TypeLayout& computed) {
  if (actual.valueSize.value_or(0) != computed.valueSize.value_or(0))
    return figures("size", actual.valueSize.value_or(0), computed.valueSize.value_or(0));
  if (std::string fields = differenceOfFields({actual.fields, actual.levels}, {computed.fields, computed.levels});
      !fields.empty())
    return fields;
  if (actual.baseSize != computed.baseSize) return figures("base size", actual.baseSize, computed.baseSize);
  if (actual.componentSize != computed.componentSize)
    return figures("element size", actual.componentSize, computed.componentSize);
  if (actual.elementOffset != computed.elementOffset)
    return figures("first element", actual.elementOffset, computed.elementOffset);
  const Runs references = joined(actual.references);
  const Runs expected = joined(computed.references);
  if (references != expected)
    return fmt::format("references {}, by the rules {}", referencesText(references), referencesText(expected));
  if (actual.elementLayout.empty() || computed.elementLayout.empty()) return {};
  const std::string element = differenceOf(actual.elementLayout.front(), computed.elementLayout.front());
  return element.empty() ? element : "element: " + element;
}

class LayoutChecker {
 public:
  LayoutChecker(const Snapshot& snapshot, Parts& parts) : m_snapshot(snapshot), m_parts(parts) {}

  void check(const std::string& name, Address methodTable) {
    // The runtime makes types of continuations by what they have to keep, and no declaration.
    const auto type = m_snapshot.contents().readers->methodTables.read(methodTable);
    if (type && type->isContinuation) return;
    const auto id = m_parts.typeOf(methodTable);
    if (isOpen(id)) return;
    const auto computed = id ? m_parts.rules().layoutOf(*id) : tl::unexpected(id.error());
    const auto actual = readActualLayout(m_snapshot.contents().layoutSources(), methodTable);
    if (!actual || !computed) {
      m_check.notComputed.push_back({name, methodTable, (actual ? computed : actual).error().what});
      return;
    }
    ++m_check.compared;
    std::string difference = differenceOf(*actual, *computed);
    if (difference.empty()) {
      ++m_check.equal;
    } else {
      m_check.different.push_back({name, methodTable, std::move(difference)});
    }
  }

  LayoutCheck take() { return std::move(m_check); }

 private:
  const Snapshot& m_snapshot;
  Parts& m_parts;
  LayoutCheck m_check;
};

}  // namespace

Outcome<LayoutCheck> checkLayouts(const Snapshot& snapshot, const DeclaredLayouts& layouts, bool allLoaded,
                                  std::stop_token stop) {
  std::vector<std::pair<std::string, Address>> types;
  if (allLoaded) {
    HEAPSCAPE_TRY(const std::vector<LoadedType> loaded, loadedTypes(snapshot, stop));
    for (const LoadedType& type : loaded) types.emplace_back(type.name, type.methodTable);
  } else {
    for (const TypeRow& row : snapshot.types()) {
      if (!row.isFree) types.emplace_back(row.name, row.methodTable);
    }
  }
  Parts& parts = layouts.parts();
  const std::lock_guard lock(parts.mutex);
  LayoutChecker checker(snapshot, parts);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    checker.check(types[i].first, types[i].second);
  }
  return checker.take();
}

void addFindings(const LayoutCheck& check, FindingList& findings) {
  for (const LayoutCheck::Row& row : check.different) {
    findings.add(FindingKind::LayoutDiffers, row.methodTable,
                 fmt::format("{} is not laid out as the runtime's rules give it: {}.", row.type, row.what));
  }
}

}  // namespace heapscape::engine
