// SPDX-License-Identifier: MIT
#include "models/rows/group_choice.h"

#include "models/query/field_prompt.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kFieldRole = Qt::UserRole + 1;

QString noGroupText() {
  return u"without"_s;
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

}  // namespace heapscape::gui
