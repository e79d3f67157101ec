// SPDX-License-Identifier: MIT
#include "cli/root_choice.h"

#include <CLI/CLI.hpp>

#include "cli/address_file.h"

namespace heapscape::cli {

void RootChoice::addOptions(CLI::App& app) {
  auto* file = app.add_option("--roots", m_file, "Only the objects in FILE as roots, an address a line");
  file->type_name("FILE");
  app.add_flag("!--no-stacks", m_options.includeStacks, "Without stacks as roots")->excludes(file);
}

engine::Result<engine::RootOptions> RootChoice::read() const {
  if (m_file.empty()) return m_options;
  engine::RootOptions options = m_options;
  HEAPSCAPE_TRY(options.only, readAddressFile(m_file, "file of roots"));
  return options;
}

}  // namespace heapscape::cli
