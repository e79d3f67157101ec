// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "cli/sos/sos_code.h"
#include "cli/sos/sos_disassembler.h"
#include "cli/sos/sos_methods.h"
#include "cli/sos/sos_text.h"
#include "runtime/managed_objects.h"
#include "session/snapshot/contents.h"
#include "session/stacks/source_lines.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::ExceptionClause;
using engine::IlMapping;
using engine::Outcome;
using engine::RuntimeReaders;
using engine::Snapshot;

/// Says what addresses in machine code are.
class CodeWords {
 public:
  explicit CodeWords(const RuntimeReaders& readers) : m_readers(readers), m_names(readers) {}

  engine::DebuggerNames& names() { return m_names; }

  std::string of(const MachineInstruction& instruction) {
    if (!instruction.operand) return {};
    Address operand = *instruction.operand;
    if (instruction.isOperandIndirect) {
      const auto read = m_readers.runtime.memory().readPointer(operand);
      if (!read) return {};
      operand = *read;
    }
    if (instruction.isCall || instruction.target) return ofCode(operand);
    // Small numbers are no addresses.
    constexpr std::uint64_t kLowest = 0x10000;
    return operand.value < kLowest ? std::string() : ofValue(operand);
  }

 private:
  std::string ofCode(Address target) {
    Address method = m_readers.code.methodAtEntry(target);
    if (!method) {
      const auto code = m_readers.code.find(target);
      if (code && code->isExact && code->start == target) method = code->methodDesc;
    }
    const auto desc = method ? m_readers.methods.read(method) : engine::failure(ErrorCode::NotFound, {});
    if (!desc) return {};
    constexpr std::uint32_t kMethodToken = 0x06000000;
    return fmt::format(" ({}, mdToken: {:016X})", m_names.ofMethod(method), kMethodToken | desc->row);
  }

  std::string ofValue(Address value) {
    if (value.value % engine::kPointerBytes != 0) return {};
    if (m_readers.methodTables.isMethodTable(value)) return fmt::format(" (MT: {})", m_names.ofType(value));
    const auto type = m_readers.runtime.memory().readPointer(value);
    if (type && m_readers.methodTables.isMethodTable(*type)) {
      constexpr std::size_t kMostShown = 200;
      const auto text = engine::readManagedString(m_readers.runtime, value, kMostShown);
      if (text) return fmt::format(" (\"{}\")", *text);
      return fmt::format(" (Object: {})", m_names.ofType(*type));
    }
    if (m_readers.methods.read(value)) return fmt::format(" (MD: {})", m_names.ofMethod(value));
    return {};
  }

  const RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
};

/// Prints the code of a method, with what else is known of its parts.
class CodePrinter {
 public:
  CodePrinter(SosRun& run, const Snapshot& snapshot, const SosMethod& method, const engine::CodeLocation& code)
      : m_run(run),
        m_readers(*snapshot.contents().readers),
        m_sources(m_readers, snapshot.contents().file->path()),
        m_method(method),
        m_code(code),
        m_words(m_readers) {}

  Outcome<void> print(std::uint32_t size, Address askedFor) {
    HEAPSCAPE_TRY(const Disassembler disassembler, Disassembler::of(m_readers.runtime.contract().architecture()));
    HEAPSCAPE_CHECK(prepare());
    const auto view = m_readers.runtime.memory().view({m_code.start, m_code.start + size});
    if (!view) return tl::unexpected(engine::Unfinished(view.error()));
    for (std::uint32_t offset = 0; offset < size && m_run.goesOn();) {
      const Address at = m_code.start + offset;
      printLine(offset, at);
      printIl(offset);
      printGcInfo(offset);
      printClauses(offset);
      if (at == askedFor) m_run.print(">>> ");
      if (m_run.arguments().has("-o")) m_run.print("{:04x} ", offset);
      const auto instruction = disassembler.first(view->bytes.subspan(offset), at);
      if (!instruction) {
        m_run.print("{} {:02x} ??\n", lowerAddress(at), std::to_integer<unsigned>(view->bytes[offset]));
        ++offset;
        continue;
      }
      m_run.print("{} {:<15} {}{}\n", lowerAddress(at), instruction->bytes, instruction->text,
                  m_words.of(*instruction));
      offset += std::max(instruction->sizeBytes, 1u);
    }
    return {};
  }

 private:
  Outcome<void> prepare() {
    const SosArguments& arguments = m_run.arguments();
    const auto info = m_sources.debugInfo().of(m_code);
    if (info) m_mappings = info->mappings;
    if (arguments.has("-map")) {
      for (const IlMapping& mapping : m_mappings)
        m_run.print("{:08x} {}\n", static_cast<std::uint32_t>(mapping.ilOffset),
                    upperAddress(m_code.start + mapping.nativeOffset));
    }
    if (arguments.has("-il")) {
      auto il = readSosIl(m_readers, m_method);
      if (il) m_il = std::move(*il);
      if (m_il) m_ilPrinter.emplace(m_run, m_il->body, m_method.module->metadata.get());
    }
    if (arguments.has("-gcinfo") && m_code.gcInfo) {
      HEAPSCAPE_TRY(const GcInfoText text, gcInfoText(m_readers.runtime, m_code.gcInfo));
      for (const std::string& line : text.head) m_run.print("{}\n", line);
      m_gcLines = text.lines;
    }
    if (arguments.has("-ehinfo")) {
      const auto clauses = engine::ExceptionClauses(m_readers.runtime).of(m_code);
      if (clauses) m_clauses = *clauses;
    }
    return {};
  }

  void printLine(std::uint32_t offset, Address at) {
    if (m_run.arguments().has("-n") || !m_method.module) return;
    // A place in the source begins where the compiler has noted one.
    const bool isPlace = std::ranges::any_of(
        m_mappings, [&](const IlMapping& mapping) { return mapping.nativeOffset == offset && mapping.ilOffset >= 0; });
    if (!isPlace) return;
    const auto source = m_sources.of(m_code, at, m_method.module, m_method.desc.row);
    if (!source.line || (m_lastLine && *m_lastLine == *source.line)) return;
    m_lastLine = source.line;
    m_run.print("\n{} @ {}:\n", source.line->file, source.line->line);
  }

  /// The IL that the code from here on was compiled from, each instruction once.
  void printIl(std::uint32_t offset) {
    if (!m_ilPrinter) return;
    for (const IlMapping& mapping : m_mappings) {
      if (mapping.nativeOffset != offset || mapping.ilOffset < 0) continue;
      std::uint32_t end = UINT32_MAX;
      for (const IlMapping& other : m_mappings) {
        if (other.ilOffset > mapping.ilOffset) end = std::min(end, static_cast<std::uint32_t>(other.ilOffset));
      }
      auto at = std::optional(static_cast<std::uint32_t>(mapping.ilOffset));
      if (!m_shownIl.emplace(*at, true).second) continue;
      while (at && *at < end) at = m_ilPrinter->print(*at);
    }
  }

  void printGcInfo(std::uint32_t offset) {
    while (m_nextGcLine < m_gcLines.size() && m_gcLines[m_nextGcLine].offset <= offset)
      m_run.print("{}\n", m_gcLines[m_nextGcLine++].text);
  }

  void printClauses(std::uint32_t offset) {
    for (std::size_t i = 0; i < m_clauses.size(); ++i) {
      const ExceptionClause& clause = m_clauses[i];
      if (isClonedFinally(clause) && clause.handlerEnd == offset) m_run.print("EHHandler {}: CLONED FINALLY END\n", i);
    }
    for (std::size_t i = 0; i < m_clauses.size(); ++i) {
      const ExceptionClause& clause = m_clauses[i];
      if (isDuplicateClause(clause)) continue;
      if (clause.tryEnd == offset) m_run.print("EHHandler {}: {} CLAUSE END\n", i, kindOf(clause));
      if (clause.handlerEnd == offset) m_run.print("EHHandler {}: {} HANDLER END\n", i, kindOf(clause));
    }
    for (std::size_t i = m_clauses.size(); i-- > 0;) {
      const ExceptionClause& clause = m_clauses[i];
      if (isClonedFinally(clause) && clause.handlerStart == offset)
        m_run.print("EHHandler {}: CLONED FINALLY BEGIN\n", i);
      if (isDuplicateClause(clause)) continue;
      if (clause.tryStart == offset)
        m_run.print("EHHandler {}: {} CLAUSE BEGIN{}\n", i, kindOf(clause), caught(clause));
      if (clause.handlerStart == offset)
        m_run.print("EHHandler {}: {} HANDLER BEGIN{}\n", i, kindOf(clause), caught(clause));
      if (clause.filterStart == offset) m_run.print("EHHandler {}: {} FILTER BEGIN\n", i, kindOf(clause));
    }
  }

  std::string kindOf(const ExceptionClause& clause) {
    const std::string words = clauseWords(m_words.names(), m_method.module, clause);
    return words.substr(0, words.find(' '));
  }
  std::string caught(const ExceptionClause& clause) {
    const std::string words = clauseWords(m_words.names(), m_method.module, clause);
    const std::size_t blank = words.find(' ');
    return blank == std::string::npos ? std::string() : words.substr(blank);
  }

  SosRun& m_run;
  const RuntimeReaders& m_readers;
  const engine::FrameSources m_sources;
  const SosMethod& m_method;
  const engine::CodeLocation& m_code;
  CodeWords m_words;
  std::vector<IlMapping> m_mappings;
  std::optional<engine::SourceLine> m_lastLine;
  std::optional<SosIl> m_il;
  std::optional<IlPrinter> m_ilPrinter;
  std::map<std::uint32_t, bool> m_shownIl;
  std::vector<GcInfoText::Line> m_gcLines;
  std::size_t m_nextGcLine = 0;
  std::vector<ExceptionClause> m_clauses;
};

Outcome<void> disassemble(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto method = sosMethodAt(readers, address);
  if (!method)
    return tl::unexpected(engine::Unfinished(engine::Error{
        ErrorCode::NotFound, fmt::format("Unmanaged code: {} belongs to no method.", lowerAddress(address)),
        "stacks --native names functions of libraries."}));
  if (!method->code) {
    run.print("Not jitted yet\n");
    return {};
  }
  const engine::CodeLocation& code = *method->code;
  engine::DebuggerNames names(readers);
  run.print("{}\n{}\n",
            code.state == engine::MethodState::ReadyToRun ? "preJIT generated code" : "Normal JIT generated code",
            names.ofMethod(method->desc.address));
  const std::uint32_t size = readers.code.codeBytes(code);
  constexpr std::uint32_t kMostCodeBytes = 64u << 20;
  if (size == 0 || size > kMostCodeBytes)
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotInDump, "The dump does not tell how long the code of the method is."}));
  run.print("Begin {}, size {:x}\n", upperAddress(code.start), size);
  return CodePrinter(run, snapshot, *method, code).print(size, address);
}

}  // namespace

void addSosDisassemblyCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "clru u",
                      .arguments = "[-n] [-o] [-il] [-map] [-gcinfo] [-ehinfo] MD | ADDRESS",
                      .summary = "The machine code of a method, with lines of its source",
                      .flags = "-n -o -il -map -gcinfo -ehinfo /d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = disassemble,
                      .more = "address {}"});
}

}  // namespace heapscape::cli
