// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "capture/processes.h"
#include "support/temporary_folder.h"

namespace heapscape::test {

/// A folder as the kernel has it below /proc for a process of .NET.
class SeemingProcess {
 public:
  /// Below `places.processes`. It has the files of this machine, $TMPDIR is `places.temporary`, its threads are those
  /// of a workstation GC, and it may do nothing but run.
  SeemingProcess(const engine::ProcessPlaces& places, std::uint32_t pid);

  SeemingProcess& state(char state);
  SeemingProcess& namespacePid(std::uint32_t pid);
  SeemingProcess& residentKilobytes(std::uint64_t size);
  SeemingProcess& threads(const std::vector<std::string>& names);
  SeemingProcess& environment(const std::vector<std::string>& variables);
  SeemingProcess& maps(const std::string& lines);
  /// From now on its files are those below this folder: a container.
  SeemingProcess& root(const std::filesystem::path& root);
  SeemingProcess& name(const std::string& name);
  SeemingProcess& userId(std::uint32_t id);
  /// The kernel knows it no more.
  void end() const;

  /// Where its runtime puts its socket: the name for a folder.
  std::string socketName() const;
  const std::filesystem::path& folder() const { return m_folder; }

 private:
  void writeStatus() const;
  void write(std::string_view file, std::string_view text) const;

  std::filesystem::path m_folder;
  std::uint32_t m_pid;
  std::uint32_t m_namespacePid;
  std::uint32_t m_userId;
  std::uint64_t m_residentKilobytes = 4096;
  char m_state = 'S';
  std::string m_name = "dotnet";
};

/// A /proc of our own, and a folder for sockets.
struct SeemingMachine {
  TemporaryFolder folder;
  engine::ProcessPlaces places;

  SeemingMachine();
};

}  // namespace heapscape::test
