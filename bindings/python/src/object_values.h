// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "values/reading/collection_reader.h"
#include "values/value.h"

namespace heapscape::python {

/// What parts of an object hold, as Python has it: numbers, bool, None for null, str for strings that are whole and for
/// all else that people read as one thing, dict for other value types, and what `object` makes of an address.
/// With `redact` None stands for contents. All need the GIL.
pybind11::dict fieldsOf(const std::vector<engine::FieldValue>& fields, const pybind11::function& object, bool redact);
pybind11::list elementsOf(const std::vector<engine::FieldValue>& elements, const pybind11::function& object,
                          bool redact);
/// Items of a collection; pairs of key and value where it has keys.
pybind11::list itemsOf(const std::vector<engine::CollectionItem>& items, bool haveKeys,
                       const pybind11::function& object, bool redact);

}  // namespace heapscape::python
