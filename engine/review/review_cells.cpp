// SPDX-License-Identifier: MIT
#include "review/review_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/figures.h"
#include "output/table_output.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

std::int64_t capped(std::uint64_t number) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

}  // namespace

ReviewCell contentsCell(bool isRedacted, std::string text, std::string redacted) {
  if (isRedacted || text == redacted) return {std::move(redacted)};
  return {std::move(text), {}, std::move(redacted)};
}

ReviewCell countCell(std::uint64_t count) {
  return {readableCount(count), capped(count)};
}

ReviewCell bytesCell(std::uint64_t bytes) {
  return {readableBytes(bytes), capped(bytes)};
}

ReviewCell savedBytesCell(std::int64_t bytes) {
  const std::uint64_t size = bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
  return {(bytes < 0 ? "−" : "") + readableBytes(size), bytes};
}

std::string percentText(std::uint64_t part, std::uint64_t whole) {
  const RoundedPercent percent = roundPercent(part, whole);
  return fmt::format("{}{:.{}f}%", percent.bound ? std::string(1, percent.bound) : "", percent.value, percent.decimals);
}

ReviewCell percentCell(std::uint64_t part, std::uint64_t whole) {
  const double share = whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  return {percentText(part, whole), static_cast<std::int64_t>(share * 100'000)};
}

ReviewCell addressCell(Address address) {
  return {address ? toString(address) : std::string()};
}

namespace {

constexpr double kSharesOfWhole = 1e9;

ReviewCell cellOf(const ListColumn& column, const Cell& cell) {
  if (!cell.isThere()) return {};
  if (column.hidesZero && cell.isEmpty()) return {.text = {}, .number = 0};
  switch (column.kind) {
    case ColumnKind::Count:
    case ColumnKind::Id:
      return countCell(cell.number());
    case ColumnKind::Bytes:
      return bytesCell(cell.number());
    case ColumnKind::SavedBytes:
    case ColumnKind::GrownBytes:
      return savedBytesCell(static_cast<std::int64_t>(cell.number()));
    case ColumnKind::Share:
      if (const double* share = cell.as<double>())
        return percentCell(static_cast<std::uint64_t>(*share * kSharesOfWhole),
                           static_cast<std::uint64_t>(kSharesOfWhole));
      break;
    case ColumnKind::Address:
      return addressCell(cell.as<Address>() ? *cell.as<Address>() : Address{});
    default:
      break;
  }
  return {printable(readableCell(column, cell))};
}

}  // namespace

ReviewTable describedRows(const Table& table, const std::vector<std::string_view>& columns,
                          const RowSelection& selection) {
  const std::vector<std::size_t> indices = table.description->indicesOf(columns);
  ReviewTable page;
  for (const std::size_t index : indices) {
    const ListColumn& column = table.description->columns[index];
    page.columns.push_back({column.title, column.kind, column.holdsContents});
  }
  const auto rows = static_cast<std::uint32_t>(std::min<std::size_t>(selection.limit, table.rows));
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::vector<ReviewCell>& cells = page.rows.emplace_back();
    for (const std::size_t index : indices) {
      const ListColumn& column = table.description->columns[index];
      ReviewCell cell = cellOf(column, selection.isRedacted ? table.redacted(row, index) : table.cell(row, index));
      // Names that the program gave are left out of a text that stays.
      if (!selection.isRedacted && !column.holdsContents) {
        std::string without = cellOf(column, table.redacted(row, index)).text;
        if (without != cell.text) cell.redacted = std::move(without);
      }
      cells.push_back(std::move(cell));
    }
  }
  page.rowsLeftOut = table.rows - rows;
  return page;
}

}  // namespace heapscape::engine
