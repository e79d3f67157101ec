// SPDX-License-Identifier: MIT
#include "runtime/library/global_table_shape.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/contract/contract_selection.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kEntryBytes = 8;
constexpr std::uint64_t kMostDataBytes = 16 << 20;  // of a runtime's library a tenth was seen
constexpr std::uint64_t kFewestEntries = 64;        // half of what the smallest known table has
constexpr std::uint64_t kMostEntries = 4096;        // longer rows are tables of something else
constexpr std::size_t kMostRows = 100;              // five were seen

/// Neighbouring words that are addresses in the library.
struct Row {
  Address start;
  std::uint64_t entries = 0;
  std::uint64_t toData = 0;  // entries that lead to variables
  bool leadsToData() const { return toData * 10 >= entries * 9; }
};

class RowFinder {
 public:
  RowFinder(AddressRange library, std::span<const AddressRange> data) : m_library(library), m_data(data) {}

  void add(Address start, Bytes bytes) {
    Row row;
    for (std::size_t at = 0; at + kEntryBytes <= bytes.size(); at += kEntryBytes) {
      Address entry;
      std::memcpy(&entry, bytes.data() + at, sizeof entry);
      if (!m_library.contains(entry)) {
        finish(row);
        row = {};
        continue;
      }
      if (row.entries++ == 0) row.start = start + at;
      row.toData += std::ranges::any_of(m_data, [&](const AddressRange& range) { return range.contains(entry); });
    }
    finish(row);
  }

  const std::vector<Row>& rows() const { return m_rows; }

 private:
  void finish(const Row& row) {
    if (row.entries >= kFewestEntries && row.entries <= kMostEntries && row.leadsToData() && m_rows.size() < kMostRows)
      m_rows.push_back(row);
  }

  AddressRange m_library;
  std::span<const AddressRange> m_data;
  std::vector<Row> m_rows;
};

class TableFinder {
 public:
  TableFinder(const AddressSpace& space, Architecture architecture, std::string_view version)
      : m_space(space), m_architecture(architecture), m_version(version) {}

  enum class Length : std::uint8_t { WholeRow, Known, Any };

  // What stands beside the table may look like entries of it, and another build's table may have another length.
  std::optional<DynamicSymbol> tableIn(const Row& row, Length length) const {
    const std::uint64_t last = length == Length::WholeRow ? 0 : row.entries - kFewestEntries;
    for (std::uint64_t first = 0; first <= last; ++first) {
      if (const auto found = tableAt(row.start + first * kEntryBytes, row.entries - first, length)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<DynamicSymbol> tableAt(Address start, std::uint64_t entries, Length length) const {
    for (const Contract& contract : Contract::shippedFor(m_version, m_architecture)) {
      for (const Contract::GlobalTable& table : contract.globalTables()) {
        if (length == Length::WholeRow && table.entryCount != entries) continue;
        if (length == Length::Known && table.entryCount > entries) continue;
        const DynamicSymbol globals{start, (length == Length::Any ? entries : table.entryCount) * kEntryBytes, {}};
        if (invariantsHold(m_space, contract, table, globals)) return globals;
      }
    }
    return std::nullopt;
  }

  const AddressSpace& m_space;
  Architecture m_architecture;
  std::string_view m_version;
};

}  // namespace

std::optional<DynamicSymbol> findGlobalTableByShape(const AddressSpace& space, AddressRange library,
                                                    std::span<const AddressRange> data, Architecture architecture,
                                                    std::string_view version) {
  RowFinder finder(library, data);
  for (const AddressRange& range : data) {
    const Address start{alignUp(range.start.value, kEntryBytes)};
    for (const AddressRange& part : space.present({start, std::min(range.end, start + kMostDataBytes)})) {
      const Address first{alignUp(part.start.value, kEntryBytes)};
      if (const auto view = space.view({first, part.end})) finder.add(first, view->bytes);
    }
  }
  const TableFinder tables(space, architecture, version);
  for (const auto length : {TableFinder::Length::WholeRow, TableFinder::Length::Known, TableFinder::Length::Any}) {
    for (const Row& row : finder.rows()) {
      if (const auto found = tables.tableIn(row, length)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace heapscape::engine
