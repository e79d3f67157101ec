// SPDX-License-Identifier: MIT
#include "capture/capture_failure.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInContainer =
    "In a container it takes CAP_SYS_PTRACE (--cap-add=SYS_PTRACE, securityContext.capabilities.add) or a seccomp "
    "profile that lets ptrace and process_vm_readv pass; on a machine with Yama /proc/sys/kernel/yama/ptrace_scope may "
    "be 1 at most.";

/// The first line of what createdump wrote, without its own name, safe to show.
std::string firstLineOf(const std::string& text) {
  constexpr std::string_view kPrefix = "[createdump] ";
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  if (line.starts_with(kPrefix)) line.remove_prefix(kPrefix.size());
  std::string shown = withEscapes(line);
  if (!shown.empty() && shown.back() == '.') shown.pop_back();
  return shown;
}

/// Whether the text has this errno as createdump and the runtime write it: "No space left on device (28)".
bool mentions(const std::string& text, int error) {
  return text.find(fmt::format("({})", error)) != std::string::npos;
}

Error hasEnded(const DotnetProcess& process) {
  return {ErrorCode::FileUnreadable, fmt::format("Process {} ended before its dump was whole.", process.pid),
          "Nothing was kept. If the kernel ended it for its memory, dump it earlier: --when 'rss>SIZE'."};
}

}  // namespace

std::optional<Error> reasonNotToAsk(const ProcessPlaces& places, const DotnetProcess& process) {
  if (process.state == 'T') {
    return Error{ErrorCode::FileUnreadable,
                 fmt::format("Process {} is stopped, so that its runtime cannot answer.", process.pid),
                 fmt::format("Let it go on with kill -CONT {}.", process.pid)};
  }
  if (process.state == 't') {
    return Error{ErrorCode::FileUnreadable,
                 fmt::format("Process {} is held by a debugger or by another dump.", process.pid),
                 "Wait until it goes on, or detach the debugger."};
  }
  if (process.socket.empty() && process.isHidden) {
    return Error{
        ErrorCode::FileUnreadable,
        fmt::format("Process {}, of user {}, does not let this user see its files.", process.pid, process.userId),
        "Run this as the user of the process, or as root; in a container beside its own as that user "
        "(runAsUser), or as root with CAP_SYS_PTRACE."};
  }
  if (process.socket.empty()) {
    return Error{
        ErrorCode::NotFound, fmt::format("Process {} has no diagnostic socket that shows here.", process.pid),
        "Its diagnostics are off (DOTNET_EnableDiagnostics=0), its TMPDIR cannot be written to, or the socket was "
        "removed, as a runtime of .NET 8 does that looked for createdump in vain."};
  }
  const auto createdump = createdumpPathOf(places, process.pid);
  if (!createdump) return std::nullopt;
  const fs::path ours = process.root / createdump->relative_path();
  struct stat status {};
  if (::stat(ours.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return std::nullopt;
    return Error{
        ErrorCode::FileUnreadable,
        fmt::format("The runtime of process {} has no createdump: there is no {}.", process.pid, createdump->string()),
        "Put the file createdump of this very version there, executable (it comes with the runtime; trimmed "
        "and single-file programs leave it out at times), or take a dump with gcore."};
  }
  if (!S_ISREG(status.st_mode) || !(status.st_mode & 0111)) {
    return Error{
        ErrorCode::FileUnreadable,
        fmt::format("{}, which writes dumps of process {}, is not executable.", createdump->string(), process.pid),
        "Make it executable: chmod +x."};
  }
  return std::nullopt;
}

Error explainSilence(const ProcessPlaces& places, const DotnetProcess& process, Error silence) {
  // A process that dies closes its sockets a moment before it is gone.
  constexpr int kLooks = 10;
  for (int look = 0; look < kLooks; ++look) {
    if (!isStillThere(places, process)) return hasEnded(process);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  if (const auto now = findDotnetProcess(places, process.pid); now && now->isStopped()) {
    if (auto reason = reasonNotToAsk(places, *now)) return std::move(*reason);
  }
  return silence;
}

Error explainRefusal(const ProcessPlaces& places, const DotnetProcess& process, const PartFile& part,
                     std::string_view placeOption, const DiagnosticRefusal& refusal) {
  const std::string& text = refusal.text;
  const std::string folder = part.folder().string();
  const std::string who = process.isElsewhere ? fmt::format("{} of process {}", folder, process.pid) : folder;
  const auto error = [](std::string what, std::string help) {
    return Error{ErrorCode::FileUnreadable, std::move(what), std::move(help)};
  };
  if (!isStillThere(places, process)) return hasEnded(process);
  if (text.find("execve") != std::string::npos) {
    return error(fmt::format("The runtime cannot start createdump: {}.", firstLineOf(text)),
                 "createdump has to lie beside the runtime's library and to be executable there; a mount with noexec, "
                 "or a security policy, forbids it, too.");
  }
  if (text.find("Only full dumps") != std::string::npos) {
    return error(fmt::format("Process {} is a single-file program, which writes full dumps only.", process.pid),
                 "Take --kind full, or put the libmscordaccore.so of this very version beside the program.");
  }
  if (mentions(text, ENOSPC) || mentions(text, EDQUOT) || mentions(text, EFBIG)) {
    return error(fmt::format("{} has no room for the dump.", who),
                 fmt::format("Make room or raise the limit, name another place with {}, or take a smaller --kind.",
                             placeOption));
  }
  if (mentions(text, EROFS)) {
    return error(fmt::format("{} is read-only.", who),
                 fmt::format("Name a place with {} that can be written to.", placeOption));
  }
  if (text.find("output file") != std::string::npos && (mentions(text, EACCES) || mentions(text, EPERM))) {
    return error(fmt::format("Process {} may not write to {}.", process.pid, folder),
                 fmt::format("Name a folder with {} that its user may write to.", placeOption));
  }
  if (mentions(text, EPERM) || mentions(text, EACCES)) {
    return error(fmt::format("createdump may not read process {}: {}.", process.pid, firstLineOf(text)),
                 std::string(kInContainer));
  }
  const std::string_view meaning = meaningOfDiagnosticResult(refusal.result);
  const std::string why = !text.empty()     ? firstLineOf(text)
                          : meaning.empty() ? fmt::format("{:#x}", refusal.result)
                                            : fmt::format("{} ({:#x})", meaning, refusal.result);
  return error(fmt::format("The runtime could not write the dump: {}.", why),
               text.empty()
                   ? "What createdump said stands in the output of the process itself. " + std::string(kInContainer)
                   : "");
}

}  // namespace heapscape::engine
