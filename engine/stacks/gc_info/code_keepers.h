// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/methods/method_descs.h"
#include "stacks/gc_info/frame_roots.h"

namespace heapscape::engine {

/// Objects that keep the code of running methods, and the types that it runs for, loaded: a collection takes them for
/// roots of the frame (GcStackCrawlCallBack, src/coreclr/vm/gcenv.ee.common.cpp). Safe from any thread.
class CodeKeepers {
 public:
  /// `methods` has to outlive this.
  explicit CodeKeepers(const MethodDescs& methods) : m_methods(methods) {}

  /// Those of a frame's method, 0 for none, and of what shared code runs for. What cannot be read is left out.
  std::vector<Address> of(Address methodDesc, const std::optional<GenericContext>& context) const;

 private:
  void addKeepersOfMethod(Address methodDesc, std::vector<Address>& keepers) const;
  void addKeeperOfType(TypeHandle type, std::vector<Address>& keepers) const;

  const MethodDescs& m_methods;
};

/// The System.Reflection.Emit.DynamicResolver that a running DynamicMethod or compiled expression keeps alive
/// (LCGMethodResolver, src/coreclr/vm/dynamicmethod.h); 0 for other methods, and if it cannot be read.
Address resolverOf(const ClrRuntime& runtime, Address methodDesc);

}  // namespace heapscape::engine
