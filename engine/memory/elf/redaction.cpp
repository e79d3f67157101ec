// SPDX-License-Identifier: MIT
#include "memory/elf/redaction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heapscape::engine {
namespace {

std::string textIn(const nlohmann::json& said, const char* name) {
  const auto member = said.find(name);
  return member != said.end() && member->is_string() ? member->get<std::string>() : std::string();
}

}  // namespace

bool Redaction::keeps(const std::string& choice) const {
  return hasContents || std::ranges::count(kept, choice) > 0;
}

Redaction parseRedaction(Bytes note) {
  Redaction redaction;
  redaction.text.assign(reinterpret_cast<const char*>(note.data()), note.size());
  const auto said = nlohmann::json::parse(redaction.text, nullptr, false);
  if (!said.is_object()) return redaction;
  redaction.date = textIn(said, "date");
  redaction.hasContents = textIn(said, "contents") == "kept";
  redaction.dumpKind = textIn(said, "dump");
  if (const auto kept = said.find("kept"); kept != said.end() && kept->is_array())
    for (const auto& one : *kept)
      if (one.is_string()) redaction.kept.push_back(one.get<std::string>());
  return redaction;
}

std::string writeRedaction(const Redaction& redaction) {
  const nlohmann::ordered_json said{{"date", redaction.date},
                                    {"contents", redaction.hasContents ? "kept" : "removed"},
                                    {"dump", redaction.dumpKind},
                                    {"kept", redaction.kept}};
  return said.dump();
}

}  // namespace heapscape::engine
