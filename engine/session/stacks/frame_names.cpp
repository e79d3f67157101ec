// SPDX-License-Identifier: MIT
#include "session/stacks/frame_names.h"

#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

/// Where the parameters of a signature begin: at the parenthesis that its last one closes.
std::size_t parametersAt(std::string_view signature) {
  int depth = 0;
  for (std::size_t i = signature.size(); i-- > 0;) {
    if (signature[i] == ')') ++depth;
    if (signature[i] == '(' && --depth == 0) return i;
  }
  return signature.size();
}

/// The dot in front of a method's own name, which may have type arguments with dots in them.
std::size_t dotBeforeMethod(std::string_view written) {
  int depth = 0;
  for (std::size_t i = written.size(); i-- > 0;) {
    if (written[i] == '>') ++depth;
    if (written[i] == '<') --depth;
    if (depth == 0 && written[i] == '.') return i;
  }
  return std::string_view::npos;
}

/// The code of an async method or an iterator is that of its state machine: the method that was written is named.
void unfoldStateMachine(FrameName& name) {
  if (name.method != "MoveNext") return;
  const std::string written = asyncMethodName(name.type);
  const std::size_t dot = dotBeforeMethod(written);
  if (written == name.type || dot == std::string::npos) return;
  name.type = written.substr(0, dot);
  name.method = written.substr(dot + 1);
  name.parameters.clear();  // they are fields of the state machine
  name.isAsync = true;
}

}  // namespace

const FrameName& FrameNames::of(Address methodDesc) {
  const auto [known, isNew] = m_known.try_emplace(methodDesc);
  if (isNew) known->second = read(methodDesc);
  return known->second;
}

FrameName FrameNames::read(Address methodDesc) const {
  FrameName name;
  if (auto compiled = m_readers.methodNames.compiledName(methodDesc)) {
    name.type = std::move(compiled->type);
    name.method = std::move(compiled->method);
    name.parameters = std::move(compiled->parameters);
    name.owner = m_owners.of({}, name.type);
    unfoldStateMachine(name);
    return name;
  }
  const auto method = m_readers.methods.read(methodDesc);
  if (!method) {
    name.method = m_readers.methodNames.nameOf(methodDesc);
    return name;
  }
  const auto type = m_readers.methodTables.read(method->methodTable);
  const auto arguments = type ? m_readers.methodTables.typeArguments(*type) : tl::unexpected<Error>(type.error());
  const std::string signature =
      m_readers.methodNames.signatureOf(*method, arguments.value_or(std::vector<TypeHandle>{}));
  const std::size_t parameters = parametersAt(signature);
  name.method = signature.substr(0, parameters);
  name.parameters = signature.substr(parameters);
  if (method->classification == MethodClassification::Dynamic) {
    name.type = "DynamicClass";
    readDynamic(*method, name);
    return name;
  }
  name.methodTable = method->methodTable;
  name.type = m_readers.names.nameOf(method->methodTable);
  name.row = method->row;
  name.module = m_readers.methodNames.moduleOf(*method);
  if (name.module) name.assembly = name.module->name;
  if (!name.assembly.empty()) name.owner = m_owners.of(name.assembly);
  unfoldStateMachine(name);
  return name;
}

// Stubs that the runtime writes in IL are its own; DynamicMethod and compiled expressions are the program's.
void FrameNames::readDynamic(const MethodDesc& method, FrameName& name) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const auto flags = runtime.valueAt<std::uint32_t>(method.address, "DynamicMethodDesc", "ExtendedFlags");
  if (flags && (*flags & runtime.contract().constant("DynamicMethodDesc.IsILStub")) != 0)
    name.owner = CodeOwner::Framework;
}

}  // namespace heapscape::engine
