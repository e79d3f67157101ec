// SPDX-License-Identifier: MIT
#include "session/open/memory_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/figures.h"

namespace heapscape::engine {
namespace {

using std::filesystem::path;

/// How a version of control groups names things.
struct GroupFiles {
  const char* folder;
  const char* limit;
  const char* used;
  std::array<std::string_view, 2> reclaimable;
};
constexpr GroupFiles kFirstVersion{"sys/fs/cgroup/memory",
                                   "memory.limit_in_bytes",
                                   "memory.usage_in_bytes",
                                   {"total_inactive_file", "total_active_file"}};
constexpr GroupFiles kSecondVersion{"sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file", "active_file"}};

/// The first word of a file as a number; nothing for none, such as "max".
std::optional<std::uint64_t> numberIn(const path& file) {
  std::ifstream text(file);
  std::uint64_t number = 0;
  return text >> number ? std::optional(number) : std::nullopt;
}

/// The number behind a name at the start of a line.
std::optional<std::uint64_t> numberBehind(const path& file, std::string_view name) {
  std::ifstream text(file);
  for (std::string word; text >> word; text.ignore(1 << 12, '\n')) {
    std::uint64_t number = 0;
    if (word == name && text >> number) return number;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> kilobytesBehind(const path& file, std::string_view name) {
  const auto number = numberBehind(file, name);
  return number ? std::optional(*number * 1024) : std::nullopt;
}

std::optional<std::uint64_t> least(std::optional<std::uint64_t> one, std::optional<std::uint64_t> other) {
  return one && other ? std::min(*one, *other) : one ? one : other;
}

std::optional<std::uint64_t> freeIn(const path& group, const GroupFiles& files) {
  const auto limit = numberIn(group / files.limit);
  const auto used = numberIn(group / files.used);
  if (!limit || !used) return std::nullopt;
  std::uint64_t kept = *used;
  for (const std::string_view name : files.reclaimable)
    kept -= std::min(kept, numberBehind(group / "memory.stat", name).value_or(0));
  return *limit - std::min(*limit, kept);
}

/// Bytes that the group and all those above it allow. A container may see its own group as the topmost.
std::optional<std::uint64_t> freeInGroups(const path& root, std::string_view group, const GroupFiles& files) {
  const path top = root / files.folder;
  std::optional<std::uint64_t> free = freeIn(top, files);
  path inside = top;
  for (const path& step : path(group).relative_path()) free = least(free, freeIn(inside /= step, files));
  return free;
}

/// What a limit of the process leaves, as `ulimit -v` sets it: of its addresses, or of those that it alone writes to.
std::optional<std::uint64_t> freeBelow(const path& root, std::string_view limit, std::string_view used) {
  std::ifstream limits(root / "proc/self/limits");
  for (std::string line; std::getline(limits, line);) {
    if (!line.starts_with(limit)) continue;
    std::uint64_t bytes = 0;
    const std::string soft = line.substr(limit.size());
    const auto taken = kilobytesBehind(root / "proc/self/status", used);
    if (!taken || !(std::istringstream(soft) >> bytes)) return std::nullopt;  // such as "unlimited"
    return bytes - std::min(bytes, *taken);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> freeMemoryBytes(const path& root) {
  auto free = kilobytesBehind(root / "proc/meminfo", "MemAvailable:");
  free = least(free, freeBelow(root, "Max address space", "VmSize:"));
  free = least(free, freeBelow(root, "Max data size", "VmData:"));
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:path
    const std::size_t controllers = line.find(':');
    const std::size_t group = line.find(':', controllers + 1);
    if (controllers == std::string::npos || group == std::string::npos) continue;
    const std::string names = ',' + line.substr(controllers + 1, group - controllers - 1) + ',';
    const std::string_view where = std::string_view(line).substr(group + 1);
    if (names == ",,") free = least(free, freeInGroups(root, where, kSecondVersion));
    if (names.find(",memory,") != std::string::npos) free = least(free, freeInGroups(root, where, kFirstVersion));
  }
  return free;
}

namespace {

// Nobody needs to be asked about less.
constexpr std::uint64_t kSmallNeedBytes = 64 << 20;

// "1.0 billion", for a sentence about how much there is.
std::string roundedCount(std::uint64_t count) {
  constexpr double kMillion = 1e6, kBillion = 1e9;
  const auto number = static_cast<double>(count);
  if (number >= kBillion) return fmt::format("{:.1f} billion", number / kBillion);
  if (number >= kMillion) return fmt::format("{:.{}f} million", number / kMillion, number < 1e7 ? 1 : 0);
  return readableCount(count);
}

}  // namespace

MemoryNeed operator+(MemoryNeed one, const MemoryNeed& other) {
  one.objects += other.objects;
  one.bytes += other.bytes;
  one.takenBytes += std::min(other.takenBytes, other.bytes);
  return one;
}

Result<void> checkMemory(const MemoryNeed& need, std::optional<std::uint64_t> allowedBytes) {
  const auto refused = [&](std::uint64_t bytes, const char* more, std::uint64_t there, const char* are) {
    return failure(ErrorCode::NotEnoughMemory,
                   fmt::format("{} of {} objects need about {}{} of memory, and {} {}.", need.of,
                               roundedCount(need.objects), sizeText(bytes), more, sizeText(there), are),
                   need.help);
  };
  if (allowedBytes) {
    if (need.bytes > *allowedBytes) return refused(need.bytes, "", *allowedBytes, "is what they may take");
    return {};
  }
  const std::uint64_t more = need.bytes - std::min(need.bytes, need.takenBytes);
  const auto free = more < kSmallNeedBytes ? std::nullopt : freeMemoryBytes();
  if (free && more > *free) return refused(more, need.takenBytes ? " more" : "", *free, "are free");
  return {};
}

}  // namespace heapscape::engine
