// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"

namespace heapscape::engine {

/// Where processes of this machine are looked for.
struct ProcessPlaces {
  std::filesystem::path processes = "/proc";
  std::filesystem::path temporary;  // where our own programs put their sockets

  /// Those of this process: /proc, and $TMPDIR or /tmp.
  static ProcessPlaces ofThisProcess();
};

enum class GcMode : std::uint8_t { Workstation, Server };

template <>
inline constexpr auto kEnumNames<GcMode> = std::to_array<EnumName<GcMode>>({{GcMode::Workstation, "workstation"},
                                                                            {GcMode::Server, "server"}});

/// A process that runs .NET, as the kernel tells of it. All of it may be out of date the moment after.
struct DotnetProcess {
  std::uint32_t pid = 0;           // as our own PID namespace counts
  std::uint32_t namespacePid = 0;  // as its own does: in a container often 1
  std::uint64_t startTicks = 0;    // since the machine started; together with the pid it is this process and no other
  char state = '?';                // 'R' and 'S' run, 'T' and 't' are stopped, 'Z' has ended
  std::uint32_t userId = 0;        // effective
  std::string name = {};           // of the process, at most 15 bytes
  std::string command = {};        // with arguments; empty if they cannot be read
  std::uint64_t residentBytes = 0;
  /// By the threads that a server GC has for each heap; nullopt if the threads of the runtime do not show.
  std::optional<GcMode> gc = {};
  std::size_t gcThreads = 0;  // of a server GC: one for each heap
  /// Whether the kernel does not let us see its files, its environment and its mappings: it belongs to another user, or
  /// may do what we may not.
  bool isHidden = false;
  /// Whether it has other files than we: a container.
  bool isElsewhere = false;
  std::filesystem::path root = {};       // of its files, as we reach them; "/" if they are ours
  std::filesystem::path temporary = {};  // where its socket lies, as it names the folder; empty without socket
  std::filesystem::path socket = {};     // as we reach it; empty if none was found

  bool isStopped() const { return state == 'T' || state == 't'; }
};

/// All processes with a diagnostic socket of the runtime, or with threads that are named as the runtime names its own,
/// in the order of their pids. What the kernel does not let us see is not among them.
std::vector<DotnetProcess> findDotnetProcesses(const ProcessPlaces& places);

/// One of them. Fails with NotFound if there is no such process, or if nothing of .NET is seen in it.
Result<DotnetProcess> findDotnetProcess(const ProcessPlaces& places, std::uint32_t pid);

/// Whether the process is still there, and the same.
bool isStillThere(const ProcessPlaces& places, const DotnetProcess& process);

/// The size of what it has in memory now; nullopt if it has ended.
std::optional<std::uint64_t> residentBytesOf(const ProcessPlaces& places, const DotnetProcess& process);

/// Memory of a process by what may be done with it, in bytes.
struct MappedBytes {
  std::uint64_t readable = 0;
  std::uint64_t privateWritable = 0;
  std::uint64_t readableFiles = 0;  // of the readable what files are mapped to
};
/// Returns nullopt if its mappings may not be read.
std::optional<MappedBytes> mappedBytesOf(const ProcessPlaces& places, std::uint32_t pid);

/// Where the runtime looks for the program that writes dumps, beside its own library, as the process names it; nullopt
/// if that may not be seen, if the process was told otherwise, or if it is a single file, which has all of it inside.
std::optional<std::filesystem::path> createdumpPathOf(const ProcessPlaces& places, std::uint32_t pid);

/// What writes a dump for the process: the program createdump, or of a single file a copy of the process itself, which
/// has the name of the thread that made it (.NET 8 to 11); 0 if there is none at work.
std::uint32_t createdumpOf(const ProcessPlaces& places, const DotnetProcess& process);

/// Processor time that a process has had, in ticks; 0 if it is not there.
std::uint64_t processorTicksOf(const ProcessPlaces& places, std::uint32_t pid);

}  // namespace heapscape::engine
