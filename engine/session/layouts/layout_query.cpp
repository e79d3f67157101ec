// SPDX-License-Identifier: MIT
#include "session/layouts/layout_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "layout/padding.h"
#include "session/async/suspended_methods.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

struct Saved {
  LayoutField field;
  std::vector<std::string> names;  // that methods have for it
};

std::uint64_t endOf(const LayoutField& field) {
  return field.offset + std::uint64_t{field.sizeBytes} * field.repeat;
}

FieldKind kindOf(Slot::Kind kind) {
  switch (kind) {
    case Slot::Kind::Reference:
      return FieldKind::Reference;
    case Slot::Kind::Pointer:
      return FieldKind::Pointer;
    case Slot::Kind::ValueType:
    case Slot::Kind::TypedReference:
      return FieldKind::ValueType;
    case Slot::Kind::Primitive:
    case Slot::Kind::Unknown:
      return FieldKind::Primitive;
  }
  return FieldKind::Primitive;
}

class SavedNames {
 public:
  SavedNames(const Contents& contents, TypeLayout& layout)
      : m_contents(contents),
        m_layout(layout),
        m_methods(contents),
        m_locals(contents, m_methods),
        m_continuations(contents.readers->runtime) {}

  void add(Address continuation) {
    std::string place = m_locals.placeText(continuation);
    if (place.empty() || !m_places.insert(std::move(place)).second) return;
    for (SuspendedLocals::Variable& variable : m_locals.variablesOf(continuation)) {
      if (variable.slot.sizeBytes && variable.offset >= m_continuations.headBytes()) addField(fieldOf(variable));
    }
    for (const ContinuationReader::Part& part : m_continuations.partsOf(continuation)) {
      if (part.kind == ContinuationReader::Part::Kind::Result) continue;  // how large it is stands nowhere
      addField({.declaringType = m_layout.typeName,
                .name = toString(part.kind),
                .typeName = "System.Object",
                .offset = static_cast<std::uint32_t>(part.offset - kFieldsStart),
                .sizeBytes = kPointerBytes,
                .kind = FieldKind::Reference,
                .methodTable = {},
                .nested = {}});
    }
  }

  bool isFull() const { return m_places.size() >= 1000; }

  void apply() {
    constexpr std::size_t kMostNames = 3;  // of one field
    m_layout.continues.assign(m_places.begin(), m_places.end());
    std::vector<LayoutField> fields;
    for (const LayoutField& field : m_layout.fields) {
      if (field.declaringType == m_layout.typeName) {
        addRest(field, fields);
      } else {
        fields.push_back(field);
      }
    }
    for (auto& [offset, saved] : m_saved) {
      if (saved.names.size() > kMostNames) {
        saved.names.resize(kMostNames);
        saved.names.emplace_back("…");
      }
      saved.field.name = fmt::format("{}", fmt::join(saved.names, " / "));
      fields.push_back(std::move(saved.field));
    }
    TypeLayout::sortByOffset(fields);
    m_layout.fields = std::move(fields);
    m_layout.paddings.clear();
    m_layout.ownPaddingBytes = m_layout.nestedPaddingBytes = 0;
    findPaddings(m_layout);
  }

 private:
  LayoutField fieldOf(const SuspendedLocals::Variable& variable) const {
    LayoutField field{.declaringType = m_layout.typeName,
                      .name = variable.name,
                      .typeName = variable.slot.typeName,
                      .offset = variable.offset - kFieldsStart,
                      .sizeBytes = variable.slot.sizeBytes,
                      .kind = kindOf(variable.slot.kind),
                      .methodTable = variable.slot.type,
                      .nested = {}};
    const MethodTables& types = m_contents.readers->methodTables;
    const auto type =
        field.kind == FieldKind::ValueType ? types.read(variable.slot.type) : failure(ErrorCode::NotFound, {});
    if (!type) return field;
    if (types.normalisedElementType(*type) != ElementType::ValueType) {  // of a primitive, or an enum
      field.kind = FieldKind::Primitive;
      return field;
    }
    auto layout = readActualLayout(m_contents.layoutSources(), type->address);
    if (!layout) return field;
    field.nested = std::move(layout->fields);
    TypeLayout::move(field.nested, field.offset);
    return field;
  }

  /// Joined with what other methods have there, if that is alike; of what overlaps otherwise the first is told alone.
  void addField(LayoutField field) {
    if (endOf(field) > m_layout.fieldsBytes) return;
    const auto next = m_saved.lower_bound(field.offset);
    const bool isAlike = next != m_saved.end() && next->first == field.offset &&
                         next->second.field.sizeBytes == field.sizeBytes && next->second.field.kind == field.kind;
    if (isAlike) {
      join(next->second, field);
      return;
    }
    const bool overlapsNext = next != m_saved.end() && next->first < endOf(field);
    const bool overlapsLast = next != m_saved.begin() && endOf(std::prev(next)->second.field) > field.offset;
    if (overlapsNext || overlapsLast) return;
    std::string name = field.name;
    m_saved.emplace(field.offset, Saved{.field = std::move(field), .names = {std::move(name)}});
  }

  static void join(Saved& known, const LayoutField& other) {
    if (known.field.typeName != other.typeName) {
      if (known.field.kind == FieldKind::Reference) known.field.typeName = "System.Object";
      known.field.methodTable = {};
      known.field.nested.clear();
    }
    if (!std::ranges::count(known.names, other.name)) known.names.push_back(other.name);
  }

  /// Those parts of a run of words that are no method's local.
  void addRest(const LayoutField& run, std::vector<LayoutField>& fields) const {
    std::uint64_t at = run.offset;
    const auto addUpTo = [&](std::uint64_t end) {
      if (at >= end) return;
      LayoutField rest = run;
      rest.offset = static_cast<std::uint32_t>(at);
      rest.name = "+" + std::to_string(at + kFieldsStart);
      if ((end - at) % run.sizeBytes != 0) {
        rest.sizeBytes = 1;
        rest.typeName = "System.Byte";
        rest.kind = FieldKind::Primitive;
      }
      rest.repeat = static_cast<std::uint32_t>((end - at) / rest.sizeBytes);
      fields.push_back(std::move(rest));
      at = end;
    };
    for (const auto& [offset, saved] : m_saved) {
      if (endOf(saved.field) <= at || offset >= endOf(run)) continue;
      addUpTo(offset);
      at = std::max(at, endOf(saved.field));
    }
    addUpTo(endOf(run));
  }

  const Contents& m_contents;
  TypeLayout& m_layout;
  SuspendedMethods m_methods;
  SuspendedLocals m_locals;
  ContinuationReader m_continuations;
  std::set<std::string> m_places;
  std::map<std::uint32_t, Saved> m_saved;  // by offset
};

/// Names in a layout what methods save that the runtime itself suspends (.NET 11). All with the same words of
/// references share a type, so that a field may be a local of each: "order / customer". Without debug info of their
/// code a field stays what it is by its place alone. `continuations` are objects of the layout's type.
void nameSavedLocals(const Contents& contents, std::span<const Address> continuations, TypeLayout& layout) {
  SavedNames names(contents, layout);
  for (const Address continuation : continuations) {
    if (names.isFull()) break;
    names.add(continuation);
  }
  names.apply();
}

}  // namespace

Result<TypeLayout> layoutOf(const Snapshot& snapshot, Address methodTable) {
  HEAPSCAPE_TRY(TypeLayout layout, readActualLayout(snapshot.contents().layoutSources(), methodTable));
  const auto type = snapshot.contents().readers->methodTables.read(methodTable);
  if (!type || !type->isContinuation || !snapshot.has(Stage::Objects)) return layout;
  std::vector<Address> continuations;
  const auto add = [&](const ObjectRow& row) {
    continuations.push_back(row.address);
    return true;
  };
  ObjectFilter ofType;
  ofType.type = snapshot.typeOf(methodTable);
  forEachObject(snapshot, ofType, add);
  nameSavedLocals(snapshot.contents(), continuations, layout);
  return layout;
}

Result<TypeLayout> layoutOfObject(const Snapshot& snapshot, Address methodTable, Address object) {
  HEAPSCAPE_TRY(TypeLayout layout, readActualLayout(snapshot.contents().layoutSources(), methodTable));
  const auto type = snapshot.contents().readers->methodTables.read(methodTable);
  if (type && type->isContinuation) nameSavedLocals(snapshot.contents(), {{object}}, layout);
  return layout;
}

Outcome<std::vector<LoadedType>> loadedTypes(const Snapshot& snapshot, std::stop_token stop) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  std::vector<LoadedType> types;
  std::set<Address> addresses;
  for (const Address address : readers.loadedTypes.all()) addresses.insert(address);
  // Types of modules that the application domain does not list are known by their objects alone.
  for (const TypeRow& row : snapshot.types()) addresses.insert(row.methodTable);
  for (const Address address : addresses) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const auto type = readers.methodTables.read(address);
    if (!type || type->isInterface) continue;
    const Module* module = readers.modules.definingModule(readers.methodTables, *type);
    types.push_back({readers.names.nameOf(address), module ? module->name : std::string(), address});
  }
  std::sort(types.begin(), types.end(), [](const LoadedType& a, const LoadedType& b) {
    return a.name != b.name ? a.name < b.name : a.methodTable < b.methodTable;
  });
  return types;
}

}  // namespace heapscape::engine
