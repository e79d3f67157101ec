// SPDX-License-Identifier: MIT
#include "query/completion.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/limits.h"
#include "metadata/names/generated_names.h"
#include "query/lexer.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

using TokenKind = QueryToken::Kind;

/// Part that a query needs next.
enum class Expected : std::uint8_t {
  Term,
  PathOpen,
  Path,
  PathClose,
  Operator,
  ListOpen,
  Value,
  ListValue,
  ListEnd,
  Joint
};

/// Reads what stands before the cursor, and knows what may follow.
class Completer {
 public:
  Completer(std::string_view text, std::size_t cursor, const QuerySchema& schema, const CompletionSource* source)
      : m_schema(schema), m_source(source), m_tokens(tokensOf(text)) {
    m_found.from = m_found.to = cursor;
    for (const QueryToken& token : m_tokens) {
      if (token.kind == TokenKind::End || token.position >= cursor) break;
      if (isBeingWritten(token, cursor)) {
        m_part = partOf(token, text, cursor);
        m_found.from = token.position;
        m_found.to = token.end();
        break;
      }
      step(token);
    }
  }

  Completions run() && {
    switch (m_expected) {
      case Expected::Term:
        addFields();
        break;
      case Expected::Path:
        addMembers();
        break;
      case Expected::Operator:
        addOperators();
        break;
      case Expected::Value:
      case Expected::ListValue:
        addValues();
        break;
      case Expected::PathOpen:
      case Expected::PathClose:
      case Expected::ListOpen:
      case Expected::ListEnd:
        break;
      case Expected::Joint:
        add("and", CompletionKind::Keyword, "Both have to fit.");
        add("or", CompletionKind::Keyword, "One of both has to fit.");
        break;
    }
    return std::move(m_found);
  }

 private:
  static bool isBeingWritten(const QueryToken& token, std::size_t cursor) {
    const bool isOpenEnded = token.kind == TokenKind::Word || token.kind == TokenKind::Number || !token.isClosed;
    return isOpenEnded ? cursor <= token.end() : cursor < token.end();
  }
  static std::string partOf(const QueryToken& token, std::string_view text, std::size_t cursor) {
    const std::size_t mark = token.kind == TokenKind::String ? 1 : 0;
    return std::string(text.substr(token.position + mark, cursor - std::min(cursor, token.position + mark)));
  }

  void step(const QueryToken& token) {
    switch (m_expected) {
      case Expected::Term:
        stepFromTerm(token);
        return;
      case Expected::PathOpen:
        m_expected = Expected::Path;
        return;
      case Expected::Path:
        m_expected = Expected::PathClose;
        return;
      case Expected::PathClose:
        m_expected = Expected::Operator;
        return;
      case Expected::Operator:
        stepFromOperator(token);
        return;
      case Expected::ListOpen:
        m_expected = Expected::ListValue;
        return;
      case Expected::Value:
        noteType(token);
        m_expected = Expected::Joint;
        return;
      case Expected::ListValue:
        m_expected = Expected::ListEnd;
        return;
      case Expected::ListEnd:
        m_expected = token.kind == TokenKind::Comma ? Expected::ListValue : Expected::Joint;
        return;
      case Expected::Joint:
        if (token.isWord("and") || token.isWord("or")) m_expected = Expected::Term;
        return;
    }
  }

  void stepFromTerm(const QueryToken& token) {
    if (token.kind == TokenKind::Open || token.isWord("not")) return;
    m_field = m_schema.find(token.text);
    m_mayBePath = m_schema.hasObjectFields && token.isWord("field");
    m_isPath = m_mayBePath && !m_field;
    m_expected = m_isPath ? Expected::PathOpen : Expected::Operator;
  }

  void stepFromOperator(const QueryToken& token) {
    if (m_mayBePath && token.kind == TokenKind::Open) {
      m_field.reset();
      m_isPath = true;
      m_expected = Expected::Path;
      return;
    }
    const bool isFlag = m_field && m_schema.fields[*m_field].kind == QueryKind::Flag;
    if (token.kind == TokenKind::Operator) {
      m_expected = Expected::Value;
    } else if (token.isWord("in")) {
      m_expected = Expected::ListOpen;
    } else if (isFlag && token.kind == TokenKind::Close) {
      m_expected = Expected::Joint;
    } else if (isFlag && (token.isWord("and") || token.isWord("or"))) {
      m_expected = Expected::Term;
    }
  }

  // Notes the type asked for, so that field("…") can offer its fields.
  void noteType(const QueryToken& token) {
    if (m_field && m_schema.fields[*m_field].name == m_schema.objectType) m_type = token.text;
  }

  void add(std::string text, CompletionKind kind, std::string help = {}) {
    const bool isFull = m_found.items.size() >= kMostCompletions;
    if (!isFull && holdsIgnoringCase(text, m_part)) m_found.items.push_back({std::move(text), kind, std::move(help)});
  }

  void addFields() {
    for (const bool isBeginning : {true, false}) {
      for (const QueryField& field : m_schema.fields) {
        if (startsIgnoringCase(field.name, m_part) == isBeginning) add(field.name, CompletionKind::Field, field.help);
      }
    }
    if (m_schema.hasObjectFields && startsIgnoringCase("field", m_part))
      add("field(\"", CompletionKind::Field, "A field of the object, as in field(\"Customer.Name\").");
    if (startsIgnoringCase("not", m_part)) add("not", CompletionKind::Keyword, "What follows must not fit.");
  }

  void addMembers() {
    if (!m_source) return;
    const std::size_t dot = m_part.rfind('.');
    const std::string path = dot == std::string::npos ? std::string() : m_part.substr(0, dot + 1);
    const std::string part = dot == std::string::npos ? m_part : m_part.substr(dot + 1);
    for (Completion& member : m_source->membersOf(m_type, path)) {
      if (m_found.items.size() >= kMostCompletions) return;
      if (!holdsIgnoringCase(member.text, part)) continue;
      member.text = quotedForQuery(path + member.text) + (isClosedBehind() ? "" : ")");
      m_found.items.push_back(std::move(member));
    }
  }

  // Whether a parenthesis that closes stands behind what is being written.
  bool isClosedBehind() const {
    const auto next =
        std::ranges::find_if(m_tokens, [this](const QueryToken& token) { return token.position >= m_found.to; });
    return next != m_tokens.end() && next->kind == TokenKind::Close;
  }

  void addOperators() {
    const QueryKind kind = m_field ? m_schema.fields[*m_field].kind : QueryKind::Text;
    const bool isAny = m_isPath;
    const bool hasOrder = isAny || kind == QueryKind::Number || kind == QueryKind::Bytes || kind == QueryKind::Address;
    if (isAny || kind == QueryKind::Text || kind == QueryKind::Address) {
      add("~", CompletionKind::Operator, "Holds this text, in any case, or fits this /regular expression/.");
      add("!~", CompletionKind::Operator, "Does not hold this text.");
    }
    if (hasOrder) {
      for (const auto& [text, help] :
           {std::pair{">", "Greater."}, {">=", "At least."}, {"<", "Less."}, {"<=", "At most."}})
        add(text, CompletionKind::Operator, help);
    }
    add("=", CompletionKind::Operator, "Equal.");
    add("!=", CompletionKind::Operator, "Not equal.");
    add("in", CompletionKind::Operator, "One of a list, as in (1, 2).");
    if (kind != QueryKind::Flag || isAny) return;
    add("and", CompletionKind::Keyword, "Both have to fit.");
    add("or", CompletionKind::Keyword, "One of both has to fit.");
  }

  void addValues() {
    const QueryField* field = m_field ? &m_schema.fields[*m_field] : nullptr;
    if (!field || field->kind == QueryKind::Flag) {
      for (const char* word : {"true", "false"}) add(word, CompletionKind::Value);
      if (!field) add("null", CompletionKind::Value, "No value, or a reference to nothing.");
      return;
    }
    for (const std::string& choice : field->choices) add(choice, CompletionKind::Value);
    if (field->kind == QueryKind::Bytes) {
      for (const char* size : {"1 KB", "64 KB", "1 MB", "10 MB", "100 MB", "1 GB"}) add(size, CompletionKind::Value);
    }
    if (field->kind != QueryKind::Text || !m_source) return;
    for (const std::string& value : m_source->valuesOf(*m_field, m_part, kMostCompletions))
      m_found.items.push_back({quotedForQuery(value), CompletionKind::Value, {}});
  }

  const QuerySchema& m_schema;
  const CompletionSource* m_source;
  const std::vector<QueryToken> m_tokens;
  Completions m_found;
  Expected m_expected = Expected::Term;
  std::optional<std::uint32_t> m_field;
  bool m_mayBePath = false;  // of a list that has a field of the name "field" as well
  bool m_isPath = false;
  std::string m_type;
  std::string m_part;  // of the word under the cursor, up to the cursor
};

}  // namespace

std::string quotedForQuery(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

Completions completeQuery(std::string_view text, std::size_t cursor, const QuerySchema& schema,
                          const CompletionSource* source) {
  return Completer(text, std::min(cursor, text.size()), schema, source).run();
}

namespace {

constexpr std::size_t kMostTypes = 20;  // whose fields are offered together

/// Fields by name, along a path of fields whose types are known from the declarations.
class MemberLister {
 public:
  explicit MemberLister(const Snapshot& snapshot) : m_snapshot(snapshot), m_shapes(*snapshot.contents().readers) {}

  void addFrom(Address methodTable, std::string_view path) {
    const TypeShape* shape = m_shapes.find(methodTable);
    while (shape && !path.empty()) {
      const std::size_t dot = path.find('.');
      const FieldShape* field = find(*shape, path.substr(0, dot));
      shape = field ? shapeOf(field->slot) : nullptr;
      path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
      for (const FieldShape& field : shape->fields) add(field);
      shape = shape->type.parent ? m_shapes.find(shape->type.parent) : nullptr;
    }
  }

  std::vector<Completion> members() && { return std::move(m_members); }

 private:
  const FieldShape* find(const TypeShape& type, std::string_view name) const {
    const TypeShape* shape = &type;
    for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
      for (const FieldShape& field : shape->fields) {
        if (csharpFieldName(field.name) == name) return &field;
      }
      shape = shape->type.parent ? m_shapes.find(shape->type.parent) : nullptr;
    }
    return nullptr;
  }

  // The shape of a slot; of a reference only its type's name is declared.
  const TypeShape* shapeOf(const Slot& slot) const {
    if (slot.type) return m_shapes.find(slot.type);
    const auto type = std::ranges::find(m_snapshot.types(), slot.typeName, &TypeRow::name);
    return type == m_snapshot.types().end() ? nullptr : m_shapes.find(type->methodTable);
  }

  void add(const FieldShape& field) {
    std::string name(csharpFieldName(field.name));
    if (m_names.insert(name).second) m_members.push_back({std::move(name), CompletionKind::Value, field.slot.typeName});
  }

  const Snapshot& m_snapshot;
  const TypeShapes m_shapes;
  std::set<std::string> m_names;
  std::vector<Completion> m_members;
};

}  // namespace

std::vector<std::uint32_t> SnapshotCompletion::typesByBytes() const {
  std::vector<std::uint32_t> types(m_snapshot.types().size());
  std::iota(types.begin(), types.end(), 0u);
  std::ranges::stable_sort(types, std::greater(), [&](std::uint32_t i) { return m_snapshot.typeCounts().bytes[i]; });
  std::erase_if(types, [&](std::uint32_t i) { return m_snapshot.types()[i].isFree; });
  return types;
}

std::vector<std::string> SnapshotCompletion::valuesOf(std::uint32_t field, std::string_view part,
                                                      std::size_t limit) const {
  if (!m_snapshot.has(Stage::Objects)) return {};
  const std::string& name = m_schema.fields[field].name;
  const bool isType = name == "type" || name == "heldBy" || name == "owner" || name == "name";
  if (!isType && name != "assembly" && name != "loadContext" && name != "namespace") return {};
  std::vector<std::string> values;
  std::set<std::string, std::less<>> known;
  for (const std::uint32_t i : typesByBytes()) {
    if (values.size() >= limit) break;
    const TypeRow& type = m_snapshot.types()[i];
    std::string value = isType                  ? type.name
                        : name == "assembly"    ? type.assembly
                        : name == "loadContext" ? type.loadContext
                                                : std::string(namespaceOf(type.name));
    if (!value.empty() && holdsIgnoringCase(value, part) && known.insert(value).second)
      values.push_back(std::move(value));
  }
  return values;
}

std::vector<Completion> SnapshotCompletion::membersOf(std::string_view typeText, std::string_view path) const {
  if (!m_snapshot.has(Stage::Objects)) return {};
  const std::vector<std::uint32_t> types = typesByBytes();
  std::vector<std::uint32_t> chosen;
  const auto choose = [&](const auto& isMeant) {
    for (const std::uint32_t i : types) {
      if (chosen.size() < kMostTypes && isMeant(m_snapshot.types()[i].name)) chosen.push_back(i);
    }
  };
  choose([&](const std::string& name) { return name == typeText; });
  if (chosen.empty()) choose([&](const std::string& name) { return holdsIgnoringCase(name, typeText); });
  MemberLister lister(m_snapshot);
  for (const std::uint32_t i : chosen) lister.addFrom(m_snapshot.types()[i].methodTable, path);
  return std::move(lister).members();
}

}  // namespace heapscape::engine
