// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "layout/declared/assembly_source.h"

namespace heapscape::engine {

/// Asks one finder after the other. A file that cannot be read does not keep the next ones from being asked; it is
/// named if none of them has the assembly.
class ChainFinder : public AssemblyFinder {
 public:
  explicit ChainFinder(std::vector<std::shared_ptr<AssemblyFinder>> finders) : m_finders(std::move(finders)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;

 private:
  std::vector<std::shared_ptr<AssemblyFinder>> m_finders;
};

}  // namespace heapscape::engine
