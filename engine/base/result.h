// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace heapscape::engine {

enum class ErrorCode {
  FileUnreadable,      // missing, a directory, no permission, empty, disk full
  NotACoreDump,        // not an ELF core of 64-bit x86 or arm64
  Truncated,           // so little of the file is there that nothing can be shown
  NoRuntime,           // a core dump without CoreCLR in it
  UnsupportedRuntime,  // CoreCLR of a version that no contract fits
  NoHeap,              // the dump was made without the managed heap
  NotInDump,           // an address whose bytes the dump does not hold
  Damaged,             // bytes that contradict themselves
  NotFound,            // what was asked for by name or address is not there
  BadQuery,            // a filter or an argument that cannot be understood
  NotEnoughMemory,     // it would take more than is free, or than it may take
};

/// Why something has no value: one sentence of what and why, one of what would help.
struct [[nodiscard]] Error {
  ErrorCode code;
  std::string what;
  std::string help = {};

  /// Both sentences on one line, as the window and standard error show it.
  std::string message() const { return help.empty() ? what : what + " " + help; }
};

// One alias, so that a later switch to std::expected is one line.
template <class T>
using Result = tl::expected<T, Error>;

/// Why a long operation has no value: it failed, or its caller asked it to stop.
class [[nodiscard]] Unfinished {
 public:
  static Unfinished cancelled() { return Unfinished(); }
  Unfinished(Error error) : m_error(std::move(error)) {}

  bool isCancelled() const { return !m_error; }
  /// Only if it is not a cancellation.
  const Error& error() const { return *m_error; }

 private:
  Unfinished() = default;
  std::optional<Error> m_error;
};

/// The value of an operation that can be cancelled.
template <class T>
using Outcome = tl::expected<T, Unfinished>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string what, std::string help = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(help)});
}

}  // namespace heapscape::engine

#define HEAPSCAPE_CONCAT_(a, b) a##b
#define HEAPSCAPE_CONCAT(a, b) HEAPSCAPE_CONCAT_(a, b)
#define HEAPSCAPE_TRY_(holder, target, expression)                                                       \
  auto holder = (expression);                                                                            \
  if (!holder) return tl::unexpected<std::decay_t<decltype(holder.error())>>(std::move(holder.error())); \
  target = std::move(*holder)
/// HEAPSCAPE_TRY(auto value, call()): the value of a Result or Outcome, or return its failure from this function.
#define HEAPSCAPE_TRY(target, expression) HEAPSCAPE_TRY_(HEAPSCAPE_CONCAT(tried_, __LINE__), target, expression)
/// HEAPSCAPE_TRY for a call whose value is not needed.
#define HEAPSCAPE_CHECK(expression)                                                                           \
  do {                                                                                                        \
    auto checked = (expression);                                                                              \
    if (!checked) return tl::unexpected<std::decay_t<decltype(checked.error())>>(std::move(checked.error())); \
  } while (false)
