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

constexpr std::array kGroupFields{
    ObjectField::Type, ObjectField::Namespace, ObjectField::Assembly, ObjectField::Owner,  ObjectField::HeldBy,
    ObjectField::Gen,  ObjectField::Heap,      ObjectField::Segment,  ObjectField::Length, ObjectField::Reachable};

struct GroupRow {
  QString name;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  bool isOfType = false;  // the name is that of a type
};

RowSchema<GroupRow> groupSchema() {
  RowSchema<GroupRow> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Group"), .letters = 16, .stretches = true, .isSearched = true},
       .words = [](const GroupRow& row) { return row.name; },
       .more = [](const GroupRow& row, int role) { return row.isOfType ? cutTypeName(row.name, role) : QVariant(); }},
      {.setup = {.title = QStringLiteral("Objects"), .look = ColumnLook::Count, .bar = ColumnBar::Plain},
       .number = [](const GroupRow& row) { return row.objects; }},
      {.setup = {.title = QStringLiteral("Bytes"), .look = ColumnLook::Bytes, .bar = ColumnBar::Plain},
       .number = [](const GroupRow& row) { return row.bytes; }},
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
  setup.columns = groupSchema().setups();
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
                                        std::stop_token stop) {
        return engine::groupObjects(snapshot, found->found.ids, field, progress, std::move(stop));
      },
      [](const engine::Progress&) {},
      [this](engine::Outcome<engine::ObjectGroups> groups) {
        if (groups) return show(std::move(*groups));
        if (!groups.error().isCancelled()) m_panel->showFailure(groups.error().error());
      });
}

void ObjectGroupsPanel::show(engine::ObjectGroups groups) {
  m_groups = std::make_shared<const engine::ObjectGroups>(std::move(groups));
  const bool isOfType = m_choice->field() == engine::referenceTo(ObjectField::Type);
  std::vector<GroupRow> rows;
  for (const engine::ObjectGroup& group : m_groups->groups)
    rows.push_back({groupName(group.value), group.objects, group.bytes, isOfType});
  m_panel->setRows(makeRowList(std::move(rows), groupSchema()));
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
