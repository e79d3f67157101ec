// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "metadata/image/portable_pdb.h"
#include "runtime/modules/modules.h"
#include "runtime/runtime_readers.h"
#include "stacks/debug_info/debug_info.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// A PDB that an assembly names and that is not found.
struct MissingPdb {
  std::string name;                                // "shop.pdb"
  std::vector<std::filesystem::path> otherBuilds;  // files of that name that were found, and have another id
};

/// Files, lines and names of variables from the PDBs of a dump's modules. A PDB is used only if it has the id that the
/// assembly names; it is looked for inside the assembly, where the compiler wrote it, beside the assembly, beside the
/// dump, and in the folders that files are looked for in, never in a network. Each is read when first asked for. Safe
/// from any thread.
class SourceLines {
 public:
  SourceLines(const ClrRuntime& runtime, std::filesystem::path dump) : m_runtime(runtime), m_dump(std::move(dump)) {}

  /// Returns the line of the statement that an IL offset of a method belongs to.
  std::optional<SourceLine> lineOf(const Module& module, std::uint32_t methodRow, std::uint32_t ilOffset) const;
  /// Name of a variable by its IL number: "this", an argument's, a local's; empty if it is not known. The assembly
  /// itself has the names of arguments.
  std::string variableName(const Module& module, std::uint32_t methodRow, std::uint32_t variable,
                           std::optional<std::uint32_t> ilOffset) const;

  /// Name of a local in a slot; empty for one that the compiler made, and where there is no PDB. Nothing where the
  /// source has a name for the slot, but not in the part of the method that has the offset.
  std::optional<std::string> localName(const Module& module, std::uint32_t methodRow, std::uint32_t slot,
                                       std::optional<std::uint32_t> ilOffset) const;

  /// Returns nullopt for a module whose PDB is found, or that names none.
  std::optional<MissingPdb> missingPdbOf(const Module& module) const;

 private:
  struct Candidates {
    DebugDirectory directory;
    std::vector<std::filesystem::path> files;
  };
  std::optional<Candidates> candidatesOf(const Module& module) const;
  std::shared_ptr<const PortablePdb> pdbOf(const Module& module) const;
  std::shared_ptr<const PortablePdb> findPdbOf(const Module& module) const;

  const ClrRuntime& m_runtime;
  std::filesystem::path m_dump;
  mutable std::mutex m_mutex;
  mutable std::map<const Module*, std::shared_ptr<const PortablePdb>> m_pdbs;  // null where there is none
};

/// Where a frame is in its method, and in the source where a PDB tells it.
struct FrameSource {
  std::optional<std::uint32_t> ilOffset;
  std::optional<SourceLine> line;
};

/// Joins the debug info of methods with what PDBs tell. Safe from any thread.
class FrameSources {
 public:
  FrameSources(const RuntimeReaders& readers, const std::filesystem::path& dump)
      : m_code(readers.code), m_debugInfo(readers.runtime), m_lines(readers.runtime, dump) {}

  /// `module` and `methodRow` are the method's; null and 0 where it has none.
  FrameSource of(const ManagedFrame& frame, const Module* module, std::uint32_t methodRow) const;
  /// Returns the place of an instruction itself, not of a call in front of it.
  FrameSource of(const CodeLocation& code, Address instruction, const Module* module, std::uint32_t methodRow) const;
  /// The variable of the method that a root lives in, by its name in the source; empty if that cannot be told.
  std::string variableOf(const ManagedFrame& frame, const StackRoot& root, const Module* module,
                         std::uint32_t methodRow) const;

  const DebugInfoReader& debugInfo() const { return m_debugInfo; }
  const SourceLines& lines() const { return m_lines; }

 private:
  FrameSource withLine(std::optional<std::uint32_t> ilOffset, const Module* module, std::uint32_t methodRow) const;

  const CodeLookup& m_code;
  DebugInfoReader m_debugInfo;
  SourceLines m_lines;
};

}  // namespace heapscape::engine
