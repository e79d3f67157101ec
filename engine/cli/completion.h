// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/description.h"

namespace heapscape::cli {

/// Scripts with which shells complete verbs, options, their values and files. They are complete in themselves: pressing
/// Tab does not start the program.
std::string bashCompletion(const std::vector<VerbDescription>& verbs);
std::string zshCompletion(const std::vector<VerbDescription>& verbs);
std::string fishCompletion(const std::vector<VerbDescription>& verbs);

}  // namespace heapscape::cli
