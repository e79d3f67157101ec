// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// JSON as Newtonsoft.Json keeps it: an object is a list of properties, each with a name and a token.
Result<std::unique_ptr<Collection>> makeTokenObject(const Instance& object);
Result<std::unique_ptr<Collection>> makeTokenList(const Instance& list);  // JArray, JConstructor
Result<std::unique_ptr<Collection>> makeTokenProperty(const Instance& property);

}  // namespace heapscape::engine
