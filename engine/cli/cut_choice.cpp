// SPDX-License-Identifier: MIT
#include "cli/cut_choice.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/address_file.h"
#include "session/objects/object_query.h"

namespace heapscape::cli {

CLI::Option* CutChoice::addOptions(CLI::App& app, const std::string& description) {
  const auto complaint = [](const std::string& text) {
    const auto checked = engine::checkCut(text);
    return checked ? std::string() : checked.error().message();
  };
  return app.add_option("--without", m_cuts, description)
      ->type_name("CUT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->check(complaint, "");
}

engine::Outcome<engine::WhatIf> CutChoice::read(const engine::Snapshot& snapshot, std::stop_token stop) const {
  const auto objectsIn = [&](std::string_view file) -> engine::Outcome<std::vector<std::uint32_t>> {
    engine::ObjectSet set;
    HEAPSCAPE_TRY(set.objects, readAddressFile(std::string(file), "file of objects"));
    return engine::idsOfSet(snapshot, set, stop);
  };
  std::vector<engine::Cut> cuts;
  for (const std::string& text : m_cuts) {
    HEAPSCAPE_TRY(engine::Cut cut, engine::readCut(snapshot, text, stop, objectsIn));
    cuts.push_back(std::move(cut));
  }
  return engine::WhatIf::ask(snapshot, std::move(cuts), nullptr, std::move(stop));
}

}  // namespace heapscape::cli
