// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cli/mcp/mcp_server.h"
#include "cli/verb.h"

namespace heapscape::cli {
namespace {

using engine::Outcome;

constexpr std::size_t kMostMessageBytes = 4 << 20;
constexpr std::size_t kMostWaiting = 1000;

/// The messages that wait to be answered. A thread reads them, so that a request can be cancelled while it is answered.
class Messages {
 public:
  explicit Messages(Interrupts& interrupts) : m_interrupts(interrupts) {}

  /// Reads standard input to its end.
  void read() {
    std::string line;
    while (std::getline(std::cin, line)) {
      if (line.size() > kMostMessageBytes) line = "{";  // whoever writes so much gets told that this is no message
      if (line.empty() || isCancelled(line)) continue;
      std::unique_lock lock(m_mutex);
      m_room.wait(lock, [this] { return m_waiting.size() < kMostWaiting; });
      m_waiting.push_back(std::move(line));
      m_arrived.notify_one();
    }
    const std::lock_guard lock(m_mutex);
    m_hasEnded = true;
    m_arrived.notify_one();
  }

  /// The next one; nothing after the last, or when the process shall end.
  std::optional<std::string> next() {
    std::unique_lock lock(m_mutex);
    m_current.clear();
    m_arrived.wait(lock, m_interrupts.next(), [this] { return !m_waiting.empty() || m_hasEnded; });
    if (m_waiting.empty()) return std::nullopt;
    std::string message = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = idOf(nlohmann::json::parse(message, nullptr, false));
    m_room.notify_one();
    return message;
  }

 private:
  static std::string idOf(const nlohmann::json& message) {
    return message.is_object() && message.contains("id") ? message["id"].dump(-1, ' ', true) : std::string();
  }

  /// Whether a message takes back a request: the one that is answered now is stopped, one that waits is forgotten.
  bool isCancelled(const std::string& line) {
    if (line.find("notifications/cancelled") == std::string::npos) return false;
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (!message.is_object() || message.value("method", nlohmann::json()) != "notifications/cancelled") return false;
    const auto parameters = message.value("params", nlohmann::json());
    if (!parameters.is_object() || !parameters.contains("requestId")) return true;
    const std::string id = parameters["requestId"].dump(-1, ' ', true);
    const std::lock_guard lock(m_mutex);
    if (!m_current.empty() && id == m_current) m_interrupts.interrupt();
    std::erase_if(m_waiting, [&](const std::string& waiting) {
      return idOf(nlohmann::json::parse(waiting, nullptr, false)) == id;
    });
    return true;
  }

  Interrupts& m_interrupts;
  std::mutex m_mutex;
  std::condition_variable_any m_arrived;
  std::condition_variable m_room;
  std::deque<std::string> m_waiting;
  std::string m_current;  // id of the request that is answered now; empty for none
  bool m_hasEnded = false;
};

class McpVerb : public Verb {
 public:
  const char* name() const override { return "mcp"; }
  const char* summary() const override {
    return "A server for assistants: the Model Context Protocol on standard input";
  }
  bool takesInput() const override { return false; }
  bool isShell() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("DUMPS", m_dumps, "Dumps that are open from the start")->type_name("");
    app.add_flag("--contents", m_showsContents, "Tell what strings and fields hold, too");
  }

  Outcome<void> run(Context& context) override {
    McpServer server(context, m_showsContents);
    for (const std::string& dump : m_dumps) HEAPSCAPE_CHECK(server.open(dump));
    // Outlives this function where standard input does.
    const auto messages = std::make_shared<Messages>(context.interrupts());
    std::thread([messages] { messages->read(); }).detach();
    while (const auto message = messages->next()) {
      const std::string answer = server.answer(*message);
      if (!answer.empty()) context.output().write(answer + "\n");
      context.output().flush();
      if (context.output().hasFailed()) break;  // nobody listens any more
    }
    return {};
  }

 private:
  std::vector<std::string> m_dumps;
  bool m_showsContents = false;
};

}  // namespace

std::unique_ptr<Verb> makeMcpVerb() {
  return std::make_unique<McpVerb>();
}

}  // namespace heapscape::cli
