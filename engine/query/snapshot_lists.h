// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>

#include "base/result.h"
#include "query/query_list.h"
#include "session/door/snapshot.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

enum class QueryListKind : std::uint8_t { Types, Strings, Roots, Handles, Threads, Statics };
inline constexpr std::array kQueryListKinds{QueryListKind::Types,   QueryListKind::Strings, QueryListKind::Roots,
                                            QueryListKind::Handles, QueryListKind::Threads, QueryListKind::Statics};
/// "types", "strings", "roots", "handles", "threads", "statics".
const char* toString(QueryListKind kind);

/// Reads a list of the dump for queries. The snapshot lives as long as the list.
Outcome<QueryList> queryListOf(const Snapshot& snapshot, QueryListKind kind, std::stop_token stop);

/// The fields of types alone.
const QuerySchema& typeSchema();
/// Types by these counts: row n is TypeId n.
QueryList typeList(const Snapshot& snapshot, const TypeCounts& counts);

/// selectTypes(), with a text that may be a query of typeSchema(): fails with BadQuery for one that is wrong.
Outcome<TypeSelection> queryTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                  std::stop_token stop);

}  // namespace heapscape::engine
