// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "review/board.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Title of the page that a review begins with by itself; it is found by that again.
inline constexpr const char* kOpeningTitle = "The dump at a glance";

/// The page that a review of a dump begins with: dump, runtime, heap, live and garbage, and, from the stage Retained
/// on, what retains most by its roots. Needs the stage Objects.
Outcome<ReviewPage> openingPage(const Snapshot& snapshot, std::stop_token stop);

/// "shop-10, 28 Nov: 64.0% of 28.9 MB is garbage", for a review without a title. `day`: as it is to be written.
std::string proposedTitle(const Snapshot& snapshot, std::string_view day);

/// Figures about the dump, each a name and a value; for the report of a dump as well.
ReviewTable factsTable(const Snapshot& snapshot);

}  // namespace heapscape::engine
