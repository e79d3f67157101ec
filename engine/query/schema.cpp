// SPDX-License-Identifier: MIT
#include "query/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/ascii.h"
#include "query/parser.h"

namespace heapscape::engine {
namespace {

// Letters to change, add or leave out until one name is the other (Levenshtein).
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t changed = diagonal + (lowerCase(left[i]) == lowerCase(right[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kLongestCompared = 40;

QueryKind queryKindOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Text:
    case ColumnKind::TypeName:
    case ColumnKind::Words:
      break;
    case ColumnKind::Choice:
      return QueryKind::Choice;
    case ColumnKind::Flag:
      return QueryKind::Flag;
    case ColumnKind::Count:
    case ColumnKind::Id:
    case ColumnKind::Share:
    case ColumnKind::Percent:
      return QueryKind::Number;
    case ColumnKind::Bytes:
    case ColumnKind::SavedBytes:
    case ColumnKind::GrownBytes:
      return QueryKind::Bytes;
    case ColumnKind::Address:
    case ColumnKind::Range:
      return QueryKind::Address;
  }
  return QueryKind::Text;
}

}  // namespace

QuerySchema schemaOf(const TableDescription& description) {
  QuerySchema schema{.noun = description.noun, .fields = {}, .hasObjectFields = description.isAboutObjects()};
  if (schema.hasObjectFields) schema.objectType = description.objectType;
  for (const ListColumn& column : description.columns) {
    QueryField& field = schema.fields.emplace_back(QueryField{.name = column.name,
                                                              .kind = queryKindOf(column.kind),
                                                              .help = column.meaning,
                                                              .choices = column.choices,
                                                              .isPlain = column.isSearched,
                                                              .isTypeName = column.kind == ColumnKind::TypeName,
                                                              .holdsContents = column.holdsContents});
    if (column.kind == ColumnKind::Share) field.share = column.name;
    if (!column.share.empty()) field.share = column.share;
    const auto own = description.find(column.jsonName);
    if (!column.jsonName.empty() && own == schema.fields.size() - 1) field.aliases.push_back(column.jsonName);
  }
  return schema;
}

std::optional<std::uint32_t> QuerySchema::find(std::string_view name) const {
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    const auto isIt = [&](const std::string& each) { return equalsIgnoringCase(each, name); };
    if (isIt(fields[i].name) || std::ranges::any_of(fields[i].aliases, isIt)) return i;
  }
  return std::nullopt;
}

std::string QuerySchema::nearest(std::string_view name) const {
  if (name.size() > kLongestCompared) return {};
  std::string nearest;
  std::size_t least = std::max<std::size_t>(name.size() < 4 ? 1 : 2, name.size() / 3) + 1;
  const auto compare = [&](const std::string& each) {
    const std::size_t changes = distance(name, each);
    if (changes >= least) return;
    least = changes;
    nearest = each;
  };
  for (const QueryField& field : fields) {
    compare(field.name);
    std::ranges::for_each(field.aliases, compare);
  }
  return nearest;
}

QueryError QuerySchema::unknownField(std::string_view name, std::size_t position, std::size_t length) const {
  const std::string likely = nearest(name);
  std::string help;
  if (!likely.empty()) {
    help = fmt::format("Did you mean {}?", likely);
  } else if (hasObjectFields && isFieldPath(name) && name.find_first_of("()\"'") == std::string_view::npos) {
    help = fmt::format("A field that the object itself has is asked for as in field(\"{}\").", name);
  }
  return {position, length, fmt::format("There is no field “{}” of {}.", name, noun), std::move(help)};
}

QueryResult<QueryFieldReference> parseQueryField(std::string_view text, const QuerySchema& schema) {
  const std::vector<QueryToken> tokens = tokensOf(text);
  const QueryToken& name = tokens.front();
  if (schema.hasObjectFields && name.isWord("field") && tokens.size() == 5) {
    const bool isWritten = tokens[1].kind == QueryToken::Kind::Open && tokens[2].isClosed &&
                           isFieldPath(tokens[2].text) && tokens[3].kind == QueryToken::Kind::Close;
    if (isWritten) return QueryFieldReference{QueryFieldReference::kObjectField, tokens[2].text};
  }
  if (name.kind == QueryToken::Kind::Word && tokens.size() == 2) {
    if (const auto field = schema.find(name.text)) return QueryFieldReference{*field, {}};
  }
  return tl::unexpected(schema.unknownField(text, 0, text.size()));
}

std::string toString(const QueryFieldReference& reference, const QuerySchema& schema) {
  if (reference.field == QueryFieldReference::kObjectField) return fmt::format("field(\"{}\")", reference.path);
  return schema.fields[reference.field].name;
}

std::string queryNameOf(std::string_view title) {
  std::string name;
  bool beginsWord = false;
  for (const char c : title) {
    const bool isLetter = (lowerCase(c) >= 'a' && lowerCase(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    const bool isDigit = c >= '0' && c <= '9';
    if (!isLetter && !isDigit) {
      beginsWord = !name.empty();
      continue;
    }
    if (name.empty() && isDigit) name += '_';
    const bool isUpper = beginsWord && c >= 'a' && c <= 'z';
    name += isUpper ? static_cast<char>(c - 'a' + 'A') : name.empty() || !beginsWord ? lowerCase(c) : c;
    beginsWord = false;
  }
  return name;
}

}  // namespace heapscape::engine
