// SPDX-License-Identifier: MIT
#include "capture/light_capture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "capture/capture_failure.h"
#include "capture/diagnostic_socket.h"
#include "capture/heap_events.h"
#include "capture/nettrace_reader.h"
#include "gcdump/gcdump_writer.h"
#include "redact/copy_file.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kStreamBufferMegabytes = 1024;  // that the runtime may keep until events are taken
constexpr std::uint32_t kNettraceStream = 1;
constexpr std::uint32_t kVerboseEvents = 5;
constexpr std::uint32_t kInformationalEvents = 4;
/// GC, types with their names, the walk of the heap, and the collection that it takes (GCHeapSnapshot of TraceEvent).
constexpr std::uint64_t kHeapSnapshotKeywords = 0x1980001;
constexpr mode_t kGraphForOwnerOnly = 0600;
/// For the modules that are loaded at the end (LoaderKeyword of the rundown).
constexpr std::uint64_t kModulesAtEnd = 0x8;
constexpr std::chrono::milliseconds kTimeToFlush{5000};
constexpr std::chrono::milliseconds kTimeToStopStream{500};
constexpr double kToldShare = 0.8;  // of the whole

/// What a runtime is to tell.
struct AskedEvents {
  const char* provider = "";
  std::uint64_t keywords = 0;
  std::uint32_t level = 0;
  bool isWhole = false;  // none may be dropped, and at the end the modules are told, as far as the runtime can do that

  /// As each request has it, the newest first.
  DiagnosticPayload payloadFor(DiagnosticCommand command) const {
    const bool isNewest = command == DiagnosticCommand::CollectTracing6;
    DiagnosticPayload request;
    if (isNewest) request.number(std::uint32_t{0});  // through this socket
    request.number(kStreamBufferMegabytes).number(kNettraceStream);
    if (command == DiagnosticCommand::CollectTracing2) {
      request.number(static_cast<std::uint8_t>(isWhole));  // everything at the end, or nothing
    } else {
      request.number(isWhole ? kModulesAtEnd : std::uint64_t{0}).number(std::uint8_t{0});  // without stacks
    }
    request.number(std::uint32_t{1}).number(keywords).number(level).text(provider).text("");
    if (isNewest) {
      request.number(std::uint8_t{0}).number(std::uint32_t{0});  // all events
      request.number(std::uint32_t{1});                          // the runtime waits until they are taken
    }
    return request;
  }
};

/// A stream of events, which the runtime ends when it is asked to.
class EventStream {
 public:
  /// By the newest request that the runtime knows.
  static Outcome<EventStream> start(const DotnetProcess& process, const AskedEvents& asked, const Patience& patience) {
    for (const auto command : {DiagnosticCommand::CollectTracing6, DiagnosticCommand::CollectTracing4}) {
      auto stream = startWith(process, command, asked, patience);
      if (stream || stream.error().isCancelled() || stream.error().error().code != ErrorCode::NotFound) return stream;
    }
    return startWith(process, DiagnosticCommand::CollectTracing2, asked, patience);
  }

  Outcome<std::size_t> readSome(std::span<std::byte> target, const Patience& patience) {
    return m_socket.readSome(target, patience);
  }

  /// The runtime answers once all that is left was taken from the stream, so nobody waits for it.
  void askToStop(const DotnetProcess& process, const Patience& patience) {
    DiagnosticPayload payload;
    payload.number(m_session);
    auto socket = DiagnosticSocket::connect(process.socket, process.pid, patience);
    // A runtime that does not hear it stops when it finds the stream closed.
    if (socket && socket->send(DiagnosticCommand::StopTracing, payload.bytes(), patience))
      m_stopping = std::move(*socket);
  }

 private:
  EventStream(DiagnosticSocket socket, std::uint64_t session) : m_socket(std::move(socket)), m_session(session) {}

  /// Fails with NotFound if the runtime does not know the request.
  static Outcome<EventStream> startWith(const DotnetProcess& process, DiagnosticCommand command,
                                        const AskedEvents& asked, const Patience& patience) {
    HEAPSCAPE_TRY(DiagnosticSocket socket, DiagnosticSocket::connect(process.socket, process.pid, patience));
    HEAPSCAPE_CHECK(socket.send(command, asked.payloadFor(command).bytes(), patience));
    HEAPSCAPE_TRY(const DiagnosticAnswer answer, socket.receive(patience));
    std::uint64_t session = 0;
    if (!answer.isError && tryReadAt(Bytes(answer.payload), 0, session)) return EventStream(std::move(socket), session);
    const DiagnosticRefusal refusal = parseDiagnosticRefusal(answer.payload);
    return tl::unexpected(
        Unfinished(Error{refusal.result == kUnknownDiagnosticCommand ? ErrorCode::NotFound : ErrorCode::FileUnreadable,
                         fmt::format("The runtime of process {} does not tell of its heap: {}.", process.pid,
                                     meaningOfDiagnosticResult(refusal.result)),
                         "Take a dump of it."}));
  }

  DiagnosticSocket m_socket;
  std::uint64_t m_session;
  std::optional<DiagnosticSocket> m_stopping;  // its answer comes after the end of the stream
};

class LightCapture {
 public:
  LightCapture(const LightCaptureRequest& request, ProgressSink* progress, std::stop_token stop)
      : m_request(request), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<CapturedGraph> run() {
    const auto start = std::chrono::steady_clock::now();
    HEAPSCAPE_CHECK(checkTarget());
    HEAPSCAPE_CHECK(checkProcess());
    if (auto told = listen(); !told) {
      if (told.error().isCancelled()) return tl::unexpected(told.error());
      return tl::unexpected(Unfinished(explainSilence(m_request.places, m_process, told.error().error())));
    }
    CapturedGraph captured{.file = m_target, .objects = m_events.objects()};
    HEAPSCAPE_TRY(captured.bytes, write());
    captured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return captured;
  }

 private:
  static tl::unexpected<Unfinished> notTaken(std::string what, std::string help,
                                             ErrorCode code = ErrorCode::FileUnreadable) {
    return tl::unexpected(Unfinished(Error{code, std::move(what), std::move(help)}));
  }
  Patience patience() const { return Patience::of(m_request.limits.answer, m_stop); }

  Outcome<void> checkTarget() {
    std::error_code error;
    m_target = std::filesystem::absolute(m_request.target, error);
    if (error || !m_target.has_filename()) {
      return notTaken(fmt::format("{} is no name of a file.", m_request.target.string()), "Name a file with -o.",
                      ErrorCode::BadQuery);
    }
    if (std::filesystem::exists(std::filesystem::symlink_status(m_target, error)))
      return notTaken(fmt::format("{} is there already.", m_target.string()),
                      "Remove it, or name another file with -o.");
    if (::access(m_target.parent_path().c_str(), W_OK | X_OK) != 0) {
      return notTaken(fmt::format("{} cannot be written: {}.", m_target.string(), systemMessage(errno)),
                      "Name a folder with -o that can be written to.");
    }
    return {};
  }

  Outcome<void> checkProcess() {
    HEAPSCAPE_TRY(m_process, findDotnetProcess(m_request.places, m_request.pid));
    const auto info = askProcessInfo(m_process.socket, m_process.pid, patience());
    if (info) {
      m_name = info->entryAssembly.empty() ? m_process.name : info->entryAssembly;
      return {};
    }
    if (info.error().isCancelled()) return tl::unexpected(info.error());
    return tl::unexpected(Unfinished(explainSilence(m_request.places, m_process, info.error().error())));
  }

  /// A runtime tells of each type once while anybody listens: the end of a stream makes it forget what it has told.
  Outcome<void> forgetToldTypes() {
    const AskedEvents asked{.provider = "Microsoft-DotNETCore-SampleProfiler", .level = kInformationalEvents};
    HEAPSCAPE_TRY(EventStream stream, EventStream::start(m_process, asked, patience()));
    std::array<std::byte, 64 * 1024> piece{};
    const Patience toFlush = Patience::of(kTimeToFlush, m_stop);
    const auto first = stream.readSome(piece, toFlush);
    stream.askToStop(m_process, Patience::of(kTimeToStopStream, {}));
    if (!first && first.error().isCancelled()) return tl::unexpected(first.error());
    for (;;) {
      const auto more = stream.readSome(piece, toFlush);
      if (!more || *more == 0) return {};  // whatever became of it, what matters comes now
    }
  }

  Outcome<void> listen() {
    StageProgress progress(m_progress, "letting the runtime walk its heap", 0, kToldShare);
    progress.report(0);
    HEAPSCAPE_CHECK(forgetToldTypes());
    const AskedEvents asked{.provider = "Microsoft-Windows-DotNETRuntime",
                            .keywords = kHeapSnapshotKeywords,
                            .level = kVerboseEvents,
                            .isWhole = true};
    HEAPSCAPE_TRY(EventStream stream, EventStream::start(m_process, asked, patience()));
    NettraceReader reader([this](const NativeTraceEvent& event) { m_events.take(event); });
    auto taken = take(stream, reader);
    m_droppedEvents = reader.droppedEvents();
    if (!m_isStopped) stream.askToStop(m_process, Patience::of(kTimeToStopStream, {}));  // also after Ctrl+C
    return taken;
  }

  Outcome<void> take(EventStream& stream, NettraceReader& reader) {
    std::vector<std::byte> piece(std::size_t{1} << 20);
    while (!reader.isAtEnd()) {
      HEAPSCAPE_TRY(const std::size_t got, stream.readSome(piece, Patience::of(m_request.limits.silence, m_stop)));
      if (got == 0) break;
      HEAPSCAPE_CHECK(reader.take(std::span(piece).first(got)));
      if (!m_events.isAtEnd() || m_isStopped) continue;
      m_isStopped = true;
      stream.askToStop(m_process, patience());
    }
    return {};
  }

  Outcome<std::uint64_t> write() {
    GcDump dump;
    if (m_droppedEvents > 0)
      return notTaken(
          fmt::format("The runtime has dropped {} while it told of its heap, because they were not taken fast enough.",
                      countOf(m_droppedEvents, "event")),
          "Try it again, or take a dump.", ErrorCode::Damaged);
    HEAPSCAPE_TRY(dump.graph, m_events.finish());
    dump.facts.process = m_name;
    dump.facts.pid = m_process.pid;
    dump.facts.tool = "heapscape";
    dump.facts.ticks = ticksNow();
    StageProgress progress(m_progress, "writing the file", kToldShare, 1);
    progress.report(0);
    HEAPSCAPE_TRY(CopyFile file, CopyFile::create(m_target, kGraphForOwnerOnly));
    HEAPSCAPE_CHECK(writeGcDump(dump, [&file](Bytes bytes) { return file.append(bytes); }));
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_CHECK(file.finish());
    return file.fileBytes();
  }

  /// Local time as .NET counts it.
  static std::uint64_t ticksNow() {
    constexpr std::uint64_t kTicksPerSecond = 10'000'000;
    constexpr std::uint64_t kSecondsBefore1970 = 62'135'596'800;
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return (kSecondsBefore1970 + static_cast<std::uint64_t>(now + local.tm_gmtoff)) * kTicksPerSecond;
  }

  const LightCaptureRequest& m_request;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::filesystem::path m_target;  // absolute
  DotnetProcess m_process;
  std::string m_name;
  HeapEvents m_events;
  std::uint64_t m_droppedEvents = 0;
  bool m_isStopped = false;
};

}  // namespace

Outcome<CapturedGraph> captureGraph(const LightCaptureRequest& request, ProgressSink* progress, std::stop_token stop) {
  return LightCapture(request, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
