// SPDX-License-Identifier: MIT
#pragma once

#include "values/collections/collection.h"

namespace heapscape::engine {

// Collections that keep their items in an array of entries, some of which may be unused.
Result<std::unique_ptr<Collection>> makeDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeHashSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeHashtable(const Instance& table);

}  // namespace heapscape::engine
