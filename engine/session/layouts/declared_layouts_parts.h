// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "layout/declared/metadata_types.h"
#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/layout_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class DumpTypes;
class ToldTypes;

inline ClosedTypeId closedType(LayoutTypeId id) {
  return {id.value};
}
inline LayoutTypeId layoutType(ClosedTypeId id) {
  return {id.value};
}

/// Parts of DeclaredLayouts. Everything in it is for whoever holds the mutex.
struct DeclaredLayouts::Parts {
  /// `finder` may be null: then there are only the assemblies that are added.
  explicit Parts(std::shared_ptr<AssemblyFinder> finder);
  ~Parts();

  std::mutex mutex;
  MetadataTypes types;
  LayoutRuntime runtime;
  std::optional<FrameworkRead> framework;  // of an assembly
  AssemblyId home;                         // the assembly file's; of a dump none

  // For a dump: what it was opened to, and its method tables as types; or, of a program compiled ahead of time, its
  // types as its debugging information tells of them.
  std::optional<Snapshot> dump;
  std::unique_ptr<DumpTypes> dumpTypes;
  std::unique_ptr<ToldTypes> toldTypes;
  /// Where the rules get their types from.
  DeclaredTypes& declared();
  const DeclaredTypes& declared() const { return const_cast<Parts*>(this)->declared(); }

  /// A type that the dump has loaded; it has no number if its declaration cannot be told.
  struct Loaded {
    LoadedType type;
    ClosedTypeId id;
    std::string failure;
  };
  /// All types that the dump has loaded, by name, but for open ones; looked up once.
  Outcome<const std::vector<Loaded>*> loadedTypes(const std::stop_token& stop);
  /// The type of a method table, which is remembered for it.
  Result<ClosedTypeId> typeOf(Address methodTable);
  /// 0 if the type is not loaded.
  Address methodTableOf(ClosedTypeId type);

  /// The rules of a runtime; their own if no version is given.
  LayoutRules& rules(std::optional<std::uint32_t> majorVersion = {}, bool classic = false);
  /// The type whose declaration decides: itself, or what an array holds by value.
  ClosedTypeId subjectOf(ClosedTypeId type) const;
  /// Returns the assembly of the definition, of an array that of its innermost element; none for pointers.
  AssemblyId assemblyOf(ClosedTypeId type) const;
  /// By name, see DeclaredLayouts::find().
  Result<ClosedTypeId> find(std::string_view name);

 private:
  std::optional<std::vector<Loaded>> m_loaded;
  std::unordered_map<ClosedTypeId, Address> m_methodTables;
  std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<LayoutRules>> m_rules;
};

/// Whether a loaded type is one over type parameters, which has no objects and no layout.
inline bool isOpen(const Result<ClosedTypeId>& type) {
  return !type && type.error().code == ErrorCode::BadQuery;
}

/// Of a dump, with declarations that nobody has read yet.
std::shared_ptr<DeclaredLayouts::Parts> partsOf(const Snapshot& snapshot);

/// These expect the mutex to be held.
Result<LayoutVariant> layOut(DeclaredLayouts::Parts& parts, ClosedTypeId type, const LayoutQuestion& question);
/// By the rules of their own runtime, as if the type, or what an array of it holds, were declared with this change;
/// with reasons and C#.
Result<LayoutVariant> layOutAs(DeclaredLayouts::Parts& parts, ClosedTypeId type, const DeclarationChange& change);
/// False for what is laid out in one way alone: enums, delegates, primitives, strings; and where the size is what the
/// type is for (fixed buffers, blobs of data without fields).
bool canBeDeclaredOtherwise(DeclaredLayouts::Parts& parts, ClosedTypeId subject);
Result<TypeStudy> studyOf(DeclaredLayouts::Parts& parts, ClosedTypeId type, const std::stop_token& stop);
/// A row of a list of types: laid out as declared, or why it cannot be.
LayoutRow describe(DeclaredLayouts::Parts& parts, ClosedTypeId type);

}  // namespace heapscape::engine
