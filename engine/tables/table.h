// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "tables/cell.h"

namespace heapscape::engine {

/// A column of a list, as everybody knows it.
struct ListColumn {
  std::string name;     // in queries, JSON and TSV: "retained"
  std::string title;    // over the column: "Retained"
  std::string meaning;  // a sentence for people
  ColumnKind kind = ColumnKind::Text;
  bool isAdditive = false;                // the figures of several rows add up to what these have together
  std::string share = {};                 // the column with the same as a share, which percentages are compared with
  std::vector<std::string> choices = {};  // of a Choice: all that it may be
  std::string jsonName = {};              // in JSON and TSV, where that is another one; queries know it as well
  std::string group = {};                 // JSON: the object that it is a member of, with others in a row
  bool isSearched = false;                // text without operators is looked for in it
  bool holdsContents = false;             // strings or values of the dump: left out when redacted
  bool hidesZero = false;                 // people read nothing where it is 0; nor has JSON such a member of a group
  bool isHex = false;                     // a number that people read with base 16
  std::string between = " ";              // what parts several words on one line
  bool isInJson = true;                   // false for what follows from other columns
  // Whether it shows what the row's object holds: only known of cells that were read with the dump
  // (query/rows/table_query), and only told where it is asked for.
  bool isOfObject = false;

  const std::string& nameInJson() const { return jsonName.empty() ? name : jsonName; }
};

/// "value": what the object that a row is about holds; "objectValue" where rows have a value of their own.
ListColumn objectValueColumn(bool hasOwnValue = false);

/// Description of a list, known before its rows.
struct TableDescription {
  std::string noun;                          // "handles": its name in queries and JSON
  std::vector<ListColumn> columns;           // in JSON's order
  std::vector<std::string_view> shown = {};  // names of those that people see at first, in their order; empty for all
  std::vector<std::string_view> tsv = {};    // of those in TSV; empty for a list that has none
  bool isOnOneLine = false;                  // JSON has all rows on one line: there are few, or they are part of a row
  std::string_view object = {};              // name of the column with the object that a row is about; empty for none
  std::string_view objectType = {};          // of the one with that object's type, if there is one

  /// Whether what objects hold can be asked of its rows: "value", and field("…").
  bool isAboutObjects() const { return !object.empty(); }
  std::optional<std::size_t> find(std::string_view name) const;
  /// Indices of these columns; those that there are not are left out.
  std::vector<std::size_t> indicesOf(const std::vector<std::string_view>& names) const;
  std::vector<std::size_t> shownColumns() const;
};

/// A figure of a list as a whole.
struct TableTotal {
  std::string name;
  std::uint64_t value = 0;
  bool isBytes = false;
};

/// Rows of whatever, described. Immutable and cheap to copy; safe to read from any thread.
struct Table {
  std::shared_ptr<const TableDescription> description;
  std::uint32_t rows = 0;
  std::function<Cell(std::uint32_t row, std::size_t column)> cell;
  /// The cell without contents, for those columns that hold some.
  std::function<Cell(std::uint32_t row, std::size_t column)> redacted;
  FindingList findings = {};  // met when the rows were read
  std::vector<TableTotal> totals = {};
  /// Lists that a row has of its own: in JSON members behind its columns. Empty where rows have none.
  std::function<std::vector<Table>(std::uint32_t row)> inner = {};
  bool showsInner = false;  // people see them as well, below each row
  bool hasSum = false;      // behind the last row is one that adds up all, which only people see
};

/// The words of an enum's members, of all or of these: what a Choice may be.
template <NamedEnum Enum>
std::vector<std::string> namesOf(std::span<const Enum> members) {
  std::vector<std::string> names;
  for (const Enum member : members) names.emplace_back(toString(member));
  return names;
}
template <NamedEnum Enum>
std::vector<std::string> namesOf() {
  static constexpr auto kAll = membersOf<Enum>();
  return namesOf<Enum>(kAll);
}

/// A column and how it is read off a row. What is said of it beside its kind stands behind it:
/// bytesColumn<Row>(…).additive().
template <class Row>
struct ColumnOf {
  ListColumn column;
  std::function<Cell(const Row&)> value;
  std::function<Cell(const Row&)> redacted =
      {};  // what is left without contents, where that is not nothing, or not all

  // Each sets the member of ListColumn that it is named after.
  ColumnOf&& additive() && { return with(&ListColumn::isAdditive, true); }
  ColumnOf&& withShare(std::string_view share) && { return with(&ListColumn::share, share); }
  ColumnOf&& choices(std::vector<std::string> all) && { return with(&ListColumn::choices, std::move(all)); }
  ColumnOf&& inJsonAs(std::string_view name) && { return with(&ListColumn::jsonName, name); }
  ColumnOf&& notInJson() && { return with(&ListColumn::isInJson, false); }
  ColumnOf&& inGroup(std::string_view group) && { return with(&ListColumn::group, group); }
  ColumnOf&& searched() && { return with(&ListColumn::isSearched, true); }
  ColumnOf&& contents() && { return with(&ListColumn::holdsContents, true); }
  ColumnOf&& hidingZero() && { return with(&ListColumn::hidesZero, true); }
  ColumnOf&& hex() && { return with(&ListColumn::isHex, true); }
  ColumnOf&& between(std::string_view text) && { return with(&ListColumn::between, text); }
  /// What is left without contents.
  ColumnOf&& redactedTo(std::function<Cell(const Row&)> left) && {
    redacted = std::move(left);
    return std::move(*this);
  }

 private:
  template <class Member>
  ColumnOf&& with(Member ListColumn::*member, auto value) {
    column.*member = std::move(value);
    return std::move(*this);
  }
};

/// A column of which nothing else is to be said.
ListColumn listColumn(ColumnKind kind, std::string_view name, std::string_view title, std::string_view meaning);

/// Makes columns of rows and of a kind: name, title and meaning as in ListColumn. `of` is a member of rows, or a
/// function of one, that gives what a Cell can be made of; a Choice that gives an enum may be any of its members.
template <class Row, ColumnKind kKind>
struct ColumnMaker {
  template <class Of>
  ColumnOf<Row> operator()(std::string_view name, std::string_view title, std::string_view meaning, Of of) const {
    ColumnOf<Row> made{listColumn(kKind, name, title, meaning),
                       [of](const Row& row) { return Cell(std::invoke(of, row)); }};
    using Value = std::remove_cvref_t<std::invoke_result_t<Of, const Row&>>;
    if constexpr (kKind == ColumnKind::Choice && NamedEnum<Value>) made.column.choices = namesOf<Value>();
    return made;
  }
};
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Text> textColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::TypeName> typeColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Words> wordsColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Choice> choiceColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Flag> flagColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Count> countColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Id> idColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Bytes> bytesColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::SavedBytes> savedBytesColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::GrownBytes> grownBytesColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Share> shareColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Percent> percentColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Address> addressColumn;
template <class Row>
inline constexpr ColumnMaker<Row, ColumnKind::Range> rangeColumn;

/// Columns of a part of rows as columns of these; in JSON in an object of that name, if there is one.
template <class Row, class Part>
std::vector<ColumnOf<Row>> columnsOfPart(std::vector<ColumnOf<Part>> columns, Part Row::*part,
                                         const std::string& group = {}) {
  std::vector<ColumnOf<Row>> all;
  for (ColumnOf<Part>& each : columns) {
    each.column.group = group;
    ColumnOf<Row>& column = all.emplace_back(ColumnOf<Row>{std::move(each.column), {}, {}});
    column.value = [part, value = std::move(each.value)](const Row& row) { return value(row.*part); };
    if (each.redacted)
      column.redacted = [part, value = std::move(each.redacted)](const Row& row) { return value(row.*part); };
  }
  return all;
}

/// A list's description with how its rows are read.
template <class Row>
class TableOf {
 public:
  using Inner = std::function<std::vector<Table>(const Row&)>;

  TableOf(std::string noun, std::vector<ColumnOf<Row>> columns, std::vector<std::string_view> shown = {},
          std::vector<std::string_view> tsv = {}) {
    TableDescription description{
        .noun = std::move(noun), .columns = {}, .shown = std::move(shown), .tsv = std::move(tsv)};
    auto readers = std::make_shared<std::vector<ColumnOf<Row>>>(std::move(columns));
    for (const ColumnOf<Row>& each : *readers) description.columns.push_back(each.column);
    m_description = std::make_shared<const TableDescription>(std::move(description));
    m_columns = std::move(readers);
  }
  /// With the columns of that description, in its order.
  TableOf(std::shared_ptr<const TableDescription> description, std::vector<ColumnOf<Row>> columns)
      : m_description(std::move(description)),
        m_columns(std::make_shared<const std::vector<ColumnOf<Row>>>(std::move(columns))) {}

  /// This table with rows on one line in JSON.
  TableOf onOneLine() const {
    TableOf table = *this;
    auto description = std::make_shared<TableDescription>(*m_description);
    description->isOnOneLine = true;
    table.m_description = std::move(description);
    return table;
  }
  /// This table with rows that are about the object in the column of that name, whose type is in another one: what the
  /// object holds becomes a column as well.
  TableOf about(std::string_view object, std::string_view objectType = "type") const {
    TableOf table = *this;
    auto description = std::make_shared<TableDescription>(*m_description);
    description->object = object;
    description->objectType = objectType;
    description->columns.push_back(objectValueColumn(description->find("value").has_value()));
    auto columns = std::make_shared<std::vector<ColumnOf<Row>>>(*m_columns);
    columns->push_back({description->columns.back(), [](const Row&) { return Cell(Cell::Unknown{}); }, {}});
    table.m_columns = std::move(columns);
    table.m_description = std::move(description);
    return table;
  }
  /// This table with lists that each row has of its own.
  TableOf having(Inner inner) const {
    TableOf table = *this;
    table.m_inner = std::make_shared<const Inner>(std::move(inner));
    return table;
  }

  /// This table for rows that hold such a row and more.
  template <class Whole>
  TableOf<Whole> within(Row Whole::*part) const {
    return TableOf<Whole>(m_description, columnsOfPart(*m_columns, part));
  }

  const TableDescription& description() const { return *m_description; }
  /// As many as the description has, in its order.
  const std::vector<ColumnOf<Row>>& columns() const { return *m_columns; }
  Cell cell(const Row& row, std::size_t column) const { return (*m_columns)[column].value(row); }
  Cell redacted(const Row& row, std::size_t column) const {
    const ColumnOf<Row>& each = (*m_columns)[column];
    if (each.redacted) return each.redacted(row);
    return each.column.holdsContents ? Cell(Cell::Unknown{}) : each.value(row);
  }

  Table with(std::shared_ptr<const std::vector<Row>> rows, FindingList findings = {}) const {
    Table table{.description = m_description,
                .rows = static_cast<std::uint32_t>(rows->size()),
                .cell = {},
                .redacted = {},
                .findings = std::move(findings)};
    table.cell = [rows, self = *this](std::uint32_t row, std::size_t column) {
      return self.cell((*rows)[row], column);
    };
    table.redacted = [rows, self = *this](std::uint32_t row, std::size_t column) {
      return self.redacted((*rows)[row], column);
    };
    if (m_inner) table.inner = [rows, inner = m_inner](std::uint32_t row) { return (*inner)((*rows)[row]); };
    return table;
  }
  /// Table of rows that outlive it.
  Table over(const std::vector<Row>& rows) const {
    return with(std::shared_ptr<const std::vector<Row>>(std::shared_ptr<void>(), &rows));
  }
  Table with(std::vector<Row> rows, FindingList findings = {}) const {
    return with(std::make_shared<const std::vector<Row>>(std::move(rows)), std::move(findings));
  }

 private:
  std::shared_ptr<const TableDescription> m_description;
  std::shared_ptr<const std::vector<ColumnOf<Row>>> m_columns;
  std::shared_ptr<const Inner> m_inner;
};

}  // namespace heapscape::engine
