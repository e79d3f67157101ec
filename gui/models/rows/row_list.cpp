// SPDX-License-Identifier: MIT
#include "models/rows/row_list.h"

#include <cmath>
#include <cstdlib>

#include "models/retained_cell.h"
#include "models/rows/field_columns.h"
#include "query/objects/object_schema.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// The nearest one, but neither none nor all of what is not exactly that.
std::uint64_t millionthsOf(double share) {
  if (!(share > 0)) return 0;
  const double nearest = std::round(share * kWholeShare);
  return static_cast<std::uint64_t>(share < 1 ? std::clamp(nearest, 1.0, kWholeShare - 1.0) : nearest);
}

QString figureText(std::uint64_t figure, engine::ColumnKind kind) {
  switch (kind) {
    case engine::ColumnKind::Count:
      return countText(figure);
    case engine::ColumnKind::Bytes:
      return bytesText(figure);
    case engine::ColumnKind::SavedBytes:
    case engine::ColumnKind::GrownBytes:
      return savedBytesText(static_cast<std::int64_t>(figure));
    case engine::ColumnKind::Share:
      return percentText(figure, kWholeShare);
    case engine::ColumnKind::Percent:
      return u"%1%"_s.arg(static_cast<double>(figure) / kWholeShare, 0, 'f', 2);
    case engine::ColumnKind::Address:
      return figure == 0 ? QString() : addressText({figure});
    default:
      return QString::number(figure);
  }
}

}  // namespace

std::uint64_t figureOf(const engine::Cell& cell) {
  const double* share = cell.as<double>();
  return share ? millionthsOf(*share) : cell.number();
}

QString wordsOf(const engine::Cell& cell, engine::ColumnKind kind) {
  if (kind == engine::ColumnKind::Flag) return cell.isEmpty() ? QString() : u"yes"_s;
  return QString::fromStdString(engine::toString(cell));
}

ColumnSetup described(ColumnSetup setup, const engine::TableDescription& table) {
  const auto index = table.find(setup.field);
  if (!index) return setup;
  const engine::ListColumn& column = table.columns[*index];
  if (setup.title.isEmpty()) setup.title = fromEngine(column.title);
  if (setup.tip.isEmpty()) setup.tip = fromEngine(column.meaning).chopped(1);
  if (!setup.isInWords) setup.kind = column.kind;
  setup.isSearched = column.isSearched;
  setup.hidesZero = setup.hidesZero || column.hidesZero;
  if (!setup.holdsContents) setup.holdsContents = column.holdsContents;
  setup.isAdditive = column.isAdditive;
  setup.isOfObject = column.isOfObject;
  return setup;
}

engine::ListColumn windowColumn(const ColumnSetup& setup, const engine::TableDescription& before) {
  std::string name = setup.field.empty() ? engine::queryNameOf(setup.title.toStdString()) : setup.field;
  // A column without words as its title is asked for by its place.
  if (name.empty() || before.find(name)) name += "column" + std::to_string(before.columns.size() + 1);
  return {.name = std::move(name),
          .title = setup.title.toStdString(),
          .meaning = (setup.tip.isEmpty() ? setup.title : setup.tip).toStdString(),
          .kind = setup.kind,
          .isSearched = setup.isSearched,
          .holdsContents = setup.mayHoldContents()};
}

engine::ListColumn kindColumn(const std::vector<RowKind>& kinds) {
  engine::ListColumn column{
      .name = "kind", .title = "Kind", .meaning = "Kind of the row.", .kind = engine::ColumnKind::Choice};
  for (const RowKind& kind : kinds) column.choices.push_back(kind.name.toStdString());
  return column;
}

RowList::RowList(engine::Table table, std::shared_ptr<const void> rows, std::vector<Column> columns,
                 std::vector<RowKind> kinds, std::function<std::size_t(std::uint32_t)> kindOf,
                 std::function<engine::Address(std::uint32_t)> identity)
    : m_rows(std::move(table)),
      m_made(std::move(rows)),
      m_own(std::move(columns)),
      m_kinds(std::move(kinds)),
      m_kindOf(std::move(kindOf)),
      m_identity(std::move(identity)) {
  for (const Column& column : m_own) m_columns.push_back(column.setup);
  findObjectFields();
  summarise();
}

std::shared_ptr<const RowList> RowList::withObjects(engine::TableRows rows, const QStringList& paths) const {
  auto same = std::make_shared<RowList>(*this);
  same->m_rows = std::move(rows);
  same->m_columns.resize(m_own.size());
  same->m_paths = paths;
  for (const QString& path : paths) same->m_columns.push_back(fieldSetup(path));
  same->m_most.resize(same->m_columns.size());
  same->m_commonDigits.resize(same->m_columns.size());
  same->findObjectFields();
  return same;
}

void RowList::findObjectFields() {
  m_objectFields.assign(m_columns.size(), std::nullopt);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (!m_columns[column].isOfObject) continue;
    m_objectFields[column] = own(column) ? engine::QueryFieldReference{static_cast<std::uint32_t>(column), {}}
                                         : fieldOfPath(m_paths[static_cast<qsizetype>(column - m_own.size())]);
  }
}

engine::Cell RowList::cell(std::uint32_t row, std::size_t column) const {
  return m_objectFields[column] ? engine::Cell() : m_rows.table().cell(row, column);
}

QString RowList::words(std::uint32_t row, std::size_t column) const {
  if (const auto& field = m_objectFields[column]) return fieldWords(m_rows.value(row, *field));
  const ColumnSetup& setup = m_columns[column];
  if (m_own[column].words) return m_own[column].words(row);
  return isWritten(setup.kind) ? wordsOf(cell(row, column), setup.kind) : QString();
}

RowLink RowList::link(std::uint32_t row, std::size_t column) const {
  RowLink link;
  const Column* decorated = own(column);
  if (decorated && decorated->object) link.object = decorated->object(row);
  if (decorated && decorated->type) link.methodTable = decorated->type(row);
  return link;
}

QString RowList::detail(std::uint32_t row, std::size_t column) const {
  return own(column) && m_own[column].detail ? m_own[column].detail(row) : QString();
}

bool RowList::isKnown(std::uint32_t row, std::size_t column) const {
  return isWritten(m_columns[column].kind) || !cell(row, column).isUnknown();
}

bool RowList::isWarning(std::uint32_t row, std::size_t column) const {
  return own(column) && m_own[column].isWarning && m_own[column].isWarning(row);
}

QVariant RowList::more(std::uint32_t row, std::size_t column, int role) const {
  if (const auto& field = m_objectFields[column]) return fieldAlignment(m_rows.value(row, *field), role);
  return m_own[column].more ? m_own[column].more(row, role) : QVariant();
}

void RowList::summarise() {
  for (std::uint32_t row = 0; row < size() && !m_kinds.empty(); ++row) {
    if (const std::size_t kind = kindOf(row); kind < m_kinds.size()) ++m_kinds[kind].rows;
  }
  m_most.assign(m_columns.size(), 0);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (m_columns[column].bar == ColumnBar::None) continue;
    // What has shrunk is as much of a change as what has grown; what would save less than nothing saves nothing.
    const bool hasLosses = m_columns[column].kind == engine::ColumnKind::GrownBytes;
    for (std::uint32_t row = 0; row < size(); ++row) {
      const auto value = static_cast<std::int64_t>(number(row, column));
      m_most[column] = std::max(m_most[column], hasLosses ? std::abs(value) : value);
    }
  }
  m_commonDigits.assign(m_columns.size(), 0);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (m_columns[column].kind != engine::ColumnKind::Address) continue;
    std::uint64_t lowest = UINT64_MAX;
    std::uint64_t highest = 0;
    for (std::uint32_t row = 0; row < size(); ++row) {
      const std::uint64_t address = number(row, column);
      if (address == 0) continue;
      lowest = std::min(lowest, address);
      highest = std::max(highest, address);
    }
    if (lowest < highest) m_commonDigits[column] = commonPrefix(addressText({lowest}), addressText({highest}));
  }
}

double RowList::share(std::uint32_t row, std::size_t column) const {
  if (m_most[column] <= 0) return 0;
  const auto value = static_cast<std::int64_t>(number(row, column));
  if (value < 0 && m_columns[column].kind != engine::ColumnKind::GrownBytes) return 0;
  return std::fabs(static_cast<double>(value)) / static_cast<double>(m_most[column]);
}

bool RowList::isNegative(std::uint32_t row, std::size_t column) const {
  return isSigned(m_columns[column].kind) && static_cast<std::int64_t>(number(row, column)) < 0;
}

QString RowList::display(std::uint32_t row, std::size_t column) const {
  const ColumnSetup& setup = m_columns[column];
  const QString said = words(row, column);
  if (isWritten(setup.kind)) return isWarning(row, column) ? u"⚠ "_s + said : said;
  const engine::Cell value = cell(row, column);
  if (value.isUnknown()) return unknownText();
  if (!said.isEmpty()) return said;
  if (value.isNothing()) return {};
  return setup.hidesZero && value.isEmpty() ? QString() : figureText(figureOf(value), setup.kind);
}

QString RowList::plain(std::uint32_t row, std::size_t column) const {
  const engine::ColumnKind kind = m_columns[column].kind;
  if (isWritten(kind)) return words(row, column);
  if (!isKnown(row, column)) return {};
  if (kind == engine::ColumnKind::Address) return display(row, column);
  const std::uint64_t value = number(row, column);
  if (isSigned(kind)) return QString::number(static_cast<std::int64_t>(value));
  return kind == engine::ColumnKind::Share ? QString::number(static_cast<double>(value) / kWholeShare)
                                           : QString::number(value);
}

engine::QueryValue RowList::key(std::uint32_t row, std::size_t column) const {
  if (const auto& field = m_objectFields[column]) return m_rows.value(row, *field);
  if (isWritten(m_columns[column].kind))
    return engine::QueryValue::ofText(words(row, column).toCaseFolded().toStdString());
  return engine::queryValueOf(cell(row, column));
}

RowLink RowList::target(std::uint32_t row) const {
  RowLink first;
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const RowLink found = link(row, column);
    if (found.object) return found;
    if (first.isEmpty()) first = found;
  }
  return first;
}

}  // namespace heapscape::gui
