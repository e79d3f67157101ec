// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "layout/declared/finders/assembly_finders.h"
#include "layout/declared/metadata_types.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/test_assembly.h"
#include "support/truth.h"

namespace heapscape::test {

/// The framework's metadata, as a dump of the program `library` has it.
inline std::shared_ptr<engine::AssemblyFinder> frameworkOf(std::uint32_t runtime) {
  const auto path = dumpPath("library-" + std::to_string(runtime));
  const engine::Snapshot library = openSnapshot(path, engine::Stage::Summary);
  return std::make_shared<engine::DumpFinder>(library.contents().readers, path);
}

/// An assembly of tests/data/layout and what it references.
class DeclaredAssembly {
 public:
  explicit DeclaredAssembly(const std::string& name, std::shared_ptr<engine::AssemblyFinder> finder = frameworkOf(10))
      : m_file(name), types(std::move(finder)) {
    auto source = engine::openAssembly(m_file.path());
    if (!source) throw std::runtime_error(source.error().message());
    home = types.add(std::move(*source));
  }

  /// Throws if there is none.
  engine::ClosedTypeId parsed(std::string_view name) {
    const auto type = types.parse(home, name);
    if (!type) throw std::runtime_error(type.error().message());
    return *type;
  }
  const engine::TypeDeclaration& declared(std::string_view name) {
    const auto declaration = types.declarationOf(parsed(name));
    if (!declaration) throw std::runtime_error(declaration.error().message());
    return **declaration;
  }

 private:
  TestAssembly m_file;

 public:
  engine::MetadataTypes types;
  engine::AssemblyId home;
};

}  // namespace heapscape::test
