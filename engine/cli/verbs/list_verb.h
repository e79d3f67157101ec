// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "cli/verb.h"
#include "lists/lists.h"

namespace heapscape::cli {

/// The verb that writes a list's rows, with the options that the list understands.
std::unique_ptr<Verb> makeListVerb(const engine::List& list);

}  // namespace heapscape::cli
