// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <memory>
#include <vector>

#include "models/rows/rows_model.h"
#include "query/objects/object_search.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// Result of a search.
struct FoundObjectList {
  engine::Snapshot snapshot;
  engine::ObjectSearch search;
  engine::FoundObjects found;
};

/// Fields of objects in columns, in the order of the table's sections.
using ObjectColumns = std::vector<engine::QueryFieldReference>;

/// These, then all others that every object has, then paths of field("…").
ObjectColumns allObjectColumns(const std::vector<engine::ObjectField>& first, const QStringList& paths);
/// `shown`: so many of them are shown at first, and all paths.
std::vector<ColumnSetup> objectSetups(const ObjectColumns& columns, std::size_t shown);
/// Columns to ask the engine for: those that do not follow from what it says of every object.
ObjectColumns describedColumns(const ObjectColumns& columns);

/// All objects of an answer, millions if need be, in the order that the engine has made. Of `columns` only those that
/// are `described` are read.
std::shared_ptr<const PagedRows> objectRows(std::shared_ptr<const FoundObjectList> list, const ObjectColumns& columns,
                                            const ObjectColumns& described);

/// Those of the first page, if the search has told of them already, with the same columns; else null.
std::shared_ptr<const RowList> firstObjectRows(const FoundObjectList& list, const ObjectColumns& columns,
                                               const ObjectColumns& described);

/// The line of an object; -1 if it is none of them. All of them are looked at, which millions take milliseconds for.
int lineOf(const FoundObjectList& list, engine::Address object);
bool isLineOf(const FoundObjectList& list, int line, engine::Address object);

}  // namespace heapscape::gui
