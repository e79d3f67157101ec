// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "metadata/metadata.h"
#include "metadata/metadata_tables.h"
#include "metadata/names/name_index.h"
#include "metadata/row_index.h"
#include "metadata/table_columns.h"

namespace heapscape::engine {

/// What stands behind Metadata: the tables and the indices over them, each built when first asked.
struct Metadata::Parts {
  Parts(MetadataTables metadataTables, std::shared_ptr<const void> bytesOwner)
      : tables(std::move(metadataTables)), owner(std::move(bytesOwner)) {}

  MetadataTables tables;
  std::shared_ptr<const void> owner;
  RowIndex nestedClasses{tables, TableId::NestedClass, columns::nestedClass::Nested};
  RowIndex genericParams{tables, TableId::GenericParam, columns::genericParam::Owner};
  RowIndex classLayouts{tables, TableId::ClassLayout, columns::classLayout::Parent};
  RowIndex fieldLayouts{tables, TableId::FieldLayout, columns::fieldLayout::Field};
  RowIndex fieldMarshals{tables, TableId::FieldMarshal, columns::fieldMarshal::Parent};
  RowIndex constants{tables, TableId::Constant, columns::constant::Parent};
  RowIndex customAttributes{tables, TableId::CustomAttribute, columns::customAttribute::Parent};
  RowIndex methodRuns{tables, TableId::TypeDef, columns::typeDef::MethodList};
  RowIndex methodPointers{tables, TableId::MethodPtr, columns::pointer::Target};
  NameIndex names;
};

}  // namespace heapscape::engine
