// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "values/instance.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Whether objects of a type are such as readKnownObject() reads.
bool isKnownObjectType(const InstanceSources& sources, const TypeShape& type);

/// What an object that people read as one thing holds: an IPAddress, what a WeakReference still refers to, a value of
/// JSON, a record or union of F#; of a RuntimeType, MethodInfo, Assembly … the name of what it stands for. Nothing for
/// every other object, and where it has not the fields that we know. `references`: that were followed to this object.
std::optional<Value> readKnownObject(const ValueReader& reader, Address object, std::size_t references);

}  // namespace heapscape::engine
