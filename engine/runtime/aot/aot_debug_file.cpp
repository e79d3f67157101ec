// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_debug_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include "memory/elf/elf_image.h"
#include "memory/file_backed_memory.h"
#include "memory/files/recorded_path.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kDebugSuffix = ".dbg";

}  // namespace

std::string AotDebugFile::fileName() const {
  const FileBackedMemory* files = m_memory.files();
  const auto program = files ? files->fileAt(m_program.base) : std::nullopt;
  const std::string link = program ? DwarfFile::linkOf(*program) : std::string();
  return link.empty() ? fileNameOf(m_program.path) + std::string(kDebugSuffix) : link;
}

const std::vector<std::filesystem::path>& AotDebugFile::others() const {
  types();
  return m_others;
}

const AotToldTypes* AotDebugFile::types() const {
  std::call_once(m_once, [this] { find(); });
  return m_types.get();
}

const std::filesystem::path& AotDebugFile::file() const {
  types();
  return m_file;
}

const std::string& AotDebugFile::problem() const {
  types();
  return m_problem;
}

std::optional<SourceLine> AotDebugFile::lineOf(Address instruction) const {
  std::call_once(m_linesOnce, [this] { readLines(); });
  return m_lines && instruction >= m_bias ? m_lines->find(instruction - m_bias) : std::nullopt;
}

void AotDebugFile::readLines() const {
  auto file = types() ? DwarfFile::openMatching(m_file, m_program.buildId) : std::nullopt;
  auto lines = file ? DwarfLines::read(*file) : failure(ErrorCode::NotFound, {});
  if (lines) m_lines = std::move(*lines);
}

void AotDebugFile::find() const {
  const FileBackedMemory* files = m_memory.files();
  const auto image = ElfImage::at(m_memory, m_program.base);
  if (!files || !image || m_program.buildId.empty()) return;
  const std::string name = fileName();
  std::vector<std::filesystem::path> candidates =
      files->candidatesFor(std::filesystem::path(m_program.path).replace_filename(name).string());
  if (const auto program = files->fileAt(m_program.base)) {
    candidates.push_back(std::filesystem::path(*program).replace_filename(name));
    candidates.push_back(*program);
  }
  for (const std::filesystem::path& candidate : candidates) {
    auto file = DwarfFile::openMatching(candidate, m_program.buildId);
    std::error_code error;
    if (!file && candidate.filename() == name && std::filesystem::is_regular_file(candidate, error) &&
        std::ranges::find(m_others, candidate) == m_others.end())
      m_others.push_back(candidate);
    if (!file) continue;
    auto types = AotToldTypes::read(*file, image->bias(), m_methodTables, m_modules, m_names);
    if (types) {
      m_types = std::move(*types);
      m_file = candidate;
      m_bias = image->bias();
      m_problem.clear();
      return;
    }
    m_problem = fmt::format("{} cannot be used: {}", candidate.string(), types.error().what);
  }
}

}  // namespace heapscape::engine
