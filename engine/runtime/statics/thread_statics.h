// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/statics/statics_area.h"

namespace heapscape::engine {

/// Finds the storage of thread statics: [ThreadStatic] fields, which each thread has for itself once it has used them.
class ThreadStatics {
 public:
  ThreadStatics(const MethodTables& methodTables, const FieldDescs& fields)
      : m_methodTables(methodTables), m_fields(fields) {}

  /// Of a type that has thread statics, on one thread. Initialised: the thread has used them; on .NET 8 the storage may
  /// be there before. Fails with NotInDump or Damaged.
  Result<StaticsArea> areaOf(const MethodTable& type, Address thread) const;

 private:
  Result<StaticsArea> areaInThread(const MethodTable& type, Address thread) const;
  Result<Address> storageOf(std::uint32_t tlsIndex, Address thread) const;
  Result<Address> storageInBlock(std::uint32_t tlsIndex, Address block) const;
  Result<Address> storageInFlight(std::uint32_t tlsIndex, Address block) const;
  Result<StaticsArea> areaInModule(const MethodTable& type, Address thread) const;
  Result<Address> arrayBehindHandle(Address handle) const;

  const MethodTables& m_methodTables;
  const FieldDescs& m_fields;
};

}  // namespace heapscape::engine
