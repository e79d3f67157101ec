// SPDX-License-Identifier: MIT
#pragma once

#include "layout/declared/assembly_list.h"
#include "layout/declared/closed_type_table.h"
#include "layout/declared/declaration_reader.h"
#include "layout/declared/definition_resolver.h"
#include "layout/declared/definition_table.h"
#include "layout/declared/finders/named_type_finder.h"
#include "layout/declared/metadata_types.h"
#include "layout/declared/type_closer.h"
#include "layout/declared/type_namer.h"

namespace heapscape::engine {

/// What stands behind MetadataTypes, each part built on those above it.
struct MetadataTypes::Parts {
  explicit Parts(std::shared_ptr<AssemblyFinder> finder)
      : assemblies(std::move(finder), [this] { return reading.isNone() ? std::string() : namer.nameOf(reading); }) {}
  Parts(const Parts&) = delete;

  AssemblyList assemblies;
  DefinitionResolver resolver{assemblies};
  DefinitionTable definitions{assemblies, resolver};
  ClosedTypeTable types;
  TypeCloser closer{assemblies, resolver, definitions, types};
  NamedTypeFinder names{assemblies, resolver, definitions, closer};
  TypeNamer namer{assemblies, types};
  DeclarationReader reader{assemblies, definitions, closer, types};
  ClosedTypeId reading;                                                      // whose declaration is being read
  std::vector<std::unique_ptr<const Result<TypeDeclaration>>> declarations;  // by number
};

}  // namespace heapscape::engine
