// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/mcp/mcp_answer.h"
#include "cli/mcp/mcp_tools.h"
#include "cli/open_dump.h"

namespace heapscape::cli {

/// Answers messages of the Model Context Protocol: JSON-RPC 2.0 with tools and resources
/// (modelcontextprotocol.io/specification, revisions 2024-11-05, 2025-03-26 and 2025-06-18). Dumps stay open between
/// calls. Not to be used from several threads.
class McpServer {
 public:
  /// `context`: options that hold for all tools. `showsContents`: what strings and fields hold may be told.
  McpServer(Context& context, bool showsContents);

  /// Opens a dump, as the tool does: what info tells of it, and the name that it has from now on.
  engine::Outcome<nlohmann::json> open(const std::string& path);

  /// The answer to one message, as one line without its end; empty where none is due.
  std::string answer(const std::string& message);

 private:
  using json = nlohmann::json;
  struct Dump {
    explicit Dump(std::string file) : path(file), open(std::move(file)) {}
    std::string path;
    OpenDump open;
  };
  struct Failure {
    int code;
    std::string message;
  };

  std::optional<json> answerTo(const json& message);
  std::optional<json> answerToOne(const json& request);
  tl::expected<json, Failure> call(const std::string& method, const json& parameters);
  json initialize(const json& parameters) const;
  json listTools() const;
  tl::expected<json, Failure> callTool(const json& parameters);
  engine::Outcome<json> run(const McpTool& tool, const json& arguments, std::string& text);
  json listDumps() const;
  engine::Outcome<Dump*> dumpOf(const json& arguments, const char* name);
  engine::Outcome<json> ask(std::vector<std::string> words, Dump& dump, const std::string& other);

  Context& m_context;
  Options m_options;
  std::vector<McpTool> m_tools;
  std::map<std::string, std::unique_ptr<Dump>> m_dumps;
};

}  // namespace heapscape::cli
