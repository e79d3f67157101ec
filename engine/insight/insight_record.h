// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "insight/insight.h"
#include "session/cache/cache_file.h"

namespace heapscape::engine {

/// A list of insights as the cache keeps it. Nothing if its findings are more than are listed.
std::optional<CacheContents> contentsOf(const InsightList& list);

/// The list of a heap of so many objects. Nothing if anything in the file is not as it was written, or cannot be.
std::optional<InsightList> readInsights(const CacheFile& file, std::uint32_t objects, const std::stop_token& stop);

}  // namespace heapscape::engine
