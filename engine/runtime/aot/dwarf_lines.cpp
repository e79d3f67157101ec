// SPDX-License-Identifier: MIT
#include "runtime/aot/dwarf_lines.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "runtime/aot/dwarf_unit.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostDwarfLines = 64'000'000;

tl::unexpected<Error> linesDamaged() {
  return failure(ErrorCode::Damaged, "The lines in the program's debugging information are damaged.");
}

}  // namespace

Result<DwarfLines> DwarfLines::read(DwarfFile& file) {
  HEAPSCAPE_TRY(Dwarf * dwarf, file.dwarf());
  HEAPSCAPE_TRY(const DwarfTexts texts, DwarfTexts::of(dwarf));
  auto unit = managedUnitOf(dwarf, texts);
  if (!unit) return failure(ErrorCode::NotFound, "The program's debugging information tells of no managed code.");
  Dwarf_Lines* table = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&*unit, &table, &count) != 0 || count > kMostDwarfLines) return linesDamaged();
  DwarfLines read;
  read.m_lines.reserve(count);
  std::unordered_map<const char*, std::uint32_t> files;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* one = dwarf_onesrcline(table, i);
    Dwarf_Addr address = 0;
    int line = 0;
    bool isEnd = false;
    if (!one || dwarf_lineaddr(one, &address) != 0 || dwarf_lineno(one, &line) != 0 ||
        dwarf_lineendsequence(one, &isEnd) != 0)
      return linesDamaged();
    const char* name = isEnd ? nullptr : dwarf_linesrc(one, nullptr, nullptr);
    Line& added = read.m_lines.emplace_back(Line{.address = address});
    if (!name || line <= 0) continue;
    const auto [known, isNew] = files.try_emplace(name, static_cast<std::uint32_t>(read.m_files.size()));
    if (isNew) read.m_files.emplace_back(name);
    added.file = known->second;
    added.line = static_cast<std::uint32_t>(line);
  }
  // Where a sequence ends another may begin, which goes before.
  std::ranges::stable_sort(read.m_lines, [](const Line& a, const Line& b) {
    return a.address != b.address ? a.address < b.address : (a.line == 0 && b.line != 0);
  });
  return read;
}

std::optional<SourceLine> DwarfLines::find(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(m_lines, address, {}, &Line::address);
  if (behind == m_lines.begin()) return std::nullopt;
  const Line& found = *std::prev(behind);
  if (found.line == 0) return std::nullopt;
  return SourceLine{m_files[found.file], found.line};
}

}  // namespace heapscape::engine
