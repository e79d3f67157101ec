// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "output/row_selection.h"
#include "review/board.h"
#include "tables/table.h"

namespace heapscape::engine {

ReviewCell countCell(std::uint64_t count);
/// "1.43 MB", and the exact number.
ReviewCell bytesCell(std::uint64_t bytes);
/// "1.43 MB", "−512 B": what would be won back, negative where there would be more.
ReviewCell savedBytesCell(std::int64_t bytes);
/// "12.3%", sorted by thousandths of a percent; "<0.1%" and ">99.9%" where it is not exactly none or all.
ReviewCell percentCell(std::uint64_t part, std::uint64_t whole);
/// A cell of a text that may hold contents, with its redacted form: that alone where it is redacted already.
ReviewCell contentsCell(bool isRedacted, std::string text, std::string redacted);
/// Empty for 0.
ReviewCell addressCell(Address address);

std::string percentText(std::uint64_t part, std::uint64_t whole);

/// The rows of a list as a table of a page: the columns of these names, titled and written as the list describes them.
ReviewTable describedRows(const Table& table, const std::vector<std::string_view>& columns,
                          const RowSelection& selection);

}  // namespace heapscape::engine
