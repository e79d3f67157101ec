// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "layout/advice/layout_advice.h"
#include "layout/advice/layout_difference.h"
#include "layout/rules/rule_set.h"
#include "layout/type_layout.h"
#include "session/objects/array_lengths.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A type of some DeclaredLayouts; the same type always has the same number there.
using LayoutTypeId = Id<struct LayoutTypeTag>;

struct UsedAssembly {
  std::string name;
  std::string path;
  std::string version;
  bool isReadyToRun = false;
};

/// The framework that an assembly's references were read from.
struct FrameworkRead {
  std::string path;     // folder of its CoreLib; of a dump that was named to search in the folder of that
  std::string version;  // "8.0.29"
  std::uint32_t majorVersion = 0;
  /// Not of the version whose rules were asked for, for nothing else was found: they are applied to its declarations.
  bool isAnother = false;
};

struct MissingAssembly {
  std::string assembly;
  std::string why;
  std::string neededBy;  // a type
};

/// A type that can be studied; `failure` says why one cannot.
struct LayoutRow {
  LayoutTypeId id;
  std::string name;      // the runtime's form
  std::string assembly;  // file name without its ending
  TypeKind kind = TypeKind::Class;
  Address methodTable;  // 0 unless it is loaded in a dump
  std::uint32_t instanceBytes = 0;
  std::uint32_t paddingBytes = 0;
  std::string failure;
};

struct LayoutQuestion {
  RuleSet rules = RuleSet::Declared;
  std::optional<std::uint32_t> pack = {};          // as if it declared this Pack
  std::optional<std::uint32_t> runtimeMajor = {};  // by the rules of another runtime, over the same metadata
  bool withReasons = true;                         // LayoutVariant::reasons too, which take longer than the layout
  bool withDeclaration = false;                    // LayoutVariant::declaration too
};

/// One way to lay a type out, and what it means.
struct LayoutVariant {
  LayoutQuestion question;  // runtimeMajor filled in
  TypeLayout layout;
  std::optional<std::uint32_t> alignment = {};  // of a value type inside others, where the layout is computed
  std::string remark = {};  // "the runtime keeps auto layout: Customer is a reference"; empty if there is none
  std::vector<FieldReason> reasons = {};  // for computed layouts, in the order of layout.fields
  /// C# that declares the type, or what an array holds, so; if it was asked for, and of a computed layout.
  std::string declaration = {};
};

/// Everything told about one type side by side.
struct TypeStudy {
  LayoutRow type;
  std::vector<LayoutVariant>
      layouts;  // Actual (dumps only), Declared, Auto, Sequential, Best, Classic: those that apply
  BestOrder best;
  std::vector<Advice> advice;
  std::string whyNotAsDeclared;           // "declared sequential, laid out auto: …"; empty if it is as declared
  LayoutUnit unit = LayoutUnit::Object;   // what the best declaration's bytes and the advice are of
  std::optional<TypeOnHeap> onHeap = {};  // where a heap is known

  /// What the heap's objects of exactly this type would shrink by in the best declaration; nothing without a heap.
  std::optional<std::int64_t> savedOnHeap() const;
};

/// The types that a dump or an assembly declares, laid out by any rule set from metadata alone. Cheap to copy; safe
/// from any thread, one question at a time.
class DeclaredLayouts {
 public:
  struct Parts;

  explicit DeclaredLayouts(std::shared_ptr<Parts> parts) : m_parts(std::move(parts)) {}
  /// Over the modules of a dump and the types it has loaded; made once for a dump. Modules without metadata are named
  /// in missing().
  static Result<DeclaredLayouts> ofDump(const Snapshot& snapshot);
  bool isOfDump() const;
  LayoutRuntime runtime() const;
  /// Returns nullopt for a dump, which has its own, and where no CoreLib was found.
  std::optional<FrameworkRead> framework() const;
  /// The file that was opened first, then those that were needed so far.
  std::vector<UsedAssembly> assemblies() const;
  std::vector<MissingAssembly> missing() const;

  /// All types of the assembly, or all that the dump has loaded, by name, laid out as declared.
  Outcome<std::vector<LayoutRow>> types(std::stop_token stop) const;
  /// Lists the types without laying them out; of a dump those whose declaration is known.
  Outcome<std::vector<std::pair<LayoutTypeId, std::string>>> typeNames(std::stop_token stop) const;
  /// Names of generic definitions, which have a layout only with arguments.
  std::vector<std::string> openDefinitions() const;
  /// By name in the runtime's or in metadata's form; generic types with any arguments, loaded or not. Fails with
  /// NotFound or BadQuery.
  Result<LayoutTypeId> find(std::string_view name) const;
  /// Dumps only.
  Result<LayoutTypeId> find(Address methodTable) const;

  /// Fails with NotFound if metadata is missing, Damaged, or BadQuery with the runtime's reason to refuse the type.
  Result<LayoutVariant> layout(LayoutTypeId type, const LayoutQuestion& question) const;
  /// Fails as layout() does for the declared layout; rule sets that cannot be computed are left out.
  Result<TypeStudy> study(LayoutTypeId type, std::stop_token stop) const;
  /// Why bytes of a type are left empty on purpose, see separationOf(); empty if not shown. Fails as layout() does.
  Result<std::string> separation(LayoutTypeId type) const;

  /// For the session's other queries, see session/layouts/declared_layouts_parts.h.
  Parts& parts() const { return *m_parts; }

 private:
  std::shared_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
