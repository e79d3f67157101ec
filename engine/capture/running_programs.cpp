// SPDX-License-Identifier: MIT
#include "capture/running_programs.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>

#include "capture/capture_failure.h"
#include "capture/diagnostic_socket.h"
#include "capture/heap_counter.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostAtATime = 64;

/// Notes why something is missing, but for an interruption.
template <class T>
bool isTold(const Outcome<T>& told, RunningProgram& program, const ProcessPlaces& places) {
  if (!told && !told.error().isCancelled())
    program.missing.push_back(explainSilence(places, program.process, told.error().error()));
  return told.has_value();
}

void askProgram(const ProcessPlaces& places, const ListingLimits& limits, std::stop_token stop,
                RunningProgram& program) {
  const DotnetProcess& process = program.process;
  if (auto reason = reasonNotToAsk(places, process); reason && (process.socket.empty() || process.isStopped())) {
    program.missing.push_back(std::move(*reason));
    return;
  }
  auto info = askProcessInfo(process.socket, process.pid, Patience::of(limits.info, stop));
  if (!isTold(info, program, places)) return;
  program.info = std::move(*info);
  const auto heap = askHeapBytes(process.socket, process.pid, Patience::of(limits.heap, stop));
  if (isTold(heap, program, places)) program.heapBytes = *heap;
}

}  // namespace

const std::string& RunningProgram::name() const {
  return info && !info->entryAssembly.empty() ? info->entryAssembly : process.name;
}

const std::string& RunningProgram::command() const {
  return info && !info->command.empty() ? info->command : process.command;
}

Outcome<std::vector<RunningProgram>> listRunningPrograms(const ProcessPlaces& places, const ListingLimits& limits,
                                                         std::stop_token stop) {
  std::vector<RunningProgram> programs;
  for (DotnetProcess& process : findDotnetProcesses(places)) programs.push_back({std::move(process)});
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(programs.size(), kMostAtATime); ++i) {
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < programs.size(); at = next++) askProgram(places, limits, stop, programs[at]);
      });
    }
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return programs;
}

}  // namespace heapscape::engine
