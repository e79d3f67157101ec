// SPDX-License-Identifier: MIT
#include "views/types/object_groups_panel.h"

#include <QVBoxLayout>
#include <array>
#include <utility>

#include "bridge/release_later.h"
#include "models/names/type_name.h"
#include "models/query/query_edit.h"
#include "models/rows/rows_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::ObjectField;

constexpr auto kGroupChannel = "group";
constexpr auto kPickChannel = "pick";
constexpr int kFewestFilterLetters = 14;

constexpr std::array kGroupFields{ObjectField::Type,        ObjectField::Namespace, ObjectField::Assembly,
                                  ObjectField::LoadContext, ObjectField::Owner,     ObjectField::HeldBy,
                                  ObjectField::Gen,         ObjectField::Heap,      ObjectField::Segment,
                                  ObjectField::Length,      ObjectField::Reachable};

RowSchema<engine::ObjectGroup> groupSchema(bool areOfTypes) {
  using Group = engine::ObjectGroup;
  RowSchema<Group> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Group"), .letters = 16, .stretches = true, .isSearched = true},
       .words = [](const Group& group) { return groupName(group.value.get()); }},
      {.setup = {.title = QStringLiteral("Objects"), .look = ColumnLook::Count, .bar = ColumnBar::Plain},
       .number = [](const Group& group) { return group.objects; }},
      {.setup = {.title = QStringLiteral("Bytes"), .look = ColumnLook::Bytes, .bar = ColumnBar::Plain},
       .number = [](const Group& group) { return group.bytes; }},
  };
  if (areOfTypes)
    schema.columns[0].more = [](const Group& group, int role) {
      return cutTypeName(groupName(group.value.get()), role);
    };
  return schema;
}

RowsPanelSetup groupsSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("objectGroups");
  setup.title = QStringLiteral("Groups of objects");
  setup.noun = QStringLiteral("groups");
  setup.filterHint = QStringLiteral("Part of a group's name");
  setup.loading = QStringLiteral("Grouping the objects");
  setup.columns = groupSchema(false).setups();
  return setup;
}

}  // namespace

ObjectGroupsPanel::ObjectGroupsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_choice(new GroupChoice(bridge, QStringLiteral("groupObjects"), QStringLiteral("objects"), this)),
      m_panel(new RowsPanel(bridge, navigator, groupsSetup(), {}, this)) {
  m_choice->add(QStringLiteral("Not grouped"), 0);
  for (const ObjectField field : kGroupFields) m_choice->add(field);
  m_choice->addPrompt();
  connect(m_choice, &GroupChoice::chosen, this, &ObjectGroupsPanel::regroup);
  connect(m_panel, &RowsPanel::rowPicked, this, &ObjectGroupsPanel::pick);
  // Beside the objects, in a small window as well.
  m_panel->findChild<QueryEdit*>()->setMinimumWidth(fontMetrics().averageCharWidth() * kFewestFilterLetters);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_panel);
  hide();
}

void ObjectGroupsPanel::regroup() {
  setVisible(isGrouping());
  drop();
  Q_EMIT fieldChanged();
}

void ObjectGroupsPanel::drop() {
  m_bridge.stopAsking(this, kGroupChannel);
  m_bridge.stopAsking(this, kPickChannel);
  releaseLater(std::exchange(m_groups, nullptr));
  releaseLater(std::exchange(m_picked, nullptr));
}

void ObjectGroupsPanel::clear() {
  drop();
  m_found.reset();
  m_panel->clear();
}

void ObjectGroupsPanel::group(std::shared_ptr<const FoundObjectList> found) {
  drop();
  m_found = std::move(found);
  const auto& field = m_choice->field();
  if (!field || !m_found) return;
  m_panel->showWaiting(QStringLiteral("Grouping the objects"));
  if (!engine::isFieldKnown(m_found->snapshot, *field)) return m_panel->showLacking();
  m_bridge.askLong(
      this, kGroupChannel,
      [found = m_found, field = *field](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                        std::stop_token stop) -> engine::Outcome<Grouped> {
        HEAPSCAPE_TRY(auto groups, engine::groupObjects(snapshot, found->found.ids, field, progress, std::move(stop)));
        return groupedFrom(std::move(groups), field == engine::referenceTo(ObjectField::Type));
      },
      [](const engine::Progress&) {},
      [this](engine::Outcome<Grouped> grouped) {
        if (grouped) return show(std::move(*grouped));
        if (!grouped.error().isCancelled()) m_panel->showFailure(grouped.error().error());
      });
}

// There may be as many as objects, so nothing is copied, and names are made of those in sight.
ObjectGroupsPanel::Grouped ObjectGroupsPanel::groupedFrom(engine::ObjectGroups groups, bool areOfTypes) {
  auto shared = std::make_shared<const engine::ObjectGroups>(std::move(groups));
  RowListOf<engine::ObjectGroup>::Rows rows(shared, &shared->groups);
  return {shared, std::make_shared<RowListOf<engine::ObjectGroup>>(std::move(rows), groupSchema(areOfTypes))};
}

void ObjectGroupsPanel::show(Grouped grouped) {
  m_groups = std::move(grouped.groups);
  m_panel->setRows(std::move(grouped.rows));
}

void ObjectGroupsPanel::pick(std::uint32_t row) {
  if (!m_groups || !m_found) return;
  m_bridge.compute(
      this, kPickChannel,
      [found = m_found, groups = m_groups, row](std::stop_token) -> Objects {
        auto objects = std::make_shared<std::vector<std::uint32_t>>();
        for (std::size_t i = 0; i < groups->groupOf.size(); ++i) {
          if (groups->groupOf[i] == row) objects->push_back(found->found.ids[i]);
        }
        return objects;
      },
      [this](Objects objects) {
        m_picked = std::move(objects);
        Q_EMIT pickedChanged();
      });
}

}  // namespace heapscape::gui
