// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/description.h"

namespace heapscape::cli {

/// The manual page heapscape-cli(1) in mdoc: all verbs with their options, environment, files, examples. `meaning` is
/// the program in a few sentences. Its date is SOURCE_DATE_EPOCH's, where that is set, otherwise today's.
std::string manualPage(const std::vector<VerbDescription>& verbs, const std::string& meaning);

}  // namespace heapscape::cli
