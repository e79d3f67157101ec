// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "capture/capture_condition.h"
#include "capture/diagnostic_socket.h"
#include "capture/dump_capture.h"
#include "capture/light_capture.h"
#include "capture/processes.h"
#include "capture/running_programs.h"
#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/text.h"
#include "query/lexer.h"

namespace heapscape::cli {
namespace {

using engine::Outcome;

class PsVerb : public Verb {
 public:
  const char* name() const override { return "ps"; }
  const char* summary() const override { return "Running .NET processes of this machine and of its containers"; }
  bool takesInput() const override { return false; }
  bool usesCache() const override { return false; }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const std::vector<engine::RunningProgram> programs,
                  engine::listRunningPrograms(engine::ProcessPlaces::ofThisProcess(), {}, context.stop()));
    engine::InputFacts facts;
    facts.isComplete = std::ranges::all_of(programs, [](const auto& program) { return program.missing.empty(); });
    facts.note = "not everything could be told of every process; the reasons stand below the list.";
    return context.write(facts, {.json = [&](engine::JsonWriter& json) { writeJson(json, programs); },
                                 .text = [&](engine::Output& output) { writeText(output, programs); }});
  }

 private:
  static void writeJson(engine::JsonWriter& json, const std::vector<engine::RunningProgram>& programs) {
    json.key("processes");
    json.beginRows();
    for (const engine::RunningProgram& program : programs) {
      const engine::DotnetProcess& process = program.process;
      json.beginObject();
      json.member("pid", process.pid);
      json.member("namespacePid", process.namespacePid);
      json.member("name", program.name());
      json.member("command", program.command());
      const auto told = [&](std::string_view member, std::string engine::DiagnosticProcessInfo::*text) {
        const bool isKnown = program.info && !((*program.info).*text).empty();
        json.member(member, isKnown ? std::optional((*program.info).*text) : std::nullopt);
      };
      told("runtime", &engine::DiagnosticProcessInfo::runtimeVersion);
      told("architecture", &engine::DiagnosticProcessInfo::architecture);
      told("runtimeId", &engine::DiagnosticProcessInfo::runtimeId);
      json.key("gc");
      process.gc ? json.value(toString(*process.gc)) : json.null();
      json.member("gcThreads", process.gcThreads);
      json.member("heapBytes", program.heapBytes);
      json.member("workingSetBytes", process.residentBytes);
      json.member("userId", process.userId);
      json.member("state", std::string(1, process.state));
      json.member("elsewhere", process.isElsewhere);
      json.key("socket");
      process.socket.empty() ? json.null() : json.value(process.socket.string());
      json.key("missing");
      json.beginArray();
      for (const engine::Error& error : program.missing) {
        json.beginObject();
        json.member("what", error.what);
        json.member("help", error.help);
        json.endObject();
      }
      json.endArray();
      json.endObject();
    }
    json.endArray();
  }

  static void writeText(engine::Output& output, const std::vector<engine::RunningProgram>& programs) {
    if (programs.empty()) {
      output.write("No process shows anything of .NET. Those of other users show to root only.\n");
      return;
    }
    using Align = engine::TextTable::Align;
    engine::TextTable table({{"PID", Align::Right},
                             {"Runtime"},
                             {"GC"},
                             {"Heap", Align::Right},
                             {"Working set", Align::Right},
                             {"Name"},
                             {"Command"}});
    for (const engine::RunningProgram& program : programs) {
      const engine::DotnetProcess& process = program.process;
      table.addRow({std::to_string(process.pid), program.info ? program.info->runtimeVersion : "?",
                    process.gc ? toString(*process.gc) : "?",
                    program.heapBytes ? engine::readableBytes(*program.heapBytes) : "?",
                    engine::readableBytes(process.residentBytes), program.name(), program.command()});
    }
    table.write(output);
    writeReasons(output, programs);
  }

  /// Each once, with all processes that it goes for.
  static void writeReasons(engine::Output& output, const std::vector<engine::RunningProgram>& programs) {
    std::vector<std::pair<const engine::Error*, std::string>> reasons;
    for (const engine::RunningProgram& program : programs) {
      for (const engine::Error& error : program.missing) {
        const auto known = std::ranges::find_if(
            reasons, [&error](const auto& reason) { return !error.help.empty() && reason.first->help == error.help; });
        if (known == reasons.end()) {
          reasons.emplace_back(&error, "");
        } else {
          known->second += fmt::format("{}{}", known->second.empty() ? " The same of " : ", ", program.process.pid);
        }
      }
    }
    for (const auto& [error, others] : reasons)
      output.write(fmt::format("\n{}{}\n", engine::printable(error->message()), others.empty() ? "" : others + "."));
  }
};

/// "60s", "5m", "2h", "90": seconds without a unit.
std::chrono::milliseconds durationOf(const std::string& option, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = engine::numberFrom<std::uint32_t>(text.substr(0, digits));
  const std::string_view unit = std::string_view(text).substr(digits);
  constexpr std::uint32_t kMost = 1'000'000;
  if (number && *number <= kMost) {
    if (unit.empty() || unit == "s") return std::chrono::seconds(*number);
    if (unit == "ms") return std::chrono::milliseconds(*number);
    if (unit == "m" || unit == "min") return std::chrono::minutes(*number);
    if (unit == "h") return std::chrono::hours(*number);
  }
  throw CLI::ValidationError(option, "'" + text + "' is no time such as 60s or 5m");
}

/// "rss>2GB", "heap>500MB".
engine::CaptureCondition conditionOf(const std::string& option, const std::string& text) {
  const std::size_t sign = text.find('>');
  if (sign != std::string::npos) {
    std::string what = text.substr(0, sign);
    std::erase(what, ' ');
    const auto size = engine::enumNamed<engine::ProcessSize>(what);
    const auto bytes = engine::quantityOf(std::string_view(text).substr(sign + 1));
    if (size && bytes && bytes->unit != "%") return {*size, static_cast<std::uint64_t>(bytes->value)};
  }
  throw CLI::ValidationError(option, "'" + text + "' is no condition such as 'rss>2GB' or 'heap>500MB'");
}

/// app-2.core.zst of app.core.zst.
std::filesystem::path numbered(const std::filesystem::path& file, std::uint32_t number) {
  std::filesystem::path stem = file;
  std::string endings;
  for (const char* ending : {".zst", ".core", ".dmp", ".gcdump"}) {
    if (stem.extension() != ending) continue;
    endings = ending + endings;
    stem.replace_extension();
  }
  return stem.string() + fmt::format("-{}", number) + endings;
}

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string made = "'";
  for (const char one : word) made += one == '\'' ? std::string("'\\''") : std::string(1, one);
  return made + "'";
}

class CaptureVerb : public Verb {
 public:
  const char* name() const override { return "capture"; }
  const char* summary() const override { return "Have a running .NET process write a dump of itself"; }
  bool takesInput() const override { return false; }
  bool usesCache() const override { return false; }

  void addOptions(CLI::App& app) override {
    addNumber(app, "PID", m_pid, "Process, as ps lists it", {.least = 1, .most = 0x7fffffff})->required();
    app.add_option("-o,--output", m_target,
                   "File to write, packed if its name ends in .zst; else one with name, PID and time here")
        ->type_name("FILE");
    addChoice(app, "--kind", m_kind, engine::membersOf<engine::CaptureKind>(), "Kind of dump, heap if none is named");
    CLI::Option* redact =
        app.add_flag("--redact", m_redacts, "Keep only a copy without contents, as the verb redact writes it");
    CLI::Option* every = app.add_option_function<std::string>(
                                "--every", [this](const std::string& text) { m_every = durationOf("--every", text); },
                                "Take several, so long after each other's start: 60s, 5m")
                             ->type_name("TIME");
    CLI::Option* count = addNumber(app, "--count", m_count, "How many", {.least = 1, .most = 1000});
    every->needs(count);
    count->needs(every);
    app.add_option_function<std::string>(
           "--when", [this](const std::string& text) { m_condition = conditionOf("--when", text); },
           "Wait until that is so: 'rss>2GB', 'heap>500MB'")
        ->type_name("CONDITION");
    CLI::Option* via =
        app.add_option("--via", m_via,
                       "Folder that the process writes in first, as it names it: a volume of a container with room")
            ->type_name("FOLDER");
    app.add_flag("--ignore-room", m_ignoresRoom, "Try it though the disk seems too small");
    app.add_flag("--light", m_isLight,
                 "Only the graph of the heap as a .gcdump file: types, sizes, references and roots after a collection")
        ->excludes(app.get_option("--kind"))
        ->excludes(redact)
        ->excludes(via);
  }

  Outcome<void> run(Context& context) override {
    const auto places = engine::ProcessPlaces::ofThisProcess();
    HEAPSCAPE_TRY(const engine::DotnetProcess process, engine::findDotnetProcess(places, *m_pid));
    const std::filesystem::path target = m_target.empty() ? nameFor(process, context) : m_target;
    if (m_condition) {
      ProgressLine progress;
      HEAPSCAPE_CHECK(engine::waitFor(*m_condition, places, process, &progress, context.stop()));
    }
    for (std::uint32_t number = 2; number <= m_count.value_or(1); ++number)
      HEAPSCAPE_CHECK(checkFree(numbered(target, number)));
    std::vector<engine::CapturedDump> dumps;
    auto next = std::chrono::steady_clock::now();
    for (std::uint32_t number = 1; number <= m_count.value_or(1); ++number) {
      if (number > 1) HEAPSCAPE_CHECK(sleepUntil(next, number, context.stop()));
      next = std::max(next + m_every, std::chrono::steady_clock::now());
      engine::CaptureRequest request{.places = places, .pid = *m_pid, .target = target};
      if (m_count) request.target = numbered(target, number);
      if (m_isLight) {
        auto graph = captureLight(request, context.stop());
        if (!graph) return withThoseBefore(graph.error(), dumps);
        dumps.push_back(std::move(*graph));
        continue;
      }
      request.kind = m_kind.value_or(engine::CaptureKind::Heap);
      request.via = m_via;
      if (m_redacts) request.redact.emplace();
      request.ignoresRoom = m_ignoresRoom;
      ProgressLine progress;
      auto dump = engine::captureDump(request, &progress, context.stop());
      if (!dump) return withThoseBefore(dump.error(), dumps);
      dumps.push_back(std::move(*dump));
    }
    return context.write(engine::InputFacts(), {.json = [&](engine::JsonWriter& json) { writeJson(json, dumps); },
                                                .text = [&](engine::Output& output) { writeText(output, dumps); }});
  }

 private:
  /// A graph, as a dump of no kind.
  Outcome<engine::CapturedDump> captureLight(const engine::CaptureRequest& request, const std::stop_token& stop) {
    ProgressLine progress;
    HEAPSCAPE_TRY(const engine::CapturedGraph graph,
                  engine::captureGraph({.places = request.places, .pid = request.pid, .target = request.target},
                                       &progress, stop));
    m_objects.push_back(graph.objects);
    return engine::CapturedDump{.file = graph.file, .bytes = graph.bytes, .seconds = graph.seconds};
  }

  /// "shop-4711-20261130-104502.core": of the program's assembly if the runtime says it in a moment.
  std::string nameFor(const engine::DotnetProcess& process, const Context& context) const {
    constexpr std::chrono::seconds kMoment{2};
    std::string name = process.name;
    if (!process.socket.empty() && !process.isStopped()) {
      const auto info =
          engine::askProcessInfo(process.socket, process.pid, engine::Patience::of(kMoment, context.stop()));
      if (info && !info->entryAssembly.empty()) name = info->entryAssembly;
    }
    std::erase_if(name, [](char one) {
      return !((one >= '0' && one <= '9') || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '.' ||
               one == '_' || one == '-');
    });
    const std::size_t start = std::min(name.find_first_not_of(".-"), name.size());
    constexpr std::size_t kMostName = 100;
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return fmt::format("{}-{}-{:04}{:02}{:02}-{:02}{:02}{:02}.{}", name.substr(start, kMostName), process.pid,
                       local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                       m_isLight ? "gcdump" : "core");
  }

  /// Whether there will be a name for a later one, before the first is taken.
  static engine::Result<void> checkFree(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return {};
    return engine::failure(engine::ErrorCode::FileUnreadable, fmt::format("{} is there already.", file.string()),
                           "Remove it, or name another file with -o.");
  }

  Outcome<void> sleepUntil(std::chrono::steady_clock::time_point time, std::uint32_t number,
                           const std::stop_token& stop) const {
    ProgressLine progress;
    progress.progressed({fmt::format("waiting for dump {} of {}", number, *m_count),
                         static_cast<double>(number - 1) / static_cast<double>(*m_count)});
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_until(lock, stop, time, [] { return false; });
    if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
    return {};
  }

  static Outcome<void> withThoseBefore(const engine::Unfinished& unfinished,
                                       const std::vector<engine::CapturedDump>& dumps) {
    if (unfinished.isCancelled() || dumps.empty()) return tl::unexpected(unfinished);
    engine::Error error = unfinished.error();
    error.help += fmt::format("{}{} before are whole, the last is {}.", error.help.empty() ? "" : " ",
                              engine::countOf(dumps.size(), "dump"), dumps.back().file.string());
    return tl::unexpected(engine::Unfinished(std::move(error)));
  }

  /// What is to be done with several of them; empty for one.
  static std::string nextCommand(const std::vector<engine::CapturedDump>& dumps) {
    if (dumps.size() < 2) return {};
    std::string command = dumps.size() == 2 ? "heapscape-cli compare" : "heapscape-cli trend";
    for (const engine::CapturedDump& dump : dumps) command += " " + quoted(dump.file.string());
    return command;
  }

  void writeDump(engine::JsonWriter& json, const engine::CapturedDump& dump, std::size_t place) const {
    json.beginObject();
    json.member("file", dump.file.string());
    json.member("kind", m_isLight ? "gcdump" : toString(dump.kind));
    json.member("bytes", dump.bytes);
    if (m_isLight) {
      json.member("objects", m_objects[place]);
      json.member("seconds", dump.seconds);
      json.endObject();
      return;
    }
    json.member("dumpBytes", dump.dumpBytes);
    json.member("redacted", dump.redaction.has_value());
    json.member("seconds", dump.seconds);
    json.member("dumpSeconds", dump.dumpSeconds);
    json.endObject();
  }

  void writeJson(engine::JsonWriter& json, const std::vector<engine::CapturedDump>& dumps) const {
    json.key("capture");
    writeDump(json, dumps.back(), dumps.size() - 1);
    if (!m_count) return;
    json.key("captures");
    json.beginArray();
    for (std::size_t i = 0; i < dumps.size(); ++i) writeDump(json, dumps[i], i);
    json.endArray();
    const std::string next = nextCommand(dumps);
    json.key("next");
    next.empty() ? json.null() : json.value(next);
  }

  void writeText(engine::Output& output, const std::vector<engine::CapturedDump>& dumps) const {
    for (std::size_t i = 0; i < dumps.size(); ++i) {
      const engine::CapturedDump& dump = dumps[i];
      if (m_isLight) {
        output.write(fmt::format("{}: graph of {}, {}, in {:.1f} s\n", engine::printable(dump.file.string()),
                                 engine::countOf(m_objects[i], "object"), engine::sizeText(dump.bytes), dump.seconds));
        continue;
      }
      output.write(fmt::format("{}: {} dump{}, {}", engine::printable(dump.file.string()), toString(dump.kind),
                               dump.redaction ? " without contents" : "", engine::sizeText(dump.bytes)));
      if (dump.bytes != dump.dumpBytes) output.write(fmt::format(" of {}", engine::sizeText(dump.dumpBytes)));
      output.write(
          fmt::format(", in {:.1f} s; the process stood still for {:.1f} s at most\n", dump.seconds, dump.dumpSeconds));
    }
    if (const std::string next = nextCommand(dumps); !next.empty())
      output.write(fmt::format("\n{}: {}\n", dumps.size() == 2 ? "What changed" : "What grows", next));
  }

  std::optional<std::uint32_t> m_pid;
  std::string m_target;
  std::optional<engine::CaptureKind> m_kind;
  bool m_redacts = false;
  std::chrono::milliseconds m_every{0};
  std::optional<std::uint32_t> m_count;
  std::optional<engine::CaptureCondition> m_condition;
  std::string m_via;
  bool m_ignoresRoom = false;
  bool m_isLight = false;
  std::vector<std::uint64_t> m_objects;  // of each graph
};

}  // namespace

std::unique_ptr<Verb> makePsVerb() {
  return std::make_unique<PsVerb>();
}

std::unique_ptr<Verb> makeCaptureVerb() {
  return std::make_unique<CaptureVerb>();
}

}  // namespace heapscape::cli
