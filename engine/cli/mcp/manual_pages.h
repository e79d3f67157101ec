// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace heapscape::cli {

/// A page of the manual: its name without an ending, and its Markdown.
struct ManualPage {
  std::string_view name;
  std::string_view text;
};

/// All of resources/manual, by name.
extern const std::span<const ManualPage> kManualPages;

}  // namespace heapscape::cli
