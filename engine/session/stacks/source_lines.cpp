// SPDX-License-Identifier: MIT
#include "session/stacks/source_lines.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "memory/file_backed_memory.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/assembly_file.h"
#include "metadata/image/portable_pdb.h"
#include "metadata/signature.h"
#include "stacks/debug_info/variable_places.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  bool hasThis = false;
  std::uint32_t count = 0;  // without `this`
};

// ECMA-335 II.23.2.1: how a method's signature begins.
std::optional<Arguments> argumentsOf(Bytes signature) {
  constexpr std::uint8_t kIsGeneric = 0x10;
  constexpr std::uint8_t kHasThis = 0x20;
  constexpr std::uint8_t kThisIsListed = 0x40;
  BoundedReader reader(signature);
  const auto convention = reader.read<std::uint8_t>();
  if ((convention & kIsGeneric) != 0) (void)readCompressed(reader);
  const auto count = readCompressed(reader);
  if (!count || reader.failed()) return std::nullopt;
  return Arguments{(convention & kHasThis) != 0 && (convention & kThisIsListed) == 0, *count};
}

std::vector<fs::path> filesNamed(const std::string& name, const std::string& recordedBeside, const fs::path& dump,
                                 const FileBackedMemory* files) {
  std::vector<fs::path> found;
  if (name.empty()) return found;
  if (const fs::path assembly = recordedPath(recordedBeside); !assembly.empty())
    found.push_back(assembly.parent_path() / name);
  found.push_back(dump.parent_path() / name);
  if (files) std::ranges::move(files->candidatesFor((fs::path("/") / name).string()), std::back_inserter(found));
  return found;
}

}  // namespace

std::optional<SourceLine> SourceLines::lineOf(const Module& module, std::uint32_t methodRow,
                                              std::uint32_t ilOffset) const {
  const auto pdb = pdbOf(module);
  return pdb ? pdb->lineOf(methodRow, ilOffset) : std::nullopt;
}

std::string SourceLines::variableName(const Module& module, std::uint32_t methodRow, std::uint32_t variable,
                                      std::optional<std::uint32_t> ilOffset) const {
  const auto method = module.metadata ? module.metadata->methodDef(methodRow) : std::nullopt;
  const auto arguments = method ? argumentsOf(method->signature) : std::nullopt;
  if (!arguments) return {};
  const std::uint32_t firstArgument = arguments->hasThis ? 1 : 0;
  if (variable < firstArgument) return "this";
  const std::uint32_t argument = variable - firstArgument;
  if (argument < arguments->count) return std::string(module.metadata->parameterName(methodRow, argument + 1));
  const auto pdb = pdbOf(module);
  return pdb ? std::string(pdb->localName(methodRow, argument - arguments->count, ilOffset)) : std::string();
}

std::optional<std::string> SourceLines::localName(const Module& module, std::uint32_t methodRow, std::uint32_t slot,
                                                  std::optional<std::uint32_t> ilOffset) const {
  const auto pdb = pdbOf(module);
  if (!pdb) return std::string();
  std::string name(pdb->localName(methodRow, slot, ilOffset));
  if (name.empty() && ilOffset && pdb->namesLocal(methodRow, slot)) return std::nullopt;
  return name;
}

std::shared_ptr<const PortablePdb> SourceLines::pdbOf(const Module& module) const {
  const std::lock_guard lock(m_mutex);
  const auto [known, isNew] = m_pdbs.try_emplace(&module);
  if (isNew) known->second = findPdbOf(module);
  return known->second;
}

std::shared_ptr<const PortablePdb> SourceLines::findPdbOf(const Module& module) const {
  const auto candidates = candidatesOf(module);
  return candidates ? findPdb(candidates->directory, candidates->files) : nullptr;
}

std::optional<MissingPdb> SourceLines::missingPdbOf(const Module& module) const {
  if (pdbOf(module)) return std::nullopt;
  const auto candidates = candidatesOf(module);
  if (!candidates || !candidates->directory.pdbId) return std::nullopt;
  MissingPdb missing{.name = pdbFileName(candidates->directory), .otherBuilds = {}};
  for (const fs::path& file : candidates->files) {
    std::error_code error;
    const bool isKnown = std::ranges::find(missing.otherBuilds, file) != missing.otherBuilds.end();
    if (!isKnown && fs::is_regular_file(file, error)) missing.otherBuilds.push_back(file);
  }
  return missing.name.empty() ? std::nullopt : std::optional(std::move(missing));
}

// By the dumped image where it has those pages, else by the file that it was loaded from.
std::optional<SourceLines::Candidates> SourceLines::candidatesOf(const Module& module) const {
  if (!module.imageBase) return std::nullopt;
  const PeReader inDump = [&](std::uint64_t offset, std::span<std::byte> target) {
    return m_runtime.memory().tryRead(module.imageBase + offset, target);
  };
  auto directory = readDebugDirectory(inDump, module.isMapped);
  if (!directory || !directory->isWhole) {
    const fs::path path = recordedPath(module.path);
    const auto assembly = path.empty() || module.mvid.empty() ? std::nullopt : openAssembly(path, module.mvid);
    if (auto onDisk = assembly ? readDebugDirectory(*assembly, false) : std::nullopt) directory = std::move(onDisk);
  }
  if (!directory) return std::nullopt;
  Candidates candidates{.directory = std::move(*directory), .files = {}};
  if (fs::path written = recordedPath(candidates.directory.pdbPath); !written.empty())
    candidates.files.push_back(std::move(written));
  std::ranges::move(filesNamed(pdbFileName(candidates.directory), module.path, m_dump, m_runtime.memory().files()),
                    std::back_inserter(candidates.files));
  return candidates;
}

FrameSource FrameSources::of(const ManagedFrame& frame, const Module* module, std::uint32_t methodRow) const {
  // What a call returns to may belong to the next line.
  const Address instruction = frame.code.start + decidingOffsetOf(frame);
  if (auto line = m_code.lineOf(instruction)) return {.ilOffset = {}, .line = std::move(line)};
  const auto info = m_debugInfo.of(frame.code);
  return withLine(info ? ilOffsetOf(*info, frame) : std::nullopt, module, methodRow);
}

FrameSource FrameSources::of(const CodeLocation& code, Address instruction, const Module* module,
                             std::uint32_t methodRow) const {
  if (auto line = m_code.lineOf(instruction)) return {.ilOffset = {}, .line = std::move(line)};
  const auto info = m_debugInfo.of(code);
  if (!info || instruction < code.start) return {};
  return withLine(ilOffsetAt(*info, static_cast<std::uint32_t>(instruction - code.start), false), module, methodRow);
}

FrameSource FrameSources::withLine(std::optional<std::uint32_t> ilOffset, const Module* module,
                                   std::uint32_t methodRow) const {
  FrameSource source{.ilOffset = ilOffset, .line = {}};
  if (ilOffset && module) source.line = m_lines.lineOf(*module, methodRow, *ilOffset);
  return source;
}

std::string FrameSources::variableOf(const ManagedFrame& frame, const StackRoot& root, const Module* module,
                                     std::uint32_t methodRow) const {
  const auto info = module ? m_debugInfo.of(frame.code) : nullptr;
  const auto variable = info ? engine::variableOf(*info, frame, root) : std::nullopt;
  return variable ? m_lines.variableName(*module, methodRow, *variable, ilOffsetOf(*info, frame)) : std::string();
}

}  // namespace heapscape::engine
