// SPDX-License-Identifier: MIT
#include "cli/shell/answer_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
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

}  // namespace heapscape::cli
