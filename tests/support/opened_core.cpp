// SPDX-License-Identifier: MIT
#include "support/opened_core.h"

#include <stdexcept>

namespace heapscape::test {

std::shared_ptr<const engine::DumpFile> openDump(const std::filesystem::path& path) {
  engine::StageProgress progress(nullptr, "opening", 0, 1);
  auto file = engine::DumpFile::open(path, progress, {});
  if (!file) throw std::runtime_error(file.error().isCancelled() ? "cancelled" : file.error().error().message());
  return *file;
}

OpenedCore::OpenedCore(const CoreBuilder& builder) {
  // The file may go when it is open: the engine keeps it mapped.
  const TemporaryFolder folder;
  builder.write(folder / "core");
  open(folder / "core");
}

OpenedCore::OpenedCore(const std::filesystem::path& path) {
  open(path);
}

void OpenedCore::open(const std::filesystem::path& path) {
  m_file = openDump(path);
  auto core = engine::parseElfCore(m_file->bytes());
  if (!core) throw std::runtime_error(core.error().message());
  m_core = std::move(*core);
  m_space.emplace(m_file, m_core);
}

}  // namespace heapscape::test
