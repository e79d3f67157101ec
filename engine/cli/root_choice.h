// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "session/roots/roots_query.h"

namespace CLI {
class App;
}

namespace heapscape::cli {

/// From which roots a verb sees the heap: --roots FILE, --no-stacks.
class RootChoice {
 public:
  void addOptions(CLI::App& app);
  /// Fails with FileUnreadable if the file of roots is missing or holds something else than addresses.
  engine::Result<engine::RootOptions> read() const;

 private:
  std::string m_file;
  engine::RootOptions m_options;
};

}  // namespace heapscape::cli
