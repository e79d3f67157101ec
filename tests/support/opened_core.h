// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "memory/address_space.h"
#include "memory/dump_file.h"
#include "memory/elf/elf_core.h"
#include "support/builders/core_builder.h"
#include "support/temporary_folder.h"

namespace heapscape::test {

/// Opens a dump without progress or stop; throws the message if it cannot.
std::shared_ptr<const engine::DumpFile> openDump(const std::filesystem::path& path);

/// A core file opened as the program does it, with its address space.
class OpenedCore {
 public:
  explicit OpenedCore(const CoreBuilder& builder);
  explicit OpenedCore(const std::filesystem::path& path);

  const engine::ElfCore& core() const { return m_core; }
  const engine::AddressSpace& space() const { return *m_space; }
  const engine::DumpFile& file() const { return *m_file; }

 private:
  void open(const std::filesystem::path& path);

  std::shared_ptr<const engine::DumpFile> m_file;
  engine::ElfCore m_core;
  std::optional<engine::AddressSpace> m_space;
};

}  // namespace heapscape::test
