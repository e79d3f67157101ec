// SPDX-License-Identifier: MIT
#include "capture/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "memory/files/regular_file.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostProcText = 1 << 20;
constexpr std::size_t kMostMappingLines = 1'000'000;
constexpr std::size_t kMostThreadsLookedAt = 20'000;

/// What a file of /proc says, up to a limit: a process can make some of them as long as it likes. Empty if it cannot be
/// read.
std::string procText(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text;
  std::array<char, 4096> piece{};
  while (file.isOpen() && text.size() < kMostProcText) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

template <class Number>
std::optional<Number> procNumber(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\n", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// What stands behind a title as "VmRSS:" in /proc/PID/status.
std::vector<std::string_view> statusWords(std::string_view status, std::string_view title) {
  std::size_t at = 0;
  while (at < status.size()) {
    const std::size_t end = std::min(status.find('\n', at), status.size());
    const std::string_view line = status.substr(at, end - at);
    if (line.starts_with(title)) return wordsOf(line.substr(title.size()));
    at = end + 1;
  }
  return {};
}

/// /proc/PID/stat: its second word is a name in parentheses that may have anything inside, others too.
struct ProcStat {
  char state = '?';
  std::uint32_t parent = 0;
  std::uint64_t ticks = 0;  // of processor time
  std::uint64_t startTicks = 0;
};

std::optional<ProcStat> statOf(const fs::path& folder) {
  const std::string text = procText(folder / "stat");
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos) return std::nullopt;
  const auto words = wordsOf(std::string_view(text).substr(name + 1));
  // Words as proc(5) numbers them, from the third on.
  const auto word = [&words](std::size_t number) { return words[number - 3]; };
  constexpr std::size_t kStartTime = 22;
  if (words.size() <= kStartTime - 3) return std::nullopt;
  const auto parent = procNumber<std::uint32_t>(word(4));
  const auto userTicks = procNumber<std::uint64_t>(word(14));
  const auto systemTicks = procNumber<std::uint64_t>(word(15));
  const auto start = procNumber<std::uint64_t>(word(kStartTime));
  if (!parent || !userTicks || !systemTicks || !start) return std::nullopt;
  return ProcStat{word(3).front(), *parent, *userTicks + *systemTicks, *start};
}

fs::path folderOf(const ProcessPlaces& places, std::uint32_t pid) {
  return places.processes / std::to_string(pid);
}

/// The value of a variable among "NAME=value" with zeros behind each; empty if it is not there.
std::string variableIn(const std::string& environment, std::string_view name) {
  for (std::size_t at = 0; at < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', at), environment.size());
    const auto entry = std::string_view(environment).substr(at, end - at);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return std::string(entry.substr(name.size() + 1));
    at = end + 1;
  }
  return {};
}

/// Arguments, with spaces between them.
std::string commandOf(const fs::path& folder) {
  std::string text = procText(folder / "cmdline");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

/// $TMPDIR as the process was started with; empty if it has none, nullopt if its environment may not be read.
std::optional<fs::path> temporaryOf(const fs::path& folder) {
  const std::string environment = procText(folder / "environ");
  if (environment.empty() && ::access((folder / "environ").c_str(), R_OK) != 0) return std::nullopt;
  const fs::path path(variableIn(environment, "TMPDIR"));
  return path.is_absolute() ? path : fs::path();
}

/// By the names that the runtime gives its threads (checked on .NET 8 to 11).
void lookAtThreads(const fs::path& folder, DotnetProcess& process, bool& hasRuntime) {
  std::error_code error;
  std::size_t threads = 0;
  bool hasFinalizer = false;
  for (fs::directory_iterator entry(folder / "task", error), end; !error && entry != end; entry.increment(error)) {
    if (++threads > kMostThreadsLookedAt) break;
    std::string name = procText(entry->path() / "comm");
    if (!name.empty() && name.back() == '\n') name.pop_back();
    hasFinalizer |= name == ".NET Finalizer";
    hasRuntime |= name.starts_with(".NET ");
    if (name == ".NET Server GC") ++process.gcThreads;
  }
  // The finalizer's thread is started when the heaps are there.
  if (process.gcThreads > 0) {
    process.gc = GcMode::Server;
  } else if (hasFinalizer) {
    process.gc = GcMode::Workstation;
  }
}

bool isSocket(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

/// Whether two paths lead to one file; nullopt if one of them cannot be looked at.
std::optional<bool> areOneFile(const fs::path& one, const fs::path& other) {
  struct stat first {};
  struct stat second {};
  if (::stat(one.c_str(), &first) != 0 || ::stat(other.c_str(), &second) != 0) return std::nullopt;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

void lookAtFiles(const ProcessPlaces& places, const fs::path& folder, DotnetProcess& process) {
  const auto hasOurRoot = areOneFile(folder / "root", "/");
  const auto hasOurMounts = areOneFile(folder / "ns/mnt", "/proc/self/ns/mnt");
  process.isHidden = !hasOurRoot;
  process.isElsewhere = !hasOurRoot.value_or(true) || !hasOurMounts.value_or(true);
  process.root = process.isElsewhere ? folder / "root" : fs::path("/");

  std::vector<fs::path> temporaries;
  const auto own = temporaryOf(folder);
  if (own && !own->empty()) temporaries.push_back(*own);
  // It may have been told since, or may not be read.
  if (!process.isElsewhere) temporaries.push_back(places.temporary);
  temporaries.emplace_back("/tmp");
  const std::string name = fmt::format("dotnet-diagnostic-{}-{}-socket", process.namespacePid, process.startTicks);
  for (const fs::path& temporary : temporaries) {
    const fs::path socket = process.root / temporary.relative_path() / name;
    if (!isSocket(socket)) continue;
    process.temporary = temporary;
    process.socket = socket;
    return;
  }
}

/// Nothing if the process is not there, or nothing of .NET is seen in it.
std::optional<DotnetProcess> lookAt(const ProcessPlaces& places, std::uint32_t pid) {
  const fs::path folder = folderOf(places, pid);
  const std::string status = procText(folder / "status");
  const auto stat = statOf(folder);
  if (status.empty() || !stat || stat->state == 'Z') return std::nullopt;
  DotnetProcess process{.pid = pid, .namespacePid = pid, .startTicks = stat->startTicks, .state = stat->state};
  if (const auto words = statusWords(status, "NSpid:"); !words.empty())
    process.namespacePid = procNumber<std::uint32_t>(words.back()).value_or(pid);
  // Real, effective, saved and of the file system.
  if (const auto words = statusWords(status, "Uid:"); words.size() > 1)
    process.userId = procNumber<std::uint32_t>(words[1]).value_or(0);
  process.residentBytes = residentBytesOf(places, process).value_or(0);
  process.name = procText(folder / "comm");
  if (!process.name.empty() && process.name.back() == '\n') process.name.pop_back();
  bool hasRuntime = false;
  lookAtThreads(folder, process, hasRuntime);
  lookAtFiles(places, folder, process);
  if (!hasRuntime && process.socket.empty()) return std::nullopt;
  process.command = commandOf(folder);
  return process;
}

struct ProcMapping {
  std::uint64_t bytes = 0;
  std::string permissions;
  std::string file;  // empty for none
};

/// Calls `tell` for each mapping; false if they may not be read.
template <class Tell>
bool forEachMapping(const ProcessPlaces& places, std::uint32_t pid, const Tell& tell) {
  std::ifstream maps(folderOf(places, pid) / "maps");
  std::string line;
  std::size_t lines = 0;
  while (lines < kMostMappingLines && std::getline(maps, line)) {
    ++lines;
    const auto words = wordsOf(line);
    if (words.size() < 5 || words[1].size() < 4) continue;
    const std::size_t dash = words[0].find('-');
    if (dash == std::string_view::npos) continue;
    const auto start = procNumber<std::uint64_t>(words[0].substr(0, dash), 16);
    const auto end = procNumber<std::uint64_t>(words[0].substr(dash + 1), 16);
    if (!start || !end || *end < *start) continue;
    const std::size_t file = words.size() > 5 ? static_cast<std::size_t>(words[5].data() - line.data()) : line.size();
    tell(ProcMapping{*end - *start, std::string(words[1]), line.substr(file)});
  }
  return lines > 0;
}

}  // namespace

ProcessPlaces ProcessPlaces::ofThisProcess() {
  const char* temporary = std::getenv("TMPDIR");
  return {.temporary = temporary && *temporary == '/' ? temporary : "/tmp"};
}

std::vector<DotnetProcess> findDotnetProcesses(const ProcessPlaces& places) {
  std::vector<DotnetProcess> found;
  std::error_code error;
  for (fs::directory_iterator entry(places.processes, error), end; !error && entry != end; entry.increment(error)) {
    const auto pid = procNumber<std::uint32_t>(entry->path().filename().string());
    if (!pid) continue;
    if (auto process = lookAt(places, *pid)) found.push_back(std::move(*process));
  }
  std::ranges::sort(found, {}, &DotnetProcess::pid);
  return found;
}

Result<DotnetProcess> findDotnetProcess(const ProcessPlaces& places, std::uint32_t pid) {
  if (auto process = lookAt(places, pid)) return std::move(*process);
  std::error_code ignored;
  if (!fs::exists(folderOf(places, pid), ignored)) {
    return failure(ErrorCode::NotFound, fmt::format("There is no process {}.", pid),
                   "heapscape-cli ps lists those that run .NET; those of other containers do not show in one.");
  }
  return failure(ErrorCode::NotFound, fmt::format("Process {} shows nothing of .NET.", pid),
                 "heapscape-cli ps lists those that do. One of another user shows it to root only.");
}

bool isStillThere(const ProcessPlaces& places, const DotnetProcess& process) {
  const auto stat = statOf(folderOf(places, process.pid));
  return stat && stat->startTicks == process.startTicks && stat->state != 'Z';
}

std::optional<std::uint64_t> residentBytesOf(const ProcessPlaces& places, const DotnetProcess& process) {
  const std::string status = procText(folderOf(places, process.pid) / "status");
  const auto words = statusWords(status, "VmRSS:");
  if (words.size() < 2 || words[1] != "kB") return std::nullopt;
  constexpr std::uint64_t kKilobyte = 1024;
  const auto kilobytes = procNumber<std::uint64_t>(words[0]);
  if (!kilobytes || *kilobytes > UINT64_MAX / kKilobyte) return std::nullopt;
  return *kilobytes * kKilobyte;
}

std::optional<MappedBytes> mappedBytesOf(const ProcessPlaces& places, std::uint32_t pid) {
  MappedBytes bytes;
  const bool isRead = forEachMapping(places, pid, [&bytes](const ProcMapping& mapping) {
    const std::string& may = mapping.permissions;
    if (may[0] != 'r') return;
    bytes.readable += mapping.bytes;
    if (may[1] == 'w' && may[3] == 'p') bytes.privateWritable += mapping.bytes;
    if (mapping.file.starts_with('/')) bytes.readableFiles += mapping.bytes;
  });
  return isRead ? std::optional(bytes) : std::nullopt;
}

std::optional<fs::path> createdumpPathOf(const ProcessPlaces& places, std::uint32_t pid) {
  const std::string environment = procText(folderOf(places, pid) / "environ");
  // Which of the two prefixes counts does not matter here: with either the runtime looks elsewhere.
  for (const char* name : {"DOTNET_DbgCreateDumpToolPath", "COMPlus_DbgCreateDumpToolPath"}) {
    if (!variableIn(environment, name).empty()) return std::nullopt;
  }
  std::optional<fs::path> folder;
  const bool isRead = forEachMapping(places, pid, [&folder](const ProcMapping& mapping) {
    const fs::path file(mapping.file);
    if (!folder && file.is_absolute() && file.filename() == "libcoreclr.so") folder = file.parent_path();
  });
  return isRead && folder ? std::optional(*folder / "createdump") : std::nullopt;
}

std::uint32_t createdumpOf(const ProcessPlaces& places, const DotnetProcess& process) {
  std::error_code error;
  for (fs::directory_iterator entry(places.processes, error), end; !error && entry != end; entry.increment(error)) {
    const auto pid = procNumber<std::uint32_t>(entry->path().filename().string());
    if (!pid) continue;
    const std::string name = procText(entry->path() / "comm");
    if (name != "createdump\n" && name != ".NET EventPipe\n") continue;
    const auto stat = statOf(entry->path());
    if (stat && stat->parent == process.pid && stat->state != 'Z') return *pid;
  }
  return 0;
}

std::uint64_t processorTicksOf(const ProcessPlaces& places, std::uint32_t pid) {
  const auto stat = statOf(folderOf(places, pid));
  return stat ? stat->ticks : 0;
}

}  // namespace heapscape::engine
