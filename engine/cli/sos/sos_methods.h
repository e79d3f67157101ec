// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "cli/sos/sos_command.h"
#include "metadata/il/il_body.h"
#include "metadata/il/il_instructions.h"
#include "runtime/runtime_readers.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {

/// A method that commands were given by its MethodDesc or by an address in its code.
struct SosMethod {
  engine::MethodDesc desc;
  const engine::Module* module = nullptr;         // whose metadata describes it; null if it cannot be told
  std::optional<engine::CodeLocation> code = {};  // that the address lies in, else that runs now
};

/// Nothing if the address belongs to no method.
std::optional<SosMethod> sosMethodAt(const engine::RuntimeReaders& readers, engine::Address address);

/// Prints what dumpmd tells.
void printSosMethod(SosRun& run, const engine::RuntimeReaders& readers, engine::DebuggerNames& names,
                    const engine::MethodDesc& method);

/// A method's IL and where it lies.
struct SosIl {
  engine::Address address;
  engine::IlBody body;
};
/// From the dump, or from the assembly's file if that is on this disk. Fails with NotFound for a method without IL, and
/// with NotInDump or Damaged.
engine::Result<SosIl> readSosIl(const engine::RuntimeReaders& readers, const SosMethod& method);

/// An instruction as dumpil prints it, without a line's end; `nameOf` names what a token stands for.
std::string ilLine(const engine::IlInstruction& instruction, const std::function<std::string(std::uint32_t)>& nameOf);

/// Prints IL with its try blocks, and knows how deep they are nested.
class IlPrinter {
 public:
  IlPrinter(SosRun& run, const engine::IlBody& body, const engine::Metadata* metadata)
      : m_run(run), m_body(body), m_metadata(metadata) {}

  /// Prints the instruction at an offset; where the next one begins, or nothing behind the last one.
  std::optional<std::uint32_t> print(std::uint32_t offset);

 private:
  void printMarks(std::uint32_t offset);

  SosRun& m_run;
  const engine::IlBody& m_body;
  const engine::Metadata* m_metadata;
  std::size_t m_indentation = 0;
};

}  // namespace heapscape::cli
