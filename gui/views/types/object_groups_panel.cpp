// SPDX-License-Identifier: MIT
#include "views/types/object_groups_panel.h"

#include <QComboBox>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "bridge/release_later.h"
#include "models/query/field_prompt.h"
#include "models/rows/rows_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::ObjectField;

constexpr auto kGroupChannel = "group";
constexpr auto kPickChannel = "pick";

constexpr std::array kGroupFields{
    ObjectField::Type, ObjectField::Namespace, ObjectField::Assembly, ObjectField::Owner,  ObjectField::HeldBy,
    ObjectField::Gen,  ObjectField::Heap,      ObjectField::Segment,  ObjectField::Length, ObjectField::Reachable};
constexpr int kFieldChoice = 1 + static_cast<int>(kGroupFields.size());

struct GroupRow {
  QString name;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

QString groupName(const engine::QueryValue& value) {
  if (value.isUnreadable) return QStringLiteral("unreadable");
  if (value.state == engine::QueryValue::State::Absent) return QStringLiteral("without");
  if (value.flag) return *value.flag ? QStringLiteral("yes") : QStringLiteral("no");
  return fromEngine(engine::toString(value));
}

RowSchema<GroupRow> groupSchema() {
  RowSchema<GroupRow> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Group"), .letters = 24, .stretches = true, .isSearched = true},
       .words = [](const GroupRow& row) { return row.name; }},
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
      m_choice(new QComboBox(this)),
      m_panel(new RowsPanel(bridge, navigator, groupsSetup(), {}, this)) {
  m_choice->setObjectName(QStringLiteral("groupObjects"));
  m_choice->setAccessibleName(QStringLiteral("Group the objects by"));
  m_choice->addItem(QStringLiteral("Not grouped"));
  for (const ObjectField field : kGroupFields) {
    const auto& column = engine::objectsDescription().columns[static_cast<std::size_t>(field)];
    m_choice->addItem(QStringLiteral("By %1").arg(fromEngine(column.title).toLower()));
  }
  m_choice->addItem(QStringLiteral("By a field…"));
  connect(m_choice, &QComboBox::activated, this, &ObjectGroupsPanel::choose);
  connect(m_panel, &RowsPanel::rowPicked, this, &ObjectGroupsPanel::pick);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_panel);
  hide();
}

void ObjectGroupsPanel::choose(int index) {
  if (index == 0) return setField(std::nullopt);
  if (index < kFieldChoice) return setField(engine::referenceTo(kGroupFields[static_cast<std::size_t>(index - 1)]));
  // The choice stays what it was until there is a field.
  m_choice->setCurrentIndex(m_chosen);
  auto* prompt = new FieldPrompt(m_bridge, {}, this);
  connect(prompt, &FieldPrompt::chosen, this, [this](const QString& path) {
    if (m_choice->count() > kFieldChoice + 1) m_choice->removeItem(kFieldChoice + 1);
    m_choice->addItem(QStringLiteral("By %1").arg(path));
    m_choice->setCurrentIndex(kFieldChoice + 1);
    setField(engine::QueryFieldReference{engine::QueryFieldReference::kObjectField, path.toStdString()});
  });
  prompt->popUp(m_choice->mapToGlobal(QPoint(0, m_choice->height())));
}

void ObjectGroupsPanel::setField(const std::optional<engine::QueryFieldReference>& field) {
  m_chosen = m_choice->currentIndex();
  m_field = field;
  setVisible(m_field.has_value());
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
  if (!m_field || !m_found) return;
  m_panel->showWaiting(QStringLiteral("Grouping the objects"));
  if (!engine::isFieldKnown(m_found->snapshot, *m_field)) return m_panel->showLacking();
  m_bridge.askLong(
      this, kGroupChannel,
      [found = m_found, field = *m_field](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
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
  std::vector<GroupRow> rows;
  for (const engine::ObjectGroup& group : m_groups->groups)
    rows.push_back({groupName(group.value), group.objects, group.bytes});
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
