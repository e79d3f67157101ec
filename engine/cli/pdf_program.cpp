// SPDX-License-Identifier: MIT
#include "cli/pdf_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "memory/files/regular_file.h"
#include "review/board_file.h"

extern char** environ;

namespace heapscape::cli {
namespace {

namespace fs = std::filesystem;
using engine::ErrorCode;
using engine::failure;
using engine::Outcome;
using engine::Result;
using engine::Unfinished;

constexpr auto kPollInterval = std::chrono::milliseconds(10);

Result<fs::path> findProgram() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / "heapscape", folder / ".." / "bin" / "heapscape"}) {
    if (!error && ::access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, error)) return place;
  }
  return failure(ErrorCode::NotFound,
                 "A PDF is written by the program heapscape, which does not stand beside heapscape-cli.",
                 "Install it, or write a page that ends in .html, which any browser prints.");
}

/// A file of its own for the board, gone with this.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) folder = "/tmp";
    m_path = (folder / "heapscape-review-XXXXXX").string();
    m_file = engine::FileDescriptor(::mkstemp(m_path.data()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (m_file.isOpen()) ::unlink(m_path.c_str());
  }

  Result<void> write(std::string_view content) {
    while (m_file.isOpen() && !content.empty()) {
      const ssize_t written = ::write(m_file.get(), content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) break;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (m_file.isOpen() && content.empty()) return {};
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be written: {}.", m_path, engine::systemMessage(errno)),
                   "Set TMPDIR to a folder with room.");
  }
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
  engine::FileDescriptor m_file;
};

/// The environment, with Qt told to open no window.
std::vector<char*> offscreenEnvironment() {
  static std::string platform = "QT_QPA_PLATFORM=offscreen";
  std::vector<char*> variables;
  for (char** variable = environ; *variable; ++variable) {
    if (!std::string_view(*variable).starts_with("QT_QPA_PLATFORM=")) variables.push_back(*variable);
  }
  variables.push_back(platform.data());
  variables.push_back(nullptr);
  return variables;
}

/// The exit status, -1 for none.
Outcome<int> waitFor(pid_t process, const std::stop_token& stop) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (ended < 0 && errno != EINTR) return -1;
    if (stop.stop_requested()) {
      ::kill(process, SIGTERM);
      ::waitpid(process, &status, 0);
      return tl::unexpected(Unfinished::cancelled());
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

}  // namespace

Outcome<void> writePdf(const engine::ReviewBoard& board, const fs::path& pdf, const std::stop_token& stop) {
  HEAPSCAPE_TRY(const fs::path program, findProgram());
  TemporaryFile file;
  HEAPSCAPE_CHECK(file.write(engine::writtenBoard(board)));
  std::string name = program.string();
  std::string option = "--print-review";
  std::string source = file.path();
  std::string target = fs::absolute(pdf).string();
  std::array<char*, 5> arguments{name.data(), option.data(), source.data(), target.data(), nullptr};
  std::vector<char*> environment = offscreenEnvironment();
  pid_t process = 0;
  const int error = ::posix_spawn(&process, name.c_str(), nullptr, nullptr, arguments.data(), environment.data());
  if (error) {
    return tl::unexpected(Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} cannot be run: {}.", name, engine::systemMessage(error))}));
  }
  HEAPSCAPE_TRY(const int status, waitFor(process, stop));
  if (status == 0) return {};
  return tl::unexpected(
      Unfinished(engine::Error{ErrorCode::FileUnreadable, fmt::format("{} could not write {}.", name, target),
                               "Write a page that ends in .html instead, which any browser prints."}));
}

}  // namespace heapscape::cli
