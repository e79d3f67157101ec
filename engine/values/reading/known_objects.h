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

  /// The value of a field; nothing if there is none, or if it is damaged.
  std::optional<Value> read(std::string_view field) const;
};

/// Its text, or nothing where it cannot be read. Whether the text has letters of strings is in `isString`.
using ReadObject = std::optional<Value> (*)(const KnownObject&);

// Name of what an object stands for: a type, a method, a field, an assembly.
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

/// Whether objects of a type are such as readKnownObject() reads.
bool isKnownObjectType(const InstanceSources& sources, const TypeShape& type);

/// The value of an object that people read as one thing: an IPAddress, what a WeakReference still refers to, a value of
/// JSON, a record or union of F#; of a RuntimeType, MethodInfo, Assembly … the name of what it stands for. Nothing for
/// every other object, and where it has not the fields that we know. `references`: that were followed to this object.
/// `shown`: bytes of the text that count, see ValueExtent.
std::optional<Value> readKnownObject(const ValueReader& reader, Address object, std::size_t references,
                                     std::size_t shown = SIZE_MAX);

}  // namespace heapscape::engine
