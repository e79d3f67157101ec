// SPDX-License-Identifier: MIT
#include "query/snapshot_completion.h"

#include <algorithm>
#include <numeric>
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

  // Of a reference only the name of its type is declared.
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
