// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <stop_token>

#include "models/rows/row_list.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::gui {

/// Facts of an assembly as a whole; made on the engine thread.
struct AssemblyFacts {
  engine::UsedAssembly assembly;
  std::uint32_t runtimeMajor = 0;
  std::optional<engine::FrameworkRead> framework;  // nothing if none was found
  std::size_t types = 0;
  std::size_t failing = 0;
  std::size_t openDefinitions = 0;
  std::size_t found = 0;    // assemblies beside itself
  std::size_t missing = 0;  // assemblies that were looked for
  std::shared_ptr<const RowList> references;
  std::shared_ptr<const RowList> failures;  // of LayoutRow
};

engine::Outcome<AssemblyFacts> readAssemblyFacts(const engine::DeclaredLayouts& layouts, std::stop_token stop);

/// An assembly that a type needed: found or missing.
struct AssemblyReference {
  engine::UsedAssembly found;
  std::string why;  // it is missing; empty if it was found
  std::string neededBy;
};
RowSchema<AssemblyReference> referenceSchema();
RowSchema<engine::LayoutRow> failureSchema();

/// "342 types · 3 assemblies missing".
QString assemblyStatusLine(const AssemblyFacts& facts);
/// "Lib.dll · 1.2.0.0 · rules of .NET 10".
QString assemblyTitleLine(const AssemblyFacts& facts);

}  // namespace heapscape::gui
