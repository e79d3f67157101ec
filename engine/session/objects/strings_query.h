// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// All strings with the same characters.
struct StringGroup {
  std::string value;         // UTF-8, cut at 200 characters
  std::uint32_t length = 0;  // in UTF-16 units
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;        // aligned, all of them
  std::uint64_t wastedBytes = 0;  // all but one of them
  Address example;
};

struct StringList {
  std::vector<StringGroup> groups;                                      // by wasted bytes, then bytes, largest first
  std::uint64_t strings = 0, bytes = 0, distinct = 0, wastedBytes = 0;  // of all that match
  std::uint64_t unreadable = 0;  // strings whose characters the dump does not hold; not in any other figure
};

/// Strings grouped by their characters. `text`: only those that hold it, case kept; `limit`: at most so many groups.
/// Fails with BadQuery if the text is no UTF-8.
Outcome<StringList> listStrings(const Snapshot& snapshot, const std::string& text, std::size_t limit,
                                std::stop_token stop);

}  // namespace heapscape::engine
