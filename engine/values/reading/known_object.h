// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "values/instance.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// One object of a known type: how its readers get at what it holds.
struct KnownObject {
  const ValueReader& reader;
  const Instance& instance;
  std::size_t references;  // that were followed to this object

  /// What a field holds; nothing if there is none, or if it is damaged.
  std::optional<Value> read(std::string_view field) const;
};

/// Its text, or nothing where it cannot be read. Whether the text has letters of strings is in `isString`.
using ReadObject = std::optional<Value> (*)(const KnownObject&);

// What stands for a type, a method, a field, an assembly: its name.
std::optional<Value> runtimeTypeValue(const KnownObject& object);
std::optional<Value> methodInfoValue(const KnownObject& object);
std::optional<Value> fieldInfoValue(const KnownObject& object);
std::optional<Value> memberInfoValue(const KnownObject& object);  // that has its name itself: a property, a literal …
std::optional<Value> parameterInfoValue(const KnownObject& object);
std::optional<Value> assemblyValue(const KnownObject& object);
std::optional<Value> moduleValue(const KnownObject& object);

std::optional<Value> ipAddressValue(const KnownObject& object);
std::optional<Value> weakReferenceValue(const KnownObject& object);
std::optional<Value> jsonDocumentValue(const KnownObject& object);
std::optional<Value> jsonValueValue(const KnownObject& object);
std::optional<Value> jValueValue(const KnownObject& object);
std::optional<Value> jPropertyValue(const KnownObject& object);

}  // namespace heapscape::engine
