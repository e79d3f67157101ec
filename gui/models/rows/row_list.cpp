// SPDX-License-Identifier: MIT
#include "models/rows/row_list.h"

#include <algorithm>
#include <cmath>

#include "models/cells/retained_cell.h"
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

ColumnLook lookOf(engine::ColumnKind kind) {
  switch (kind) {
    case engine::ColumnKind::Text:
    case engine::ColumnKind::Choice:
    case engine::ColumnKind::Flag:
    case engine::ColumnKind::Percent:
    case engine::ColumnKind::Range:
      break;
    case engine::ColumnKind::TypeName:
      return ColumnLook::TypeName;
    case engine::ColumnKind::Words:
      return ColumnLook::Words;
    case engine::ColumnKind::Count:
      return ColumnLook::Count;
    case engine::ColumnKind::Id:
      return ColumnLook::Id;
    case engine::ColumnKind::Bytes:
      return ColumnLook::Bytes;
    case engine::ColumnKind::SavedBytes:
    case engine::ColumnKind::GrownBytes:
      return ColumnLook::SavedBytes;
    case engine::ColumnKind::Share:
      return ColumnLook::Share;
    case engine::ColumnKind::Address:
      return ColumnLook::Address;
  }
  return ColumnLook::Text;
}

}  // namespace

std::uint64_t millionths(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : millionthsOf(static_cast<double>(part) / static_cast<double>(whole));
}

std::uint64_t figureOf(const engine::Cell& cell) {
  const double* share = cell.as<double>();
  return share ? millionthsOf(*share) : cell.number();
}

QString flagText(const engine::Cell& cell) {
  const bool* flag = cell.as<bool>();
  return flag && *flag ? QStringLiteral("yes") : QString();
}

ColumnSetup described(ColumnSetup setup, const engine::TableDescription& table) {
  const auto index = table.find(setup.field);
  if (!index) return setup;
  const engine::ListColumn& column = table.columns[*index];
  if (setup.title.isEmpty()) setup.title = fromEngine(column.title);
  if (setup.tip.isEmpty()) setup.tip = fromEngine(column.meaning).chopped(1);
  if (!setup.isInWords) setup.look = lookOf(column.kind);
  setup.isSearched = column.isSearched;
  setup.hidesZero = setup.hidesZero || column.hidesZero;
  if (!setup.holdsContents) setup.holdsContents = column.holdsContents;
  setup.isAdditive = column.isAdditive;
  setup.isOfObject = column.isOfObject;
  return setup;
}

engine::Address RowList::objectOf(std::uint32_t row) const {
  const engine::Cell object = m_objectColumn ? cell(row, *m_objectColumn) : engine::Cell();
  return object.as<engine::Address>() ? *object.as<engine::Address>() : engine::Address{};
}

void RowList::setObjects(engine::ObjectCells cells, const QStringList& paths) {
  m_objectCells = std::move(cells);
  m_columns.resize(m_columns.size() - static_cast<std::size_t>(m_paths.size()));
  m_paths = paths;
  for (const QString& path : m_paths) m_columns.push_back(fieldSetup(path));
  m_most.resize(m_columns.size());
  m_commonDigits.resize(m_columns.size());
  findObjectFields();
}

QString RowList::objectWords(std::uint32_t row, std::size_t column) const {
  return fieldWords(m_objectCells.value(row, *m_objectFields[column]));
}

QVariant RowList::objectMore(std::uint32_t row, std::size_t column, int role) const {
  return fieldAlignment(m_objectCells.value(row, *m_objectFields[column]), role);
}

void RowList::findObjectFields() {
  const engine::TableDescription* table = description();
  if (table && table->isAboutObjects()) m_objectColumn = table->find(table->object);
  m_objectFields.assign(m_columns.size(), std::nullopt);
  const std::size_t own = m_columns.size() - static_cast<std::size_t>(m_paths.size());
  for (std::size_t column = 0; table && column < m_columns.size(); ++column) {
    if (!m_columns[column].isOfObject) continue;
    m_objectFields[column] = column < own ? engine::referenceTo(engine::ObjectField::Value)
                                          : fieldOfPath(m_paths[static_cast<qsizetype>(column - own)]);
  }
}

void RowList::summarise() {
  findObjectFields();
  for (std::uint32_t row = 0; row < size() && !m_kinds.empty(); ++row) {
    if (const std::size_t kind = kindOf(row); kind < m_kinds.size()) ++m_kinds[kind].rows;
  }
  m_most.assign(m_columns.size(), 0);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (m_columns[column].bar == ColumnBar::None) continue;
    for (std::uint32_t row = 0; row < size(); ++row) {
      m_most[column] = std::max(m_most[column], static_cast<std::int64_t>(number(row, column)));
    }
  }
  m_commonDigits.assign(m_columns.size(), 0);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (m_columns[column].look != ColumnLook::Address) continue;
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
  return value <= 0 ? 0 : static_cast<double>(value) / static_cast<double>(m_most[column]);
}

bool RowList::isNegative(std::uint32_t row, std::size_t column) const {
  return m_columns[column].look == ColumnLook::SavedBytes && static_cast<std::int64_t>(number(row, column)) < 0;
}

QString RowList::display(std::uint32_t row, std::size_t column) const {
  const ColumnSetup& setup = m_columns[column];
  switch (setup.look) {
    case ColumnLook::Text:
    case ColumnLook::TypeName:
    case ColumnLook::Words:
      return isWarning(row, column) ? QStringLiteral("⚠ ") + words(row, column) : words(row, column);
    case ColumnLook::Count:
    case ColumnLook::Id:
    case ColumnLook::Bytes:
    case ColumnLook::SavedBytes:
    case ColumnLook::Share:
    case ColumnLook::Address:
      break;
  }
  if (!isKnown(row, column)) return unknownText();
  if (const QString said = words(row, column); !said.isEmpty()) return said;
  const std::uint64_t value = number(row, column);
  if (value == 0 && (setup.hidesZero || setup.look == ColumnLook::Address)) return {};
  if (setup.look == ColumnLook::Address) return addressText({value});
  if (setup.look == ColumnLook::Id) return QString::number(value);
  if (setup.look == ColumnLook::Share) return percentText(value, kWholeShare);
  if (setup.look == ColumnLook::SavedBytes) return savedBytesText(static_cast<std::int64_t>(value));
  return setup.look == ColumnLook::Bytes ? bytesText(value) : countText(value);
}

QString RowList::plain(std::uint32_t row, std::size_t column) const {
  const ColumnLook look = m_columns[column].look;
  if (isWritten(look)) return words(row, column);
  if (!isKnown(row, column)) return {};
  const std::uint64_t value = number(row, column);
  if (look == ColumnLook::Address) return display(row, column);
  if (look == ColumnLook::SavedBytes) return QString::number(static_cast<std::int64_t>(value));
  return look == ColumnLook::Share ? QString::number(static_cast<double>(value) / kWholeShare) : QString::number(value);
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
