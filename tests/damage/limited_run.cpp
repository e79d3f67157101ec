// SPDX-License-Identifier: MIT
#include "limited_run.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace heapscape::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kInterval = std::chrono::milliseconds(2);
constexpr int kWaits = 360;  // times as long as it may work, before a program hangs: a busy machine lets it wait

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// A file in memory that the program writes to, so that nobody has to read while it runs.
class Collected {
 public:
  Collected() : m_descriptor(::memfd_create("output", MFD_CLOEXEC)) {
    if (m_descriptor < 0) throw std::runtime_error("no file in memory");
  }
  ~Collected() { ::close(m_descriptor); }
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;

  int descriptor() const { return m_descriptor; }
  std::string text() const {
    std::string all(static_cast<std::size_t>(::lseek(m_descriptor, 0, SEEK_END)), '\0');
    if (::pread(m_descriptor, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size())) all.clear();
    return all;
  }

 private:
  int m_descriptor;
};

}  // namespace

LimitedRun runLimited(const std::vector<std::string>& words, std::chrono::seconds longest) {
  const Collected output;
  const Collected errors;
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(output.descriptor(), STDOUT_FILENO);
    ::dup2(errors.descriptor(), STDERR_FILENO);
    const auto most = static_cast<rlim_t>(longest.count());
    const rlimit work{most, most + 1};
    ::setrlimit(RLIMIT_CPU, &work);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  LimitedRun run;
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    if (!run.isTooSlow && Clock::now() - start > kWaits * longest) {
      run.isTooSlow = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(kInterval);
  }
  run.seconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  run.isTooSlow = run.isTooSlow || run.signal == SIGXCPU;
  run.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  run.output = output.text();
  run.errors = errors.text();
  return run;
}

}  // namespace heapscape::test
