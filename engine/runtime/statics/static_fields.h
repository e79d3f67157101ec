// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/modules/modules.h"
#include "runtime/statics/statics_area.h"

namespace heapscape::engine {

/// Finds the storage of static fields that all threads share, of each generic instantiation for itself.
class StaticFields {
 public:
  StaticFields(const MethodTables& methodTables, const Modules& modules, const FieldDescs& fields)
      : m_methodTables(methodTables), m_modules(modules), m_fields(fields) {}

  /// Initialised: the type's constructor has run, where it has one. A type that was never used has no areas. Fails with
  /// NotInDump or Damaged.
  Result<StaticsArea> areaOf(const MethodTable& type) const;
  /// Where a field that was initialised from the image lies. Fails with NotFound, NotInDump or Damaged.
  Result<Address> addressOfRva(const FieldDesc& field, const MethodTable& type) const;

 private:
  Result<StaticsArea> areaBesideMethodTable(const MethodTable& type) const;
  Result<StaticsArea> areaInModule(const MethodTable& type) const;

  const MethodTables& m_methodTables;
  const Modules& m_modules;
  const FieldDescs& m_fields;
};

}  // namespace heapscape::engine
