// SPDX-License-Identifier: MIT
#include "cli/mcp/mcp_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <string_view>

#include "cli/command_line.h"
#include "cli/mcp/manual_pages.h"

namespace heapscape::cli {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::Outcome;
using engine::Unfinished;
using nlohmann::json;

// JSON-RPC 2.0, and the protocol's own for resources.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParameters = -32602;
constexpr int kResourceNotFound = -32002;

constexpr std::array<std::string_view, 3> kRevisions{"2025-06-18", "2025-03-26", "2024-11-05"};  // the newest first
constexpr std::size_t kMostAnswerBytes = 60'000;
constexpr std::size_t kMostMessagesAtOnce = 100;
constexpr const char* kPagesOfManual = "heapscape://manual/";

json errorOf(const json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

json textContent(const std::string& text) {
  return json::array({{{"type", "text"}, {"text", text}}});
}

/// "shop" of "/dumps/shop.core.zst".
std::string nameFor(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename().string();
  return file.substr(0, file.find('.', 1));
}

json manualPages() {
  json pages = json::array();
  for (const ManualPage& page : kManualPages) {
    const std::string_view title = page.text.substr(2, page.text.find('\n') - 2);  // "# Title"
    pages.push_back({{"uri", kPagesOfManual + std::string(page.name)},
                     {"name", page.name},
                     {"title", title},
                     {"mimeType", "text/markdown"},
                     {"size", page.text.size()}});
  }
  return pages;
}

}  // namespace

McpServer::McpServer(Context& context, bool showsContents)
    : m_context(context), m_options(context.options()), m_tools(mcpTools(showsContents)) {
  m_options.redact = !showsContents;
}

std::string McpServer::answer(const std::string& message) {
  const json parsed = json::parse(message, nullptr, false);
  const std::optional<json> reply =
      parsed.is_discarded() ? errorOf(nullptr, kParseError, "This is no JSON.") : answerTo(parsed);
  return reply ? reply->dump(-1, ' ', false, json::error_handler_t::replace) : std::string();
}

std::optional<json> McpServer::answerTo(const json& message) {
  if (!message.is_array()) return answerToOne(message);
  if (message.empty() || message.size() > kMostMessagesAtOnce)
    return errorOf(nullptr, kInvalidRequest, "So many messages at once are not taken.");
  json answers = json::array();
  for (const json& one : message)
    if (auto reply = answerToOne(one)) answers.push_back(std::move(*reply));
  return answers.empty() ? std::nullopt : std::optional(std::move(answers));
}

std::optional<json> McpServer::answerToOne(const json& request) {
  if (!request.is_object()) return errorOf(nullptr, kInvalidRequest, "A message has to be an object.");
  const bool hasId = request.contains("id");
  const json id = hasId ? request["id"] : json();
  if (hasId && !id.is_string() && !id.is_number()) return errorOf(nullptr, kInvalidRequest, "This is no id.");
  const bool isAnswer = !request.contains("method") && (request.contains("result") || request.contains("error"));
  if (isAnswer) return std::nullopt;  // this server asks nothing
  if (request.value("jsonrpc", json()) != "2.0" || !request.contains("method") || !request["method"].is_string())
    return errorOf(id, kInvalidRequest, "This is no request of JSON-RPC 2.0.");
  if (!hasId) return std::nullopt;  // a notification
  const json parameters = request.value("params", json::object());
  if (!parameters.is_object()) return errorOf(id, kInvalidParameters, "The parameters have to be an object.");
  auto result = call(request["method"], parameters);
  if (!result) return errorOf(id, result.error().code, result.error().message);
  if (result->is_discarded()) return std::nullopt;  // cancelled: nobody waits for it
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(*result)}};
}

tl::expected<json, McpServer::Failure> McpServer::call(const std::string& method, const json& parameters) {
  if (method == "initialize") return initialize(parameters);
  if (method == "ping") return json::object();
  if (method == "tools/list") return listTools();
  if (method == "tools/call") return callTool(parameters);
  if (method == "resources/list") return json{{"resources", manualPages()}};
  if (method == "resources/templates/list") return json{{"resourceTemplates", json::array()}};
  if (method == "resources/read") {
    const json uri = parameters.value("uri", json());
    for (const ManualPage& page : kManualPages)
      if (uri == kPagesOfManual + std::string(page.name))
        return json{{"contents", {{{"uri", uri}, {"mimeType", "text/markdown"}, {"text", page.text}}}}};
    return tl::unexpected(Failure{kResourceNotFound, "There is no such resource."});
  }
  return tl::unexpected(Failure{kMethodNotFound, "There is no such method."});
}

json McpServer::initialize(const json& parameters) const {
  const json wanted = parameters.value("protocolVersion", json());
  const bool isKnown =
      wanted.is_string() && std::ranges::find(kRevisions, wanted.get_ref<const std::string&>()) != kRevisions.end();
  return {{"protocolVersion", isKnown ? wanted : json(kRevisions.front())},
          {"capabilities", {{"tools", json::object()}, {"resources", json::object()}}},
          {"serverInfo", {{"name", "heapscape"}, {"title", "Heapscape"}, {"version", HEAPSCAPE_VERSION}}},
          {"instructions",
           "Heapscape reads core dumps of .NET processes. Open a dump, then begin with overview; insights tells what "
           "is wasted or leaked, why_alive what holds an object, query answers all else. All figures are exact; "
           "what cannot be told is null or said so. Addresses are texts such as \"0x7f12\", sizes are bytes."}};
}

json McpServer::listTools() const {
  json tools = json::array();
  for (const McpTool& tool : m_tools) {
    json one{{"name", tool.name},
             {"title", tool.title},
             {"description", tool.description},
             {"inputSchema", inputSchemaOf(tool)},
             {"annotations", {{"title", tool.title}, {"readOnlyHint", true}, {"openWorldHint", false}}}};
    if (!tool.output.is_null()) one["outputSchema"] = tool.output;
    tools.push_back(std::move(one));
  }
  return {{"tools", std::move(tools)}};
}

tl::expected<json, McpServer::Failure> McpServer::callTool(const json& parameters) {
  const json name = parameters.value("name", json());
  const auto tool = std::ranges::find_if(m_tools, [&](const McpTool& one) { return name == one.name; });
  if (tool == m_tools.end()) return tl::unexpected(Failure{kInvalidParameters, "There is no such tool."});
  const json arguments = parameters.value("arguments", json::object());
  if (const std::string problem = problemOf(arguments, *tool); !problem.empty())
    return tl::unexpected(Failure{kInvalidParameters, problem});
  std::string text;
  auto answer = [&]() -> Outcome<json> {
    try {
      return run(*tool, arguments, text);
    } catch (const std::bad_alloc&) {
      return tl::unexpected(Unfinished(Error{ErrorCode::NotEnoughMemory, "There is not enough memory for this."}));
    }
  }();
  if (answer) {
    if (text.empty()) text = boundedText(*answer, {}, {}, kMostAnswerBytes);
    return json{{"content", textContent(text)}, {"structuredContent", std::move(*answer)}, {"isError", false}};
  }
  if (answer.error().isCancelled()) return json(json::value_t::discarded);
  return json{{"content", textContent(answer.error().error().message())}, {"isError", true}};
}

Outcome<json> McpServer::run(const McpTool& tool, const json& arguments, std::string& text) {
  if (tool.name == "open") return open(arguments["path"].get<std::string>());
  if (tool.name == "dumps") return listDumps();
  const bool isAboutTwo = tool.about == McpTool::About::TwoDumps;
  HEAPSCAPE_TRY(Dump * dump, dumpOf(arguments, isAboutTwo ? "before" : "dump"));
  if (tool.name == "close") {
    std::erase_if(m_dumps, [dump](const auto& one) { return one.second.get() == dump; });
    return listDumps();
  }
  std::string other;
  if (isAboutTwo) {
    HEAPSCAPE_TRY(const Dump* after, dumpOf(arguments, "after"));
    other = after->path;
  }
  HEAPSCAPE_TRY(const std::vector<VerbQuestion> questions, tool.questions(arguments));
  const McpPage page{arguments.value("offset", std::size_t{0}), arguments.value("limit", McpPage().limit)};
  json answer = json::object();
  for (const VerbQuestion& question : questions) {
    std::vector<std::string> words = question.words;
    // One more row than is told shows whether there are more.
    if (tool.isPaged) words.insert(words.begin() + 1, fmt::format("--top={}", page.offset + page.limit + 1));
    HEAPSCAPE_TRY(json one, ask(std::move(words), *dump, other));
    for (const char* of : {"schema", "verb"}) one.erase(of);
    answer.update(one);
  }
  const std::string member = questions.empty() ? std::string() : questions.front().member;
  keepPage(answer, member, page);
  text = boundedText(answer, member, page, kMostAnswerBytes);
  return answer;
}

Outcome<json> McpServer::ask(std::vector<std::string> words, Dump& dump, const std::string& other) {
  std::vector<std::string> files{dump.path};
  if (!other.empty()) files.push_back(other);
  HEAPSCAPE_TRY(const std::string text,
                jsonAnswer(std::move(words), files, m_options, m_context.interrupts(), dump.open));
  return json::parse(text);
}

Outcome<json> McpServer::open(const std::string& path) {
  std::string name = nameFor(path);
  for (int number = 2; m_dumps.contains(name); ++number) name = fmt::format("{}-{}", nameFor(path), number);
  auto dump = std::make_unique<Dump>(path);
  HEAPSCAPE_TRY(json answer, ask({"info"}, *dump, {}));
  for (const char* of : {"schema", "verb"}) answer.erase(of);
  answer["dump"] = name;
  m_dumps.emplace(std::move(name), std::move(dump));
  return answer;
}

json McpServer::listDumps() const {
  json dumps = json::array();
  for (const auto& [name, dump] : m_dumps) dumps.push_back({{"dump", name}, {"path", dump->path}});
  return {{"dumps", std::move(dumps)}};
}

Outcome<McpServer::Dump*> McpServer::dumpOf(const json& arguments, const char* name) {
  const auto failure = [](std::string what, std::string help) {
    return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, std::move(what), std::move(help)}));
  };
  if (arguments.contains(name)) {
    const auto found = m_dumps.find(arguments[name].get<std::string>());
    if (found == m_dumps.end()) return failure("No dump of that name is open.", "The tool dumps tells which are.");
    return found->second.get();
  }
  if (m_dumps.empty()) return failure("No dump is open.", "Open one with the tool open.");
  if (m_dumps.size() > 1) return failure("Several dumps are open.", "Say which one is meant.");
  return m_dumps.begin()->second.get();
}

}  // namespace heapscape::cli
