// SPDX-License-Identifier: MIT
#include "capture/dump_capture.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/figures.h"
#include "capture/capture_failure.h"
#include "capture/capture_room.h"
#include "capture/diagnostic_socket.h"
#include "capture/part_file.h"
#include "memory/dump_file.h"
#include "memory/elf/elf_core.h"
#include "redact/copy_file.h"
#include "session/open/open_dump.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookAtDumpEvery{100};
constexpr std::chrono::milliseconds kLookForCreatedumpEvery{20};
constexpr mode_t kForOwnerOnly = 0600;  // as createdump makes its files

/// Shares of the whole: what the runtime does, and what is done with its file then.
constexpr double kDumpShareAlone = 0.95;
constexpr double kDumpShare = 0.5;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

tl::unexpected<Unfinished> notCaptured(std::string what, std::string help = {},
                                       ErrorCode code = ErrorCode::FileUnreadable) {
  return tl::unexpected(Unfinished(Error{code, std::move(what), std::move(help)}));
}

/// createdump takes %p and others in a name for what is to be put there.
std::string withPercentDoubled(const std::string& path) {
  std::string doubled;
  for (const char one : path) doubled.append(one == '%' ? 2 : 1, one);
  return doubled;
}

/// One capture on its way.
class Capture {
 public:
  Capture(const CaptureRequest& request, ProgressSink* progress, std::stop_token stop)
      : m_request(request), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<CapturedDump> run();

 private:
  /// With which another place can be named for what the process writes.
  const char* placeOption() const { return m_isBeside ? "-o" : "--via"; }
  bool needsCopy() const { return !m_isBeside || m_request.redact || m_request.target.extension() == ".zst"; }
  Outcome<void> checkTarget();
  Outcome<void> checkProcess();
  Outcome<void> choosePlace();
  Outcome<void> checkRoom() const;
  Outcome<void> letDump();
  Outcome<DiagnosticAnswer> waitForAnswer(DiagnosticSocket& socket);
  void endCreatedump(DiagnosticSocket& socket) const;
  Outcome<void> keep(CapturedDump& dump);
  Outcome<void> checkWhole(const DumpFile& file) const;
  Outcome<std::uint64_t> copy(const DumpFile& file) const;

  const CaptureRequest& m_request;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  fs::path m_target;  // absolute
  DotnetProcess m_process;
  bool m_isBeside = false;  // whether the process can write right beside the target
  std::optional<PartFile> m_part;
  std::optional<std::uint64_t> m_expectedBytes;
};

Outcome<void> Capture::checkTarget() {
  std::error_code error;
  m_target = fs::absolute(m_request.target, error);
  if (error || !m_target.has_filename()) {
    return notCaptured(fmt::format("{} is no name of a file.", m_request.target.string()), "Name a file with -o.",
                       ErrorCode::BadQuery);
  }
  if (fs::exists(fs::symlink_status(m_target, error))) {
    return notCaptured(fmt::format("{} is there already.", m_target.string()),
                       "Remove it, or name another file with -o.");
  }
  if (::access(m_target.parent_path().c_str(), W_OK | X_OK) != 0) {
    return notCaptured(fmt::format("{} cannot be written: {}.", m_target.string(), systemMessage(errno)),
                       "Name a folder with -o that can be written to.");
  }
  return {};
}

Outcome<void> Capture::checkProcess() {
  HEAPSCAPE_TRY(m_process, findDotnetProcess(m_request.places, m_request.pid));
  if (auto reason = reasonNotToAsk(m_request.places, m_process)) return tl::unexpected(Unfinished(std::move(*reason)));
  const auto info = askProcessInfo(m_process.socket, m_process.pid, Patience::of(m_request.limits.answer, m_stop));
  if (info) return {};
  if (info.error().isCancelled()) return tl::unexpected(info.error());
  return tl::unexpected(Unfinished(explainSilence(m_request.places, m_process, info.error().error())));
}

Outcome<void> Capture::choosePlace() {
  const std::string mark = fmt::format(".{}.part", ::getpid());
  m_isBeside = m_request.via.empty() && !m_process.isElsewhere && m_process.userId == ::geteuid();
  if (m_isBeside) {
    HEAPSCAPE_TRY(m_part, PartFile::in("/", m_target.parent_path(), m_target.filename().string() + mark));
  } else {
    HEAPSCAPE_TRY(m_part, PartFile::in(m_process.root, m_request.via.empty() ? m_process.temporary : m_request.via,
                                       fmt::format("heapscape-{}{}", m_process.namespacePid, mark)));
  }
  return {};
}

Outcome<void> Capture::checkRoom() const {
  const auto free = m_part->freeBytes();
  if (!m_expectedBytes || !free || m_request.ignoresRoom || *free >= *m_expectedBytes) return {};
  return notCaptured(
      fmt::format("The dump will take some {}, and {}{} has room for {}.", sizeText(*m_expectedBytes),
                  m_part->folder().string(), m_process.isElsewhere ? fmt::format(" of process {}", m_process.pid) : "",
                  sizeText(*free)),
      "Make room, name another place with -o, or take a smaller --kind. --ignore-room tries it all the "
      "same.");
}

/// Waits as long as there is progress: the file grows, or createdump computes.
Outcome<DiagnosticAnswer> Capture::waitForAnswer(DiagnosticSocket& socket) {
  StageProgress progress(m_progress, "writing the dump", 0, needsCopy() ? kDumpShare : kDumpShareAlone);
  std::uint64_t seenBytes = 0;
  std::uint64_t seenTicks = 0;
  auto seenAt = Clock::now();
  for (;;) {
    HEAPSCAPE_TRY(const bool isThere, socket.isReadable(Patience::of(kLookAtDumpEvery, m_stop)));
    if (isThere) return socket.receive(Patience::of(m_request.limits.answer, m_stop));
    const std::uint64_t bytes = m_part->bytes();
    if (bytes > seenBytes && m_expectedBytes) {
      progress.report(std::min(1.0, static_cast<double>(bytes) / static_cast<double>(*m_expectedBytes)));
    }
    const bool isSlow = Clock::now() - seenAt > m_request.limits.standstill / 2;
    const std::uint64_t ticks =
        isSlow ? processorTicksOf(m_request.places, createdumpOf(m_request.places, m_process)) : 0;
    if (bytes != seenBytes || ticks > seenTicks) seenAt = Clock::now();
    seenBytes = bytes;
    seenTicks = std::max(seenTicks, ticks);
    if (Clock::now() - seenAt > m_request.limits.standstill) {
      return notCaptured(
          fmt::format("The dump of process {} does not get on: nothing was written for {} seconds.", m_process.pid,
                      std::chrono::round<std::chrono::seconds>(m_request.limits.standstill).count()),
          "It was given up. If the process was stopped, let it go on (kill -CONT) and try again.");
    }
  }
}

/// Nobody wants the dump any more: the process shall not be held for it, nor its disk be filled. createdump may not
/// have been started yet, and would write its file when ours is removed already.
void Capture::endCreatedump(DiagnosticSocket& socket) const {
  const auto until = Clock::now() + m_request.limits.giveUp;
  while (Clock::now() < until && isStillThere(m_request.places, m_process)) {
    if (const std::uint32_t createdump = createdumpOf(m_request.places, m_process); createdump != 0)
      ::kill(static_cast<pid_t>(createdump), SIGKILL);
    // With its answer the runtime is done with the file.
    const auto isDone = socket.isReadable(Patience::of(kLookForCreatedumpEvery, {}));
    if (!isDone || *isDone) return;
  }
}

Outcome<void> Capture::letDump() {
  DiagnosticPayload payload;
  payload.text(withPercentDoubled(m_part->path().string()));
  payload.number(static_cast<std::uint32_t>(m_request.kind)).number(std::uint32_t{0});
  DiagnosticRefusal refusal;
  for (const auto command : {DiagnosticCommand::GenerateCoreDump3, DiagnosticCommand::GenerateCoreDump2,
                             DiagnosticCommand::GenerateCoreDump}) {
    const Patience patience = Patience::of(m_request.limits.answer, m_stop);
    HEAPSCAPE_TRY(DiagnosticSocket socket, DiagnosticSocket::connect(m_process.socket, m_process.pid, patience));
    HEAPSCAPE_CHECK(socket.send(command, payload.bytes(), patience));
    const auto answer = waitForAnswer(socket);
    if (!answer) {
      endCreatedump(socket);
      return tl::unexpected(answer.error());
    }
    if (!answer->isError) return {};
    refusal = parseDiagnosticRefusal(answer->payload);
    if (refusal.result != kUnknownDiagnosticCommand) break;
  }
  return tl::unexpected(Unfinished(explainRefusal(m_request.places, m_process, *m_part, placeOption(), refusal)));
}

Outcome<void> Capture::checkWhole(const DumpFile& file) const {
  const auto core = parseElfCore(file.bytes());
  const std::string reason = !core                        ? core.error().what
                             : core->missingFileBytes > 0 ? sizeText(core->missingFileBytes) + " are missing at its end"
                             : core->loads.empty()        ? "it has no memory in it"
                             : !core->areNotesWhole       ? "its notes are cut"
                                                          : "";
  if (reason.empty()) return {};
  return notCaptured(
      fmt::format("The runtime says that the dump is written, but it is not whole: {}. It was removed.", reason),
      "A full disk or a limit on the size of files (ulimit -f) may have cut it.", ErrorCode::Damaged);
}

/// Gives what the copy takes up.
Outcome<std::uint64_t> Capture::copy(const DumpFile& file) const {
  HEAPSCAPE_TRY(CopyFile copy, CopyFile::create(m_target, kForOwnerOnly));
  StageProgress progress(m_progress, "copying the dump", kDumpShare, 1);
  constexpr std::size_t kPiece = 4 << 20;
  const Bytes bytes = file.bytes();
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_CHECK(copy.append(bytes.subspan(at, std::min(kPiece, bytes.size() - at))));
    progress.report(static_cast<double>(at) / static_cast<double>(bytes.size()));
  }
  if (file.change() != FileChange::None)
    return notCaptured("The dump was changed while it was copied.", "Take it once more.", ErrorCode::Damaged);
  HEAPSCAPE_CHECK(copy.finish());
  return copy.fileBytes();
}

Outcome<void> Capture::keep(CapturedDump& dump) {
  HEAPSCAPE_TRY(const RegularFile written, m_part->open());
  const fs::path opened = fmt::format("/proc/self/fd/{}", written.file.get());
  dump.dumpBytes = written.sizeBytes;
  {
    StageProgress progress(nullptr, "", 0, 1);
    HEAPSCAPE_TRY(const auto file, DumpFile::open(opened, progress, m_stop));
    HEAPSCAPE_CHECK(checkWhole(*file));
    if (!needsCopy()) {
      // What the disk has no room for shows only now, on some file systems.
      if (::fdatasync(written.file.get()) != 0)
        return notCaptured(fmt::format("{} cannot be written: {}.", m_target.string(), systemMessage(errno)));
      HEAPSCAPE_CHECK(m_part->moveTo(m_target));
      dump.bytes = written.sizeBytes;
      return {};
    }
    if (!m_request.redact) {
      HEAPSCAPE_TRY(dump.bytes, copy(*file));
      return {};
    }
  }
  PartOfProgress progress(m_progress, kDumpShare, 1);
  HEAPSCAPE_TRY(const Snapshot snapshot, openDump(opened, {.stopAfter = Stage::Objects}, nullptr, m_stop));
  HEAPSCAPE_TRY(dump.redaction, writeRedacted(snapshot, m_target, *m_request.redact, &progress, m_stop));
  dump.bytes = dump.redaction->fileBytes;
  return {};
}

Outcome<CapturedDump> Capture::run() {
  const auto start = Clock::now();
  HEAPSCAPE_CHECK(checkTarget());
  HEAPSCAPE_CHECK(checkProcess());
  HEAPSCAPE_CHECK(choosePlace());
  m_expectedBytes = expectedDumpBytes(m_request.kind, m_request.places, m_process.pid);
  HEAPSCAPE_CHECK(checkRoom());
  CapturedDump dump{.file = m_target, .kind = m_request.kind};
  const auto asked = Clock::now();
  if (const auto done = letDump(); !done) {
    if (done.error().isCancelled()) return tl::unexpected(done.error());
    return tl::unexpected(Unfinished(explainSilence(m_request.places, m_process, done.error().error())));
  }
  dump.dumpSeconds = secondsSince(asked);
  HEAPSCAPE_CHECK(keep(dump));
  dump.seconds = secondsSince(start);
  return dump;
}

}  // namespace

Outcome<CapturedDump> captureDump(const CaptureRequest& request, ProgressSink* progress, std::stop_token stop) {
  return Capture(request, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
