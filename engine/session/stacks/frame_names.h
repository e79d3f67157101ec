// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "layout/code_owners.h"
#include "runtime/runtime_readers.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// Name of a method on a stack.
struct FrameName {
  Address methodTable;  // of the type that declares it; 0 if there is none
  std::string type;
  std::string method;
  std::string parameters;
  std::string assembly;
  std::uint32_t row = 0;           // in the MethodDef table of its module; 0 for none
  const Module* module = nullptr;  // null where there is none
  CodeOwner owner = CodeOwner::Own;
  bool isAsync = false;
};

/// Names methods as stacks show them; an async method or an iterator under its own name rather than that of the
/// compiler's state machine. Remembers them; not safe from several threads.
class FrameNames {
 public:
  FrameNames(const RuntimeReaders& readers, const CodeOwners& owners) : m_readers(readers), m_owners(owners) {}

  const FrameName& of(Address methodDesc);

 private:
  FrameName read(Address methodDesc) const;
  void readDynamic(const MethodDesc& method, FrameName& name) const;

  const RuntimeReaders& m_readers;
  const CodeOwners& m_owners;
  std::unordered_map<Address, FrameName> m_known;
};

}  // namespace heapscape::engine
