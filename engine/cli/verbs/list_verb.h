// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "cli/verb.h"
#include "lists/lists.h"

namespace heapscape::cli {

/// The verb that writes a list's rows, with the options that the list understands.
std::unique_ptr<Verb> makeListVerb(const engine::List& list);

/// The answer of a verb whose rows are those of a table, in every form.
engine::Outcome<void> writeList(Context& context, const engine::Snapshot& snapshot, const engine::Table& table);

}  // namespace heapscape::cli
