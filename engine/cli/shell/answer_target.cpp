// SPDX-License-Identifier: MIT
#include "cli/shell/answer_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace heapscape::cli {

using engine::ErrorCode;
using engine::failure;
using engine::Result;

Result<AnswerTarget> AnswerTarget::file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return failure(ErrorCode::FileUnreadable, fmt::format("{} cannot be written: {}.", path, std::strerror(errno)));
  return AnswerTarget(descriptor, 0);
}

Result<AnswerTarget> AnswerTarget::pipe(const std::string& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure(ErrorCode::FileUnreadable, fmt::format("There is no pipe: {}.", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // What we do with signals is not for the other program.
  sigset_t none;
  sigemptyset(&none);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT}) sigaddset(&usual, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::array<std::string, 3> words{"sh", "-c", command};
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (error != 0) {
    ::close(ends[1]);
    return failure(ErrorCode::FileUnreadable, fmt::format("/bin/sh cannot be started: {}.", std::strerror(error)));
  }
  return AnswerTarget(ends[1], child);
}

AnswerTarget::AnswerTarget(AnswerTarget&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_child(std::exchange(other.m_child, 0)),
      m_hasFailed(other.m_hasFailed),
      m_problem(std::move(other.m_problem)) {}

AnswerTarget::~AnswerTarget() {
  if (m_descriptor >= 0) ::close(m_descriptor);
  while (m_child > 0 && ::waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void AnswerTarget::end(Interrupts& interrupts) {
  constexpr timespec kBetween{0, 5'000'000};
  if (m_descriptor >= 0) ::close(std::exchange(m_descriptor, -1));
  while (m_child > 0 && ::waitpid(m_child, nullptr, WNOHANG) == 0) {
    interrupts.next();
    ::nanosleep(&kBetween, nullptr);
  }
  m_child = 0;
}

bool AnswerTarget::write(std::string_view text) {
  while (!text.empty() && !m_hasFailed) {
    const ssize_t written = ::write(m_descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      m_hasFailed = true;
      if (errno != EPIPE) m_problem = fmt::format("The answer cannot be written: {}.", std::strerror(errno));
    }
  }
  return !m_hasFailed;
}

std::optional<PagedAnswer> PagedAnswer::make(engine::Output::Sink terminal) {
  const char* asked = std::getenv("PAGER");
  const std::string pager = asked ? asked : "if command -v less > /dev/null; then exec less -R; else exec cat; fi";
  winsize screen{};
  if (pager.empty() || ::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen) != 0 ||
      screen.ws_row == 0 || screen.ws_col == 0)
    return std::nullopt;
  return PagedAnswer(std::move(terminal), pager, screen.ws_row, screen.ws_col);
}

bool PagedAnswer::write(std::string_view text) {
  if (m_target) return m_target->write(text);
  m_kept += text;
  for (const char c : text) {
    const bool isCharacter = c != '\n' && (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (isCharacter) ++m_column;
    if (c != '\n' && m_column <= m_columns) continue;
    ++m_row;
    m_column = isCharacter ? 1 : 0;
  }
  if (m_row < m_rows) return true;
  auto target = AnswerTarget::pipe(m_pager);
  if (!target) {  // no process more: better unpaged than not at all
    m_row = 0;
    return m_terminal(std::exchange(m_kept, {}));
  }
  m_target.emplace(std::move(*target));
  return m_target->write(std::exchange(m_kept, {}));
}

void PagedAnswer::end(Interrupts& interrupts) {
  if (m_target)
    m_target->end(interrupts);
  else if (!m_kept.empty())
    m_terminal(m_kept);
}

}  // namespace heapscape::cli
