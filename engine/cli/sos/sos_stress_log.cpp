// SPDX-License-Identifier: MIT
#include "cli/sos/sos_stress_log.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "cli/shell/answer_target.h"
#include "cli/sos/sos_command.h"
#include "cli/sos/sos_text.h"
#include "runtime/diagnostics/stress_log.h"
#include "session/snapshot/contents.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;
using engine::StressLog;
using engine::StressMessage;

/// Parts of the runtime by their bits (src/coreclr/inc/loglf.h).
constexpr std::array kFacilities{"GC",
                                 "GCINFO",
                                 "STUBS",
                                 "JIT",
                                 "LOADER",
                                 "METADATA",
                                 "SYNC",
                                 "EEMEM",
                                 "GCALLOC",
                                 "CORDB",
                                 "CLASSLOADER",
                                 "CORPROF",
                                 "DIAGNOSTICS_PORT",
                                 "DBGALLOC",
                                 "EH",
                                 "ENC",
                                 "ASSERT",
                                 "VERIFIER",
                                 "THREADPOOL",
                                 "GCROOTS",
                                 "INTEROP",
                                 "MARSHALER",
                                 "TIEREDCOMPILATION",
                                 "ZAP",
                                 "STARTUP",
                                 "APPDOMAIN",
                                 "CODESHARING",
                                 "STORE",
                                 "SECURITY",
                                 "LOCKS",
                                 "BCL",
                                 "ALWAYS"};

std::string facilityText(std::uint32_t facility) {
  if (facility == UINT32_MAX) return "`ALL`";
  std::string text = "`";
  for (std::size_t bit = 0; bit < kFacilities.size(); ++bit) {
    if (facility >> bit & 1) text += std::string(kFacilities[bit]) + '`';
  }
  return text;
}

/// "14:02:11" of a time of Windows, UTC.
std::string timeOfDay(std::uint64_t time) {
  constexpr std::uint64_t kTicksPerSecond = 10'000'000;
  constexpr std::uint64_t kSecondsFrom1601To1970 = 11'644'473'600;
  if (time / kTicksPerSecond < kSecondsFrom1601To1970) return "unknown";
  const auto seconds = static_cast<std::time_t>(time / kTicksPerSecond - kSecondsFrom1601To1970);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

std::string stressLogHead(const StressLog& log) {
  const double elapsed = log.messages.empty() ? 0 : log.secondsAt(log.messages.front().timeStamp);
  const auto last = log.startTime + static_cast<std::uint64_t>(std::max(elapsed, 0.0) * 1e7);
  return fmt::format(
      "STRESS LOG:\n    facilitiesToLog  = {:#x}\n    levelToLog       = {}\n    MaxLogSizePerThread = {:#x} ({})\n"
      "    MaxTotalLogSize = {:#x} ({})\n    CurrentTotalLogChunk = {}\n    ThreadsWithLogs  = {}\n"
      "    Clock frequency  = {:5.3f} GHz\n    Start time         {}\n    Last message time  {}\n"
      "    Total elapsed time {:5.3f} sec\n\n",
      log.facilities, log.level, log.mostBytesOfThread, log.mostBytesOfThread, log.mostBytes, log.mostBytes, log.chunks,
      log.threads, static_cast<double>(log.ticksPerSecond) / 1e9, timeOfDay(log.startTime), timeOfDay(last), elapsed);
}

namespace {

/// Names what addresses in messages stand for.
class MessageNames {
 public:
  explicit MessageNames(const engine::RuntimeReaders& readers) : m_readers(readers), m_names(readers) {}

  std::string of(char kind, Address address) {
    if (kind == 'M') {
      if (!address) return {};
      const std::string& name = m_names.ofMethod(address);
      return name.empty() ? " (BAD Method)" : fmt::format(" ({})", name);
    }
    if (kind == 'T') {
      // The GC marks what it has met in the lowest bits.
      const std::string mark = address.value & 3 ? " Low Bit(s) Set" : "";
      const Address type{address.value & ~3ull};
      if (!m_readers.methodTables.isMethodTable(type)) return mark + " (BAD MethodTable)";
      return fmt::format("{} ({})", mark, m_names.ofType(type));
    }
    return kind == 'V' ? " (Unknown VTable)" : " (Unknown function)";
  }

 private:
  const engine::RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
};

Outcome<void> dumpLog(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  const auto& words = run.arguments().words();
  const std::string path = words.empty() ? "StressLog.txt" : words.front();
  run.print("Attempting to dump Stress log to file '{}'\n", path);
  Address at;
  if (const auto text = run.arguments().valueOf("-addr"); !text) {
    HEAPSCAPE_TRY(at, engine::stressLogOf(readers.runtime));
  } else if (!engine::tryParseAddress(*text, at)) {
    return tl::unexpected(engine::Unfinished(engine::Error{
        engine::ErrorCode::BadQuery, fmt::format("Hexadecimal address expected, which '{}' is not.", *text)}));
  }
  HEAPSCAPE_TRY(const StressLog log, engine::readStressLog(readers.runtime, at, run.stop()));
  run.print("Stress log address = 0x{}\n", upperAddress(log.address));
  HEAPSCAPE_TRY(AnswerTarget file, AnswerTarget::file(path));
  file.write(stressLogHead(log));
  file.write("THREAD  TIMESTAMP     FACILITY                              MESSAGE\n  ID  (sec from start)\n");
  file.write("--------------------------------------------------------------------------------------\n");
  MessageNames names(readers);
  for (const StressMessage& message : log.messages) {
    const std::string text =
        textOf(readers.runtime, message, [&](char kind, Address address) { return names.of(kind, address); });
    std::string line = fmt::format("{:4x} {:13.9f} : {:<20} {}\n", message.thread, log.secondsAt(message.timeStamp),
                                   facilityText(message.facility), text);
    if (message.isLast) line += fmt::format("------------ Last message from thread {:x} -----------\n", message.thread);
    if (!file.write(line) || !run.goesOn()) break;
  }
  file.write(fmt::format("---------------------------- {} total entries ------------------------------------\n",
                         log.messages.size()));
  if (!file.problem().empty())
    return tl::unexpected(engine::Unfinished(engine::Error{engine::ErrorCode::FileUnreadable, file.problem()}));
  for (const engine::Finding& finding : log.findings.items()) run.print("{}\n", finding.message);
  run.print("SUCCESS: Stress log dumped\n");
  return {};
}

}  // namespace

void addSosStressLogCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumplog",
                      .arguments = "[-addr LOG] [FILE]",
                      .summary = "Writes the runtime's stress log to a file",
                      .values = "-addr",
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = dumpLog,
                      .more = "gc"});
}

}  // namespace heapscape::cli
