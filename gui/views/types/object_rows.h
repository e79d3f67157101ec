// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "models/rows/rows_model.h"
#include "query/objects/object_search.h"
#include "session/door/snapshot.h"

namespace heapscape::gui {

/// What a search has found.
struct FoundObjectList {
  engine::Snapshot snapshot;
  engine::ObjectSearch search;
  engine::FoundObjects found;
};

/// Columns of lists of objects: Address, Type, Size, Retained and Gen are known to them.
using ObjectColumns = std::vector<engine::ObjectField>;
std::vector<ColumnSetup> objectColumns(const ObjectColumns& fields);

/// All objects of an answer, millions if need be, in the order that the engine has made.
std::shared_ptr<const PagedRows> objectRows(std::shared_ptr<const FoundObjectList> list, const ObjectColumns& fields);

/// Those of the first page, if the search has told of them already; else null.
std::shared_ptr<const RowList> firstObjectRows(const FoundObjectList& list, const ObjectColumns& fields);

/// The line of an object; -1 if it is none of them.
int lineOf(const FoundObjectList& list, engine::Address object);

}  // namespace heapscape::gui
