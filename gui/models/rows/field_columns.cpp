// SPDX-License-Identifier: MIT
#include "models/rows/field_columns.h"

#include <QHeaderView>
#include <QMenu>
#include <QSettings>

#include "models/query/field_prompt.h"
#include "models/rows/header_columns.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_schema.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

QString fieldsKey(const QString& list) {
  return u"fields/"_s + list;
}

}  // namespace

engine::QueryFieldReference fieldOfPath(const QString& path) {
  return {engine::QueryFieldReference::kObjectField, path.toStdString()};
}

ColumnSetup fieldSetup(const QString& path) {
  return {.field = engine::toString(fieldOfPath(path), engine::objectSchema()),
          .title = path,
          .tip = u"What the objects' field %1 holds"_s.arg(path),
          .letters = 18,
          .holdsContents = true,
          .isOfObject = true};
}

QString fieldWords(const engine::QueryValue& value) {
  if (value.isUnreadable) return u"unreadable"_s;
  if (value.flag) return *value.flag ? u"yes"_s : u"no"_s;
  return fromEngine(engine::toString(value));
}

QVariant fieldAlignment(const engine::QueryValue& value, int role) {
  const bool isNumber = value.number && !value.text && !value.isAddress;
  if (role != Qt::TextAlignmentRole || !isNumber) return {};
  return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
}

FieldColumns::FieldColumns(EngineBridge& bridge, RowsTable& table, const QString& list)
    : QObject(&table), m_bridge(bridge), m_table(table), m_key(fieldsKey(list)), m_paths(kept(list)) {
  table.columns().setMore([this](QMenu& menu, int section) { fill(menu, section); });
}

QStringList FieldColumns::kept(const QString& list) {
  return QSettings().value(fieldsKey(list)).toStringList();
}

void FieldColumns::change(const QStringList& paths) {
  m_paths = paths;
  QSettings().setValue(m_key, m_paths);
  Q_EMIT changed();
}

void FieldColumns::add(const QString& path) {
  if (path.isEmpty()) return;
  if (!m_paths.contains(path)) change(m_paths + QStringList{path});
  m_table.columns().setShown(m_table.sectionOf(fieldSetup(path).field), true);
}

void FieldColumns::remove(const QString& path) {
  QStringList paths = m_paths;
  if (paths.removeAll(path) > 0) change(paths);
}

void FieldColumns::fill(QMenu& menu, int section) {
  for (const QString& path : m_paths) {
    if (section < 0 || m_table.sectionOf(fieldSetup(path).field) != section) continue;
    menu.addAction(u"Remove “%1”"_s.arg(path), this, [this, path] { remove(path); });
  }
  menu.addAction(u"Add a field…"_s, this, &FieldColumns::prompt);
}

void FieldColumns::prompt() {
  auto* prompt = new FieldPrompt(m_bridge, m_typeText, &m_table);
  connect(prompt, &FieldPrompt::chosen, this, &FieldColumns::add);
  prompt->popUp(m_table.mapToGlobal(QPoint(0, m_table.horizontalHeader()->height())));
}

}  // namespace heapscape::gui
