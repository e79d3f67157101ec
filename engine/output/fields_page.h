// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace heapscape::engine {

/// The manual's page of all fields of all lists, in Markdown: resources/manual/fields.md.
std::string fieldsPage();

}  // namespace heapscape::engine
