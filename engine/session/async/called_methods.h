// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "session/async/async_types.h"
#include "session/async/suspended_methods.h"

namespace heapscape::engine {

/// What is called when something happens: the methods of delegates, and of objects that hold one. For one thread.
class CalledMethods {
 public:
  CalledMethods(const Contents& contents, AsyncTypes& types)
      : m_contents(contents), m_types(types), m_suspended(contents) {}

  /// "Shop.Orders.OnPlaced", without parameters; of what goes on with an async method, that method. Empty if it cannot
  /// be told.
  std::string ofDelegate(Address delegate);
  /// The same of what waits in a queue of the thread pool: a task, an async method, a work item.
  std::string ofWorkItem(Address object);

 private:
  const AsyncType& typeAt(Address object);
  const std::string& byCode(Address delegate);
  std::string goesOnIn(Address task);

  const Contents& m_contents;
  AsyncTypes& m_types;
  SuspendedMethods m_suspended;
  std::unordered_map<Address, std::string> m_names;  // by code
};

}  // namespace heapscape::engine
