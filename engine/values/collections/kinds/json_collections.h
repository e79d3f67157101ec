// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// JSON of System.Text.Json: objects with members by name, arrays. Until someone looks into it, a node that was parsed
// is nothing but a part of the text.
Result<std::unique_ptr<Collection>> makeJsonDocument(const Instance& document);
Result<std::unique_ptr<Collection>> makeJsonElement(const Instance& element);  // a value type
Result<std::unique_ptr<Collection>> makeJsonObject(const Instance& object);
Result<std::unique_ptr<Collection>> makeJsonArray(const Instance& array);
/// The members of a JsonObject on .NET 8.
Result<std::unique_ptr<Collection>> makeJsonProperties(const Instance& dictionary);

}  // namespace heapscape::engine
