// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The reason why a text is no query: where, in bytes of its UTF-8, what is wrong there, and what would be right.
struct QueryError {
  std::size_t position = 0;
  std::size_t length = 0;  // 0 at the end of the text
  std::string what;        // a sentence
  std::string help = {};   // another one; may be empty

  std::string message() const { return help.empty() ? what : what + " " + help; }
};

template <class T>
using QueryResult = tl::expected<T, QueryError>;

inline tl::unexpected<QueryError> queryFailure(std::size_t position, std::size_t length, std::string what,
                                               std::string help = {}) {
  return tl::unexpected<QueryError>(QueryError{position, length, std::move(what), std::move(help)});
}

/// The kind of values that a field of a query holds, and with that what it can be compared with.
enum class QueryKind : std::uint8_t { Text, Number, Bytes, Address, Flag, Choice };
template <>
inline constexpr auto kEnumNames<QueryKind> = std::to_array<EnumName<QueryKind>>({
    {QueryKind::Text, "text"},
    {QueryKind::Number, "number"},
    {QueryKind::Bytes, "bytes"},
    {QueryKind::Address, "address"},
    {QueryKind::Flag, "flag"},
    {QueryKind::Choice, "choice"},
});

struct QueryField {
  std::string name;  // "retained"
  QueryKind kind = QueryKind::Text;
  std::string help = {};                  // a sentence for people
  std::vector<std::string> aliases = {};  // other names of it
  std::vector<std::string> choices = {};  // of a Choice: all that it may be
  bool isPlain = false;                   // text without operators is looked for in it
  bool isTypeName = false;                // compared with names however they are written
  bool holdsContents = false;             // strings or values of the dump: left out when redacted
  std::string share = {};                 // the field that a percentage is compared with, as of padding; empty for none
};

/// The fields that can be asked of a list of things.
struct QuerySchema {
  std::string noun;  // "objects"
  std::vector<QueryField> fields;
  bool hasObjectFields = false;     // field("Customer.Name") can be asked for
  std::string objectType = "type";  // the field with the type of the object that these are of

  std::optional<std::uint32_t> find(std::string_view name) const;
  /// The name that looks most like this one; empty if none does.
  std::string nearest(std::string_view name) const;
  /// Why there is no such field, with what may be meant; where it stands in the text of a query.
  QueryError unknownField(std::string_view name, std::size_t position, std::size_t length) const;
};

/// A list's columns as fields of queries, in their order; with field("…") where its rows are about objects.
QuerySchema schemaOf(const TableDescription& description);

/// A field of a schema, or one of the objects themselves by its path.
struct QueryFieldReference {
  static constexpr std::uint32_t kObjectField = 0xffffffff;
  std::uint32_t field = 0;  // index in the schema
  std::string path = {};    // of kObjectField
  bool operator==(const QueryFieldReference&) const = default;
};

/// Reads "retained" or field("Customer.Name"), as columns, sorting and grouping name them.
QueryResult<QueryFieldReference> parseQueryField(std::string_view text, const QuerySchema& schema);
/// The reference as it can be written in a query.
std::string toString(const QueryFieldReference& reference, const QuerySchema& schema);

/// "Managed id" → "managedId": the name by which a column with this title is asked for.
std::string queryNameOf(std::string_view title);

}  // namespace heapscape::engine
