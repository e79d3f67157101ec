// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace heapscape::cli {

/// What a tool asks the command line: a verb and its words, without the dump.
struct VerbQuestion {
  std::vector<std::string> words;
  std::string member;  // of the verb's JSON that the answer is about; empty for all of it
};

/// A question that an assistant may ask, with typed arguments, answered by verbs of the command line.
struct McpTool {
  /// Which dumps it is about.
  enum class About : std::uint8_t { NoDump, OneDump, TwoDumps };

  std::string name;
  std::string title;
  std::string description;
  About about = About::OneDump;
  nlohmann::json properties = nlohmann::json::object();  // of its arguments, as JSON Schema has them
  std::vector<std::string> required = {};
  nlohmann::json output = {};  // JSON Schema of the answer; null where it has many forms
  bool isPaged = false;        // takes limit and offset, which are about the rows of the first member
  /// The questions for these arguments, which fit the schema. Several answers become one, member by member.
  std::function<engine::Result<std::vector<VerbQuestion>>(const nlohmann::json& arguments)> questions = {};
};

/// All tools, in the order that they are listed. `showsContents`: what strings and fields hold may be asked for.
std::vector<McpTool> mcpTools(bool showsContents);

/// JSON Schema of a tool's arguments.
nlohmann::json inputSchemaOf(const McpTool& tool);
/// Why the arguments do not fit a tool's schema; empty if they do.
std::string problemOf(const nlohmann::json& arguments, const McpTool& tool);

}  // namespace heapscape::cli
