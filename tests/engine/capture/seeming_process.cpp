// SPDX-License-Identifier: MIT
#include "engine/capture/seeming_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace heapscape::test {
namespace {

constexpr std::uint64_t kStartTicks = 4711;

}  // namespace

SeemingMachine::SeemingMachine() {
  places = {.processes = folder / "proc", .temporary = folder / "sockets"};
  std::filesystem::create_directories(places.processes);
  std::filesystem::create_directories(places.temporary);
}

SeemingProcess::SeemingProcess(const engine::ProcessPlaces& places, std::uint32_t pid)
    : m_folder(places.processes / std::to_string(pid)), m_pid(pid), m_namespacePid(pid), m_userId(::geteuid()) {
  std::filesystem::create_directories(m_folder / "ns");
  root("/");
  std::filesystem::remove(m_folder / "ns/mnt");
  std::filesystem::create_symlink("/proc/self/ns/mnt", m_folder / "ns/mnt");
  threads({"dotnet", ".NET SigHandler", ".NET Finalizer"});
  environment({"TMPDIR=" + places.temporary.string()});
  write("cmdline", std::string_view("dotnet\0shop.dll\0--fast\0", 23));
  writeStatus();
}

SeemingProcess& SeemingProcess::state(char state) {
  m_state = state;
  writeStatus();
  return *this;
}

SeemingProcess& SeemingProcess::namespacePid(std::uint32_t pid) {
  m_namespacePid = pid;
  writeStatus();
  return *this;
}

SeemingProcess& SeemingProcess::residentKilobytes(std::uint64_t size) {
  m_residentKilobytes = size;
  writeStatus();
  return *this;
}

SeemingProcess& SeemingProcess::name(const std::string& name) {
  m_name = name;
  writeStatus();
  return *this;
}

SeemingProcess& SeemingProcess::userId(std::uint32_t id) {
  m_userId = id;
  writeStatus();
  return *this;
}

SeemingProcess& SeemingProcess::threads(const std::vector<std::string>& names) {
  std::filesystem::remove_all(m_folder / "task");
  std::uint32_t id = m_pid;
  for (const std::string& name : names) {
    std::filesystem::create_directories(m_folder / "task" / std::to_string(id));
    write(fmt::format("task/{}/comm", id++), name + "\n");
  }
  return *this;
}

SeemingProcess& SeemingProcess::environment(const std::vector<std::string>& variables) {
  std::string text;
  for (const std::string& variable : variables) (text += variable) += '\0';
  write("environ", text);
  return *this;
}

SeemingProcess& SeemingProcess::maps(const std::string& lines) {
  write("maps", lines);
  return *this;
}

SeemingProcess& SeemingProcess::root(const std::filesystem::path& root) {
  std::filesystem::remove(m_folder / "root");
  std::filesystem::create_directory_symlink(root, m_folder / "root");
  return *this;
}

void SeemingProcess::end() const {
  std::filesystem::rename(m_folder, m_folder.parent_path() / "ended");
}

std::string SeemingProcess::socketName() const {
  return fmt::format("dotnet-diagnostic-{}-{}-socket", m_namespacePid, kStartTicks);
}

void SeemingProcess::writeStatus() const {
  write("comm", m_name + "\n");
  write("status",
        fmt::format("Name:\t{}\nState:\t{} (sleeping)\nPid:\t{}\nUid:\t0\t{}\t0\t0\nNSpid:\t{}\t{}\nVmRSS:\t{:8} kB\n",
                    m_name, m_state, m_pid, m_userId, m_pid, m_namespacePid, m_residentKilobytes));
  write("stat", fmt::format("{} ({}) {} 1 1 1 0 -1 0 1 0 0 0 10 5 0 0 20 0 3 0 {} 1000 20\n", m_pid, m_name, m_state,
                            kStartTicks));
}

void SeemingProcess::write(std::string_view file, std::string_view text) const {
  // As a whole, since it may be read at any time.
  const std::filesystem::path fresh = m_folder / "fresh";
  std::ofstream(fresh, std::ios::binary) << text;
  std::filesystem::rename(fresh, m_folder / file);
}

}  // namespace heapscape::test
