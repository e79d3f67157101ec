// SPDX-License-Identifier: MIT
#include "views/overview/type_treemap.h"

#include <QObject>
#include <map>

#include "models/names/type_family.h"
#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

struct Smaller {
  std::uint64_t types = 0, objects = 0, bytes = 0;
};

TreemapPart partOf(const SizedType& type) {
  const TypeFamily family = typeFamilyOf(type.name);
  return {.name = shortTypeName(type.name),
          .bytes = type.bytes,
          .sample = [family](const Colours& colours) { return ChipSample{.fill = typeFamilyColour(family, colours)}; },
          .facts = {countedText(type.objects, QStringLiteral("object")), fromEngine(type.name)},
          .parts = {}};
}

TreemapPart partOf(const Smaller& smaller) {
  return {.name = QStringLiteral("%1 smaller").arg(countText(smaller.types)),
          .bytes = smaller.bytes,
          .sample =
              [](const Colours& colours) {
                return ChipSample{.fill = colours.freeSpaceBrush(), .line = QPen(colours.outline(), 1)};
              },
          .facts = {countedText(smaller.objects, QStringLiteral("object"))},
          .parts = {}};
}

}  // namespace

TypeTreemap typeTreemap(const std::vector<SizedType>& types, double smallestShare) {
  std::uint64_t whole = 0;
  for (const SizedType& type : types) whole += type.bytes;
  const auto least = static_cast<std::uint64_t>(static_cast<double>(whole) * smallestShare);
  TypeTreemap treemap;
  std::map<std::string_view, std::size_t> groups;
  std::vector<Smaller> smaller;
  for (const SizedType& type : types) {
    if (type.bytes == 0) continue;
    const std::string_view nameSpace = engine::namespaceOf(type.name);
    const auto [found, isNew] = groups.try_emplace(nameSpace, groups.size());
    const std::size_t group = found->second;
    if (isNew) {
      treemap.groups.push_back(
          {.name = nameSpace.empty() ? QStringLiteral("no namespace") : fromEngine(std::string(nameSpace))});
      treemap.methodTables.emplace_back();
      smaller.emplace_back();
    }
    treemap.groups[group].bytes += type.bytes;
    if (type.bytes >= least) {
      treemap.groups[group].parts.push_back(partOf(type));
      treemap.methodTables[group].push_back(type.methodTable);
    } else {
      ++smaller[group].types;
      smaller[group].objects += type.objects;
      smaller[group].bytes += type.bytes;
    }
  }
  for (std::size_t group = 0; group < smaller.size(); ++group) {
    if (smaller[group].types == 0) continue;
    treemap.groups[group].parts.push_back(partOf(smaller[group]));
    treemap.methodTables[group].push_back({});
  }
  return treemap;
}

}  // namespace heapscape::gui
