// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "layout/declared/assembly_source.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// Finds assemblies among the modules of a dump, whose metadata serves as well as a file's.
class DumpFinder : public AssemblyFinder {
 public:
  DumpFinder(std::shared_ptr<const RuntimeReaders> readers, std::filesystem::path dump)
      : m_readers(std::move(readers)), m_dump(std::move(dump)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override { return {m_dump.string()}; }

 private:
  std::shared_ptr<const RuntimeReaders> m_readers;
  std::filesystem::path m_dump;
};

}  // namespace heapscape::engine
