// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "session/async/suspended_methods.h"
#include "session/stacks/variable_types.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// The locals and parameters that the continuation of an async method keeps, by the debug info of its code. Their names
/// are the PDB's, those of parameters the assembly's own. For one thread.
class SuspendedLocals {
 public:
  /// `methods` outlives this.
  SuspendedLocals(const Contents& contents, SuspendedMethods& methods);

  /// Where a continuation goes on; null for an object that is none.
  const SuspendedMethod* methodOf(Address continuation);
  /// "Shop.Orders.PlaceAsync, at await 1"; empty for an object that is none.
  std::string placeText(Address continuation);
  /// What a place of a continuation is for, by bytes from its address: "local order", "parameter customer", "local
  /// price.Currency", "execution context"; empty where that is not known.
  std::string nameAt(Address continuation, std::uint64_t offset);
  /// Parameters first, `this` the first of them; then locals by their slots. Empty where nothing is known.
  std::vector<FieldValue> of(Address continuation);

  struct Variable {
    bool isParameter = false;
    std::string name;
    Slot slot;
    std::uint32_t offset = 0;  // from the object's address
  };
  /// The same without their values.
  std::vector<Variable> variablesOf(Address continuation);

 private:
  std::vector<Variable> variablesOf(Address continuation, const SuspendedMethod& method) const;
  SignatureContext contextIn(Address continuation, const SuspendedMethod& method, const MethodDesc& desc) const;
  Address pointerIn(Address continuation, const SuspendedMethod& method, std::int32_t variable) const;

  const RuntimeReaders& m_readers;
  SuspendedMethods& m_methods;
  ContinuationReader m_continuations;
  VariableTypes m_types;
  ValueReader m_values;
};

}  // namespace heapscape::engine
