// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "session/details/object_details.h"

namespace heapscape::test {

/// The first objects of the type with exactly this name, in address order.
std::vector<engine::ObjectRow> rowsOf(const engine::Snapshot& snapshot, const std::string& type,
                                      std::size_t limit = 200, std::uint64_t minimumBytes = 0);

/// All about them; those that cannot be read are left out.
std::vector<engine::ObjectDetails> objectsOf(const engine::Snapshot& snapshot, const std::string& type);

/// Throws unless there is exactly one.
engine::ObjectDetails onlyObjectOf(const engine::Snapshot& snapshot, const std::string& type);

/// Throws if there is no field of that name.
const engine::FieldValue& fieldOf(const std::vector<engine::FieldValue>& fields, const std::string& name);

}  // namespace heapscape::test
