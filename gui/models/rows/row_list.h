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
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "bridge/navigator.h"
#include "query/objects/object_cells.h"
#include "query/schema.h"
#include "tables/table.h"

namespace heapscape::gui {

/// How a column's cells are written and aligned.
enum class ColumnLook {
  Text,
  TypeName,  // its namespace dimmed
  Words,     // several, parted by commas: drawn as chips
  Count,     // right-aligned, by number
  Id,        // a number that counts nothing, without separators
  Bytes,
  SavedBytes,  // a two's complement, negative where there would be more of them
  Share,       // a part of a whole, in millionths: see millionths()
  Address,     // monospaced, dimmed up to the part that differs
};

/// What a column's figures have below them, as long as the figure is of the column's largest.
enum class ColumnBar { None, Plain, Padding };

/// Sorted by number, written to the right.
constexpr bool isFigure(ColumnLook look) {
  return look == ColumnLook::Count || look == ColumnLook::Id || look == ColumnLook::Bytes ||
         look == ColumnLook::SavedBytes || look == ColumnLook::Share;
}

inline constexpr std::uint32_t kWholeShare = 1'000'000;
/// The nearest; 0 only for nothing and where there is no whole, all of them only for the whole.
std::uint64_t millionths(std::uint64_t part, std::uint64_t whole);

/// Said in words, which it is sorted by.
constexpr bool isWritten(ColumnLook look) {
  return look == ColumnLook::Text || look == ColumnLook::TypeName || look == ColumnLook::Words;
}

/// A column of a list of whatever rows.
struct ColumnSetup {
  // Name of the column in the engine's description of the list, which then says title, tip, look, what is searched and
  // what holds contents. Empty for a column that only the window has.
  std::string field = {};
  bool isInWords = false;  // of a figure's field: words stand for the figure
  QString title = {};
  QString tip = {};
  ColumnLook look = ColumnLook::Text;
  int letters = 0;          // wanted width in average characters; 0 for what the look needs
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

  bool mayHoldContents() const { return holdsContents.value_or(look == ColumnLook::Text || look == ColumnLook::Words); }
};

/// What a cell of the engine's is as a figure of the window: a share is in millionths.
std::uint64_t figureOf(const engine::Cell& cell);

/// "yes" and nothing: a column of flags is read by those that are set.
QString flagText(const engine::Cell& cell);

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

/// Immutable rows of any type as a table sees them. Safe to read from any thread, so that the engine thread can sort
/// and filter them.
class RowList {
 public:
  virtual ~RowList() = default;

  virtual std::uint32_t size() const = 0;
  /// Of Text, TypeName and Words.
  virtual QString words(std::uint32_t row, std::size_t column) const = 0;
  /// Of Count, Id, Bytes, SavedBytes, Share and Address.
  virtual std::uint64_t number(std::uint32_t row, std::size_t column) const = 0;
  virtual RowLink link(std::uint32_t row, std::size_t column) const = 0;
  /// More than the cell says; empty for none.
  virtual QString detail(std::uint32_t row, std::size_t column) const = 0;
  /// False for a figure that is still to come.
  virtual bool isKnown(std::uint32_t row, std::size_t column) const = 0;
  virtual bool isWarning(std::uint32_t row, std::size_t column) const = 0;
  /// What a delegate of the list's own asks for, and what one cell has unlike the others of its column: a colour, a
  /// font.
  virtual QVariant more(std::uint32_t row, std::size_t column, int role) const = 0;
  virtual std::size_t kindOf(std::uint32_t row) const = 0;
  /// What the row is about, where that has an address of its own.
  virtual engine::Address identity(std::uint32_t row) const = 0;

  /// The list as the engine describes it; null for one that only the window has.
  virtual const engine::TableDescription* description() const = 0;
  /// What a column of that description holds.
  virtual engine::Cell cell(std::uint32_t row, std::size_t column) const = 0;

  const std::vector<ColumnSetup>& columns() const { return m_columns; }
  const std::vector<RowKind>& kinds() const { return m_kinds; }
  /// The object that a row is about, by the engine's description; 0 for none.
  engine::Address objectOf(std::uint32_t row) const;
  /// What was read of these objects.
  const engine::ObjectCells& objectCells() const { return m_objectCells; }
  /// The field of objects that a column tells of; nothing for one of the rows' own.
  const std::optional<engine::QueryFieldReference>& objectField(std::size_t column) const {
    return m_objectFields[column];
  }
  /// The same rows with what was read of their objects, and with a column for each of these paths of field("…").
  virtual std::shared_ptr<const RowList> withObjects(engine::ObjectCells cells, const QStringList& paths) const = 0;
  /// Of these paths there are columns.
  const QStringList& paths() const { return m_paths; }
  /// What was wrong where the rows came from.
  const engine::FindingList& findings() const { return m_findings; }
  /// Characters that all addresses of a column begin with.
  int commonDigits(std::size_t column) const { return m_commonDigits[column]; }

  /// Of a figure in the largest of its column, from 0 to 1.
  double share(std::uint32_t row, std::size_t column) const;
  /// Of SavedBytes: fewer than none.
  bool isNegative(std::uint32_t row, std::size_t column) const;

  QString display(std::uint32_t row, std::size_t column) const;
  /// The exact value, for copying; empty for a figure that is not known.
  QString plain(std::uint32_t row, std::size_t column) const;
  /// Where the row as a whole leads: to the first object that it links to, else to the first type.
  RowLink target(std::uint32_t row) const;

 protected:
  RowList(std::vector<ColumnSetup> columns, std::vector<RowKind> kinds, engine::FindingList findings)
      : m_columns(std::move(columns)), m_kinds(std::move(kinds)), m_findings(std::move(findings)) {}
  /// Once the rows can be read.
  void summarise();
  void setObjects(engine::ObjectCells cells, const QStringList& paths);
  /// What such a column says, nothing before it was read.
  QString objectWords(std::uint32_t row, std::size_t column) const;
  QVariant objectMore(std::uint32_t row, std::size_t column, int role) const;

 private:
  void findObjectFields();

  std::vector<ColumnSetup> m_columns;
  std::vector<std::optional<engine::QueryFieldReference>> m_objectFields;  // of each column
  std::optional<std::size_t> m_objectColumn;                               // of the description
  engine::ObjectCells m_objectCells;
  QStringList m_paths;
  std::vector<RowKind> m_kinds;
  engine::FindingList m_findings;
  std::vector<int> m_commonDigits;
  std::vector<std::int64_t> m_most;  // by column; 0 where there are no bars
};

/// A column and what it says of a row. Only what the look needs has to be there, and of a column that the engine
/// describes what is not as it says; a figure with words says these.
template <class Row>
struct RowColumn {
  ColumnSetup setup = {};
  std::function<QString(const Row&)> words = {};
  std::function<std::uint64_t(const Row&)> number = {};
  std::function<RowLink(const Row&)> link = {};
  std::function<QString(const Row&)> detail = {};
  std::function<bool(const Row&)> isWarning = {};
  std::function<bool(const Row&)> isKnown = {};  // every cell is unless it says otherwise
  std::function<QVariant(const Row&, int role)> more = {};
};

/// How rows of one type are shown.
template <class Row>
struct RowSchema {
  const engine::TableOf<Row>* table = nullptr;  // how the engine describes the list, if it does
  std::vector<RowColumn<Row>> columns = {};
  std::vector<RowKind> kinds = {};  // none for rows that are all alike
  std::function<std::size_t(const Row&)> kindOf = {};
  std::function<engine::Address(const Row&)> identity = {};

  /// The same with these columns alone, by their fields, in this order.
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
  /// The same with all that the engine describes: columns that have not been named stand behind, until they are asked
  /// for.
  RowSchema withExtra() const {
    RowSchema all = *this;
    for (std::size_t i = 0; table && i < table->description().columns.size(); ++i) {
      const engine::ListColumn& described = table->description().columns[i];
      const bool isNamed = std::ranges::any_of(
          columns, [&](const RowColumn<Row>& column) { return table->description().find(column.setup.field) == i; });
      if (isNamed) continue;
      RowColumn<Row>& column = all.columns.emplace_back();
      column.setup = {.field = described.name, .isExtra = true};
      if (described.kind != engine::ColumnKind::Flag) continue;
      column.words = [from = table, i](const Row& row) { return flagText(from->cell(row, i)); };
    }
    return all;
  }
  std::vector<ColumnSetup> setups() const {
    std::vector<ColumnSetup> setups;
    for (const RowColumn<Row>& column : withExtra().columns)
      setups.push_back(table ? described(column.setup, table->description()) : column.setup);
    return setups;
  }
};

template <class Row>
class RowListOf final : public RowList {
 public:
  using Rows = std::shared_ptr<const std::vector<Row>>;

  RowListOf(Rows rows, RowSchema<Row> schema, engine::FindingList findings = {})
      : RowList(schema.setups(), schema.kinds, std::move(findings)),
        m_rows(std::move(rows)),
        m_schema(schema.withExtra()) {
    for (const RowColumn<Row>& column : m_schema.columns)
      m_fields.push_back(m_schema.table ? m_schema.table->description().find(column.setup.field) : std::nullopt);
    summarise();
  }

  const Row& at(std::uint32_t row) const { return (*m_rows)[row]; }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_rows->size()); }
  const engine::TableDescription* description() const override {
    return m_schema.table ? &m_schema.table->description() : nullptr;
  }
  engine::Cell cell(std::uint32_t row, std::size_t column) const override {
    return m_schema.table ? m_schema.table->cell(at(row), column) : engine::Cell();
  }
  QString words(std::uint32_t row, std::size_t column) const override {
    if (objectField(column)) return objectWords(row, column);
    const auto& words = m_schema.columns[column].words;
    if (words || !m_fields[column] || !isWritten(columns()[column].look)) return call<QString>(words, row);
    return QString::fromStdString(engine::toString(cell(row, *m_fields[column])));
  }
  std::uint64_t number(std::uint32_t row, std::size_t column) const override {
    if (objectField(column)) return 0;
    const auto& number = m_schema.columns[column].number;
    return number || !m_fields[column] ? call<std::uint64_t>(number, row) : figureOf(cell(row, *m_fields[column]));
  }
  RowLink link(std::uint32_t row, std::size_t column) const override { return call<RowLink>(own(column).link, row); }
  QString detail(std::uint32_t row, std::size_t column) const override {
    return call<QString>(own(column).detail, row);
  }
  bool isWarning(std::uint32_t row, std::size_t column) const override {
    return call<bool>(own(column).isWarning, row);
  }
  bool isKnown(std::uint32_t row, std::size_t column) const override {
    if (objectField(column)) return true;
    const auto& known = m_schema.columns[column].isKnown;
    if (known) return known(at(row));
    return !m_fields[column] || isWritten(columns()[column].look) || !cell(row, *m_fields[column]).isUnknown();
  }
  QVariant more(std::uint32_t row, std::size_t column, int role) const override {
    if (objectField(column)) return objectMore(row, column, role);
    const auto& more = m_schema.columns[column].more;
    return more ? more(at(row), role) : QVariant();
  }
  std::size_t kindOf(std::uint32_t row) const override { return call<std::size_t>(m_schema.kindOf, row); }
  engine::Address identity(std::uint32_t row) const override { return call<engine::Address>(m_schema.identity, row); }
  std::shared_ptr<const RowList> withObjects(engine::ObjectCells cells, const QStringList& paths) const override {
    auto same = std::make_shared<RowListOf>(*this);
    same->setObjects(std::move(cells), paths);
    return same;
  }

 private:
  // Columns of paths are behind those of the schema.
  const RowColumn<Row>& own(std::size_t column) const {
    static const RowColumn<Row> kNone;
    return column < m_schema.columns.size() ? m_schema.columns[column] : kNone;
  }
  template <class Value>
  Value call(const std::function<Value(const Row&)>& function, std::uint32_t row) const {
    return function ? function(at(row)) : Value{};
  }

  Rows m_rows;
  RowSchema<Row> m_schema;
  std::vector<std::optional<std::size_t>> m_fields;  // of each column in the engine's description
};

template <class Row>
std::shared_ptr<const RowList> makeRowList(std::vector<Row> rows, RowSchema<Row> schema,
                                           engine::FindingList findings = {}) {
  return std::make_shared<RowListOf<Row>>(std::make_shared<const std::vector<Row>>(std::move(rows)), std::move(schema),
                                          std::move(findings));
}

}  // namespace heapscape::gui
