// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

namespace heapscape::engine {

/// Why a text is no query: where, in bytes of its UTF-8, what is wrong there, and what would be right.
struct QueryError {
  std::size_t position = 0;
  std::size_t length = 0;  // 0 at the end of the text
  std::string what;        // a sentence
  std::string help = {};   // another one; may be empty

  std::string message() const { return help.empty() ? what : what + " " + help; }
};

template <class T>
using QueryResult = tl::expected<T, QueryError>;

inline tl::unexpected<QueryError> queryFailure(std::size_t position, std::size_t length, std::string what,
                                               std::string help = {}) {
  return tl::unexpected<QueryError>(QueryError{position, length, std::move(what), std::move(help)});
}

}  // namespace heapscape::engine
