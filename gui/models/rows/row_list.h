// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "bridge/navigator.h"
#include "query/query_value.h"
#include "query/rows/table_query.h"
#include "query/schema.h"
#include "tables/table.h"

namespace heapscape::gui {

/// Bar below a column's figures, as long as the figure is of the column's largest.
enum class ColumnBar { None, Plain, Padding };

/// A share of 1 as a figure.
inline constexpr std::uint32_t kWholeShare = 1'000'000;

/// Said in words, which it is sorted by; else it is a figure or an address.
constexpr bool isWritten(engine::ColumnKind kind) {
  return !isFigure(kind) && kind != engine::ColumnKind::Address;
}

/// A column of a list of whatever rows.
struct ColumnSetup {
  // Name of the column in the engine's description of the list, which then says title, tip, kind, what is searched and
  // what holds contents. Empty for a column that only the window has.
  std::string field = {};
  bool isInWords = false;  // of a figure's field: words stand for the figure
  QString title = {};
  QString tip = {};
  engine::ColumnKind kind = engine::ColumnKind::Text;
  int letters = 0;          // wanted width in average characters; 0 for what the kind needs
  bool stretches = false;   // takes the room that is left; one column of a list
  bool isNamed = false;     // of the room that is left, what its names want comes first; as of each TypeName
  bool hidesZero = false;   // a figure of 0 is left blank
  bool isSearched = false;  // the filter looks into it
  bool isExtra = false;     // not shown until it is asked for
  ColumnBar bar = ColumnBar::None;
  // Strings or values of the dump that HiddenContents does not hide, to be left out where those are. Who says nothing
  // has some if it has words.
  std::optional<bool> holdsContents = {};
  bool isAdditive = false;  // as the described column: a group has the sum of its rows
  bool isOfObject = false;  // told by the object that the row is about, which has to be read

  bool mayHoldContents() const {
    return holdsContents.value_or(kind == engine::ColumnKind::Text || kind == engine::ColumnKind::Words);
  }
};

/// Value of a cell as a figure of the window: a share is in millionths.
std::uint64_t figureOf(const engine::Cell& cell);

/// Text of a cell that is no figure: "yes" and nothing of a flag, for it is read by those that are set.
QString wordsOf(const engine::Cell& cell, engine::ColumnKind kind);

/// With all that the description of a list says of the column's field.
ColumnSetup described(ColumnSetup setup, const engine::TableDescription& table);

/// Where a cell leads: to an object, or else to a type.
struct RowLink {
  engine::Address object = {};
  engine::Address methodTable = {};
  bool isEmpty() const { return !object && !methodTable; }
};

/// A kind of rows, with a chip that shows only these.
struct RowKind {
  QString name = {};
  QString tip = {};
  std::uint64_t rows = 0;
  bool operator==(const RowKind&) const = default;
};

/// A column and what the window adds to its cells: `Of` is a row, or the index of one.
template <class Of>
struct ColumnOfRows {
  template <class Value>
  using From = std::function<Value(Of)>;

  ColumnSetup setup = {};
  From<engine::Cell> cell = {};       // of a column that only the window has, or in place of what is described
  From<QString> words = {};           // what people read, where the cell says it otherwise
  From<engine::Address> object = {};  // where the cell leads
  From<engine::Address> type = {};    // a method table
  From<QString> detail = {};
  From<bool> isWarning = {};
  std::function<QVariant(Of, int role)> more = {};
};
template <class Row>
using RowColumn = ColumnOfRows<const Row&>;

/// Immutable rows of any type as the window sees them: a table, its columns in the order of the window, decorated. Safe
/// to read from any thread, so that the engine thread can sort and filter them.
class RowList {
 public:
  using Column = ColumnOfRows<std::uint32_t>;
  /// `rows`: what the table's rows are made of. `kindOf`, `identity`: of a row, if there are kinds, and if rows are
  /// about something with an address of its own.
  RowList(engine::Table table, std::shared_ptr<const void> rows, std::vector<Column> columns,
          std::vector<RowKind> kinds, std::function<std::size_t(std::uint32_t)> kindOf,
          std::function<engine::Address(std::uint32_t)> identity);

  std::uint32_t size() const { return m_rows.size(); }
  /// Source of a row; `Row` is the type that makeRowList() was given.
  template <class Row>
  const Row& as(std::uint32_t row) const {
    return (*static_cast<const std::vector<Row>*>(m_made.get()))[row];
  }
  const engine::TableDescription& description() const { return *m_rows.table().description; }
  const engine::TableRows& rows() const { return m_rows; }
  const std::vector<ColumnSetup>& columns() const { return m_columns; }
  const std::vector<RowKind>& kinds() const { return m_kinds; }
  std::size_t kindOf(std::uint32_t row) const { return m_kindOf ? m_kindOf(row) : 0; }
  /// Address of what the row is about, where it has one.
  engine::Address identity(std::uint32_t row) const { return m_identity ? m_identity(row) : engine::Address{}; }
  /// Findings of the rows' source.
  const engine::FindingList& findings() const { return m_rows.table().findings; }

  /// Nothing of a column that tells of the rows' objects.
  engine::Cell cell(std::uint32_t row, std::size_t column) const;
  /// Text of a cell; of a figure only where words stand for it.
  QString words(std::uint32_t row, std::size_t column) const;
  /// The number of a figure or an address.
  std::uint64_t number(std::uint32_t row, std::size_t column) const { return figureOf(cell(row, column)); }
  RowLink link(std::uint32_t row, std::size_t column) const;
  /// More than the cell says; empty for none.
  QString detail(std::uint32_t row, std::size_t column) const;
  /// False for a figure that is still to come.
  bool isKnown(std::uint32_t row, std::size_t column) const;
  bool isWarning(std::uint32_t row, std::size_t column) const;
  /// Data that a delegate of the list's own asks for, and what one cell has of its own: a colour, a font.
  QVariant more(std::uint32_t row, std::size_t column, int role) const;

  /// The field of objects that a column tells of; nothing for one of the rows' own.
  const std::optional<engine::QueryFieldReference>& objectField(std::size_t column) const {
    return m_objectFields[column];
  }
  /// These rows with what was read of their objects, and with a column for each of these paths of field("…").
  std::shared_ptr<const RowList> withObjects(engine::TableRows rows, const QStringList& paths) const;
  /// Paths that there are columns of.
  const QStringList& paths() const { return m_paths; }
  /// Characters that all addresses of a column begin with.
  int commonDigits(std::size_t column) const { return m_commonDigits[column]; }

  /// Share of a figure in the largest of its column, from 0 to 1.
  double share(std::uint32_t row, std::size_t column) const;
  /// Whether saved or grown bytes are fewer than none.
  bool isNegative(std::uint32_t row, std::size_t column) const;

  QString display(std::uint32_t row, std::size_t column) const;
  /// The exact value, for copying; empty for a figure that is not known.
  QString plain(std::uint32_t row, std::size_t column) const;
  /// Value that the column is sorted by.
  engine::QueryValue key(std::uint32_t row, std::size_t column) const;
  /// Where the row as a whole leads: to the first object that it links to, else to the first type.
  RowLink target(std::uint32_t row) const;

 private:
  const Column* own(std::size_t column) const { return column < m_own.size() ? &m_own[column] : nullptr; }
  void findObjectFields();
  void summarise();

  engine::TableRows m_rows;
  std::shared_ptr<const void> m_made;
  std::vector<ColumnSetup> m_columns;  // those of the paths stand behind the list's own
  std::vector<Column> m_own;
  std::vector<std::optional<engine::QueryFieldReference>> m_objectFields;  // of each column
  QStringList m_paths;
  std::vector<RowKind> m_kinds;
  std::function<std::size_t(std::uint32_t)> m_kindOf;
  std::function<engine::Address(std::uint32_t)> m_identity;
  std::vector<int> m_commonDigits;
  std::vector<std::int64_t> m_most;  // by column; 0 where there are no bars
};

/// A column that only the window has as one of a table with these; "kind" for the chips of such a list.
engine::ListColumn windowColumn(const ColumnSetup& setup, const engine::TableDescription& before);
engine::ListColumn kindColumn(const std::vector<RowKind>& kinds);

/// How rows of one type are shown.
template <class Row>
struct RowSchema {
  const engine::TableOf<Row>* table = nullptr;  // how the engine describes the list, if it does
  std::vector<RowColumn<Row>> columns = {};
  std::vector<RowKind> kinds = {};  // none for rows that are all alike
  std::function<std::size_t(const Row&)> kindOf = {};
  std::function<engine::Address(const Row&)> identity = {};

  /// This schema with these columns alone, by their fields, in this order.
  RowSchema only(const std::vector<std::string>& fields) const {
    RowSchema fewer = *this;
    fewer.columns.clear();
    for (const std::string& field : fields) {
      for (const RowColumn<Row>& column : columns) {
        if (column.setup.field == field) fewer.columns.push_back(column);
      }
    }
    return fewer;
  }
  /// This schema with all that the engine describes: columns not named stand behind, until asked for.
  RowSchema withExtra() const {
    RowSchema all = *this;
    for (std::size_t i = 0; table && i < table->description().columns.size(); ++i) {
      const bool isNamed = std::ranges::any_of(
          columns, [&](const RowColumn<Row>& column) { return table->description().find(column.setup.field) == i; });
      if (!isNamed) all.columns.emplace_back().setup = {.field = table->description().columns[i].name, .isExtra = true};
    }
    return all;
  }
  std::vector<ColumnSetup> setups() const {
    std::vector<ColumnSetup> setups;
    for (const RowColumn<Row>& column : withExtra().columns)
      setups.push_back(table ? described(column.setup, table->description()) : column.setup);
    return setups;
  }
  /// The list as the window has it: with its own columns among those that the engine describes, in its order.
  engine::TableOf<Row> asTable() const {
    engine::TableDescription description = table ? table->description() : engine::TableDescription();
    description.columns.clear();
    std::vector<engine::ColumnOf<Row>> all;
    const auto add = [&](engine::ColumnOf<Row> column) {
      description.columns.push_back(column.column);
      all.push_back(std::move(column));
    };
    for (const RowColumn<Row>& column : withExtra().columns) {
      const auto found = table ? table->description().find(column.setup.field) : std::nullopt;
      engine::ColumnOf<Row> read;
      if (found) {
        read = table->columns()[*found];
      } else {
        read.column = windowColumn(column.setup, description);
        read.value = [words = column.words](const Row& row) {
          return words ? engine::Cell(words(row).toStdString()) : engine::Cell();
        };
      }
      if (column.cell) read.value = column.cell;
      add(std::move(read));
    }
    if (!table && kindOf && !description.find("kind"))
      add({.column = kindColumn(kinds), .value = [kinds = kinds, kindOf = kindOf](const Row& row) {
             const std::size_t kind = kindOf(row);
             return kind < kinds.size() ? engine::Cell(kinds[kind].name.toStdString()) : engine::Cell();
           }});
    return {std::make_shared<const engine::TableDescription>(std::move(description)), std::move(all)};
  }
};

template <class Row>
std::shared_ptr<const RowList> makeRowList(std::shared_ptr<const std::vector<Row>> rows, const RowSchema<Row>& schema,
                                           engine::FindingList findings = {}) {
  const auto byIndex = [&rows]<class Value, class... More>(const std::function<Value(const Row&, More...)>& function) {
    std::function<Value(std::uint32_t, More...)> of;
    if (function) of = [rows, function](std::uint32_t row, More... more) { return function((*rows)[row], more...); };
    return of;
  };
  std::vector<RowList::Column> columns;
  const std::vector<ColumnSetup> setups = schema.setups();
  for (const RowColumn<Row>& column : schema.withExtra().columns)
    columns.push_back({.setup = setups[columns.size()],
                       .cell = {},
                       .words = byIndex(column.words),
                       .object = byIndex(column.object),
                       .type = byIndex(column.type),
                       .detail = byIndex(column.detail),
                       .isWarning = byIndex(column.isWarning),
                       .more = byIndex(column.more)});
  return std::make_shared<const RowList>(schema.asTable().with(rows, std::move(findings)), rows, std::move(columns),
                                         schema.kinds, byIndex(schema.kindOf), byIndex(schema.identity));
}

template <class Row>
std::shared_ptr<const RowList> makeRowList(std::vector<Row> rows, const RowSchema<Row>& schema,
                                           engine::FindingList findings = {}) {
  return makeRowList(std::make_shared<const std::vector<Row>>(std::move(rows)), schema, std::move(findings));
}

}  // namespace heapscape::gui
