// SPDX-License-Identifier: MIT
#include "views/threads/local_groups.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "models/rows/group_choice.h"

namespace heapscape::gui {

engine::Outcome<std::vector<LocalGroup>> groupLocals(const engine::Snapshot& snapshot,
                                                     const engine::ThreadStackRow& stack,
                                                     const engine::QueryFieldReference& field, std::stop_token stop) {
  std::vector<std::uint32_t> ids;
  std::vector<std::optional<std::size_t>> places;  // among these, of each local
  for (const engine::StackRootRow& local : stack.roots) {
    const auto id = local.object ? engine::idOfObject(snapshot, local.object) : std::nullopt;
    places.push_back(id ? std::optional(ids.size()) : std::nullopt);
    if (id) ids.push_back(*id);
  }
  const engine::ObjectDescriber describer(snapshot, {field});
  HEAPSCAPE_TRY(const std::vector<engine::FoundObject> found, describer.describe(ids, std::move(stop)));

  std::vector<LocalGroup> groups;
  std::unordered_map<QString, std::size_t> known;
  for (std::size_t root = 0; root < places.size(); ++root) {
    const engine::FoundObject* object = places[root] ? &found[*places[root]] : nullptr;
    const QString name = groupName(object ? object->columns.front() : engine::QueryValue());
    const auto [group, isNew] = known.emplace(name, groups.size());
    if (isNew)
      groups.push_back(
          {.name = name, .locals = {}, .isOfType = object && field == engine::referenceTo(engine::ObjectField::Type)});
    groups[group->second].locals.push_back({root, object ? object->row.alignedBytes : 0});
  }
  std::ranges::stable_sort(groups, std::greater(), [](const LocalGroup& group) { return group.locals.size(); });
  return groups;
}

}  // namespace heapscape::gui
