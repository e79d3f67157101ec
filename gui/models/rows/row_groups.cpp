// SPDX-License-Identifier: MIT
#include "models/rows/row_groups.h"

#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "models/names/type_name.h"
#include "models/query/field_prompt.h"
#include "models/rows/rows_panel.h"
#include "query/rows/table_query.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kFieldRole = Qt::UserRole + 1;

QString noGroupText() {
  return u"without"_s;
}

constexpr auto kRowGroupsChannel = "groups";
constexpr int kNotGrouped = -1;
constexpr std::array kFieldsOfObjects{engine::ObjectField::Namespace, engine::ObjectField::Gen,
                                      engine::ObjectField::Owner, engine::ObjectField::HeldBy,
                                      engine::ObjectField::Value};

bool canGroupBy(const ColumnSetup& column) {
  if (column.isOfObject) return false;  // is grouped by as a field of the objects
  return isWritten(column.kind) || column.kind == engine::ColumnKind::Id || column.kind == engine::ColumnKind::Address;
}

RowSchema<RowGroup> groupedSchema(const QString& noun, const std::vector<ColumnSetup>& columns) {
  RowSchema<RowGroup> schema;
  schema.columns = {
      {.setup = {.title = u"Group"_s, .letters = 16, .stretches = true, .isSearched = true},
       .words = [](const RowGroup& group) { return group.name.isEmpty() ? u"without"_s : group.name; }},
      {.setup = {.title = noun.left(1).toUpper() + noun.mid(1),
                 .kind = engine::ColumnKind::Count,
                 .bar = ColumnBar::Plain},
       .cell = [](const RowGroup& group) { return std::uint64_t{group.rows.size()}; }},
  };
  const std::vector<std::size_t> added = additiveColumns(columns);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const ColumnSetup& column = columns[added[i]];
    schema.columns.push_back({.setup = {.title = column.title, .tip = column.tip, .kind = column.kind},
                              .cell = [i](const RowGroup& group) { return group.sums[i]; }});
  }
  return schema;
}

}  // namespace

GroupChoice::GroupChoice(EngineBridge& bridge, const QString& name, const QString& noun, QWidget* parent)
    : QComboBox(parent), m_bridge(bridge) {
  setObjectName(name);
  setAccessibleName(u"Group the %1 by"_s.arg(noun));
  connect(this, &QComboBox::activated, this, &GroupChoice::take);
}

void GroupChoice::add(const QString& text, int choice) {
  addItem(text, choice);
}

void GroupChoice::add(engine::ObjectField field) {
  const auto& column = engine::objectsDescription().columns[static_cast<std::size_t>(field)];
  addItem(u"By %1"_s.arg(fromEngine(column.title).toLower()));
  setItemData(count() - 1, static_cast<int>(field), kFieldRole);
}

void GroupChoice::addPrompt() {
  m_prompt = count();
  addItem(u"By a field…"_s);
}

void GroupChoice::choose(engine::ObjectField field) {
  const int index = findData(static_cast<int>(field), kFieldRole);
  if (index < 0 || index == m_current) return;
  setCurrentIndex(index);
  take(index);
}

std::optional<int> GroupChoice::choice() const {
  const QVariant choice = itemData(m_current);
  return choice.isValid() ? std::optional(choice.toInt()) : std::nullopt;
}

void GroupChoice::take(int index) {
  if (index == m_prompt) {
    prompt();
    return;
  }
  if (m_prompt >= 0 && index > m_prompt) {
    takeField(itemData(index, kFieldRole).toString());
    return;
  }
  const QVariant field = itemData(index, kFieldRole);
  m_current = index;
  m_field.reset();
  if (field.isValid()) m_field = engine::referenceTo(static_cast<engine::ObjectField>(field.toInt()));
  Q_EMIT chosen();
}

// The choice stays what it was until there is a field.
void GroupChoice::prompt() {
  setCurrentIndex(m_current);
  auto* prompt = new FieldPrompt(m_bridge, {}, this);
  connect(prompt, &FieldPrompt::chosen, this, [this](const QString& path) {
    if (count() > m_prompt + 1) removeItem(m_prompt + 1);
    addItem(u"By %1"_s.arg(path));
    setItemData(m_prompt + 1, path, kFieldRole);
    takeField(path);
  });
  prompt->popUp(mapToGlobal(QPoint(0, height())));
}

void GroupChoice::takeField(const QString& path) {
  m_current = m_prompt + 1;
  setCurrentIndex(m_current);
  m_field = engine::QueryFieldReference{engine::QueryFieldReference::kObjectField, path.toStdString()};
  Q_EMIT chosen();
}

QString groupName(const engine::QueryValue& value) {
  if (value.isUnreadable) return u"unreadable"_s;
  if (value.state == engine::QueryValue::State::Absent) return noGroupText();
  if (value.flag) return *value.flag ? u"yes"_s : u"no"_s;
  return fromEngine(engine::toString(value));
}

engine::Outcome<std::vector<QString>> groupNames(const engine::Snapshot& snapshot,
                                                 const std::vector<engine::Address>& objects,
                                                 const engine::QueryFieldReference& field, std::stop_token stop) {
  std::vector<QString> names(objects.size(), noGroupText());
  std::vector<std::uint32_t> ids;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto id = objects[i] ? engine::idOfObject(snapshot, objects[i]) : std::nullopt;
    if (!id) continue;
    ids.push_back(*id);
    places.push_back(i);
  }
  const engine::ObjectDescriber describer(snapshot, {field});
  HEAPSCAPE_TRY(const std::vector<engine::FoundObject> found, describer.describe(ids, std::move(stop)));
  for (std::size_t i = 0; i < found.size(); ++i) names[places[i]] = groupName(found[i].columns.front());
  return names;
}

std::vector<std::size_t> additiveColumns(const std::vector<ColumnSetup>& columns) {
  std::vector<std::size_t> added;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].isAdditive && !columns[i].isExtra) added.push_back(i);
  }
  return added;
}

engine::Outcome<std::vector<RowGroup>> groupRows(const RowList& list, const std::vector<std::uint32_t>& order,
                                                 const GroupNameOf& nameOf, const std::stop_token& stop) {
  const auto valueOf = [&](std::size_t place) { return engine::QueryValue::ofText(nameOf(place).toStdString()); };
  HEAPSCAPE_TRY(std::vector<engine::TableGroup> found, engine::groupRows(order, valueOf, stop));
  const std::vector<std::size_t> added = additiveColumns(list.columns());
  std::vector<RowGroup> groups;
  for (engine::TableGroup& each : found) {
    RowGroup& group = groups.emplace_back(
        RowGroup{fromEngine(*each.value.text), std::move(each.rows), std::vector<std::int64_t>(added.size())});
    for (std::size_t sum = 0; sum < added.size(); ++sum) {
      for (const std::uint32_t row : group.rows)
        group.sums[sum] += static_cast<std::int64_t>(list.number(row, added[sum]));
    }
  }
  return groups;
}

RowGroups::RowGroups(EngineBridge& bridge, Navigator& navigator, QString name, QString noun,
                     std::vector<ColumnSetup> columns, bool hasObjects, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_name(std::move(name)),
      m_noun(std::move(noun)),
      m_columns(std::move(columns)),
      m_choice(new GroupChoice(bridge, m_name + u"Group"_s, m_noun, this)) {
  m_choice->add(u"Not grouped"_s, kNotGrouped);
  QStringList titles;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    if (!canGroupBy(m_columns[i]) || m_columns[i].title.isEmpty()) continue;
    titles << m_columns[i].title.toLower();
    m_choice->add(u"By %1"_s.arg(titles.back()), static_cast<int>(i));
  }
  if (hasObjects) {
    for (const engine::ObjectField field : kFieldsOfObjects) {
      const auto& column = engine::objectsDescription().columns[static_cast<std::size_t>(field)];
      if (!titles.contains(fromEngine(column.title).toLower())) m_choice->add(field);
    }
    m_choice->addPrompt();
  }
  connect(m_choice, &GroupChoice::chosen, this, &RowGroups::regroup);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  hide();
}

RowsPanel& RowGroups::panel() {
  if (m_panel) return *m_panel;
  RowsPanelSetup setup;
  setup.name = m_name + u"Groups"_s;
  setup.title = u"Groups of %1"_s.arg(m_noun);
  setup.noun = u"groups"_s;
  setup.filterHint = u"Part of a group's name"_s;
  setup.columns = groupedSchema(m_noun, m_columns).setups();
  m_panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  layout()->addWidget(m_panel);
  connect(m_panel, &RowsPanel::rowPicked, this, [this](std::uint32_t row) {
    if (!m_groups || row >= m_groups->size()) return;
    m_picked = &(*m_groups)[row];
    m_pickedName = m_picked->name;
    Q_EMIT rowsChanged();
  });
  return *m_panel;
}

bool RowGroups::isGrouping() const {
  return m_choice->choice() != kNotGrouped;
}

void RowGroups::regroup() {
  drop();
  setVisible(isGrouping());
  Q_EMIT rowsChanged();
  ask();
}

void RowGroups::group(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order) {
  if (list != m_list) m_picked = nullptr;  // its rows are others
  m_list = std::move(list);
  m_order = std::move(order);
  ask();
}

void RowGroups::drop() {
  m_bridge.stopAsking(this, kRowGroupsChannel);
  m_picked = nullptr;
  m_pickedName.reset();
  m_groups.reset();
}

void RowGroups::clear() {
  drop();
  m_list.reset();
  m_order.clear();
  if (m_panel) m_panel->clear();
}

void RowGroups::ask() {
  if (!isGrouping() || !m_list) return;
  const auto done = [this](engine::Outcome<std::vector<RowGroup>> groups) {
    if (groups) return show(std::move(*groups));
    if (!groups.error().isCancelled()) panel().showFailure(groups.error().error());
  };
  if (const auto& field = m_choice->field()) {
    if (m_bridge.snapshot() && !engine::isFieldKnown(*m_bridge.snapshot(), *field)) {
      panel().showLacking();
      return;
    }
    m_bridge.ask(
        this, kRowGroupsChannel,
        [list = m_list, order = m_order, field = *field](
            const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<std::vector<RowGroup>> {
          const std::vector<engine::Address> all = list->rows().objects();
          std::vector<engine::Address> objects;
          for (const std::uint32_t row : order) objects.push_back(all[row]);
          HEAPSCAPE_TRY(const std::vector<QString> names, groupNames(snapshot, objects, field, stop));
          return groupRows(
              *list, order, [&](std::size_t place) { return names[place]; }, stop);
        },
        done);
    return;
  }
  m_bridge.compute(
      this, kRowGroupsChannel,
      [list = m_list, order = m_order, column = static_cast<std::size_t>(*m_choice->choice())](std::stop_token stop) {
        auto groups = groupRows(
            *list, order, [&](std::size_t place) { return list->plain(order[place], column); }, stop);
        if (!groups) return groups;
        for (RowGroup& group : *groups) group.isOfType = list->columns()[column].kind == engine::ColumnKind::TypeName;
        return groups;
      },
      done);
}

void RowGroups::show(std::vector<RowGroup> groups) {
  m_groups = std::make_shared<const std::vector<RowGroup>>(std::move(groups));
  const auto again =
      std::ranges::find_if(*m_groups, [this](const RowGroup& group) { return group.name == m_pickedName; });
  m_picked = again != m_groups->end() ? &*again : nullptr;
  panel().setRows(makeRowList(*m_groups, groupedSchema(m_noun, m_columns)));
  if (m_pickedName) Q_EMIT rowsChanged();
}

}  // namespace heapscape::gui
