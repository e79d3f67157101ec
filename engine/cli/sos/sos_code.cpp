// SPDX-License-Identifier: MIT
#include "cli/sos/sos_code.h"

#include <algorithm>

#include "cli/sos/sos_methods.h"
#include "cli/sos/sos_signatures.h"
#include "cli/sos/sos_text.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {

using engine::Address;
using engine::ErrorCode;
using engine::ExceptionClause;
using engine::GcInfo;
using engine::GcInfoHead;
using engine::GcSlot;
using engine::GcSlotBase;
using engine::Outcome;
using engine::Result;
using engine::RuntimeReaders;
using engine::Snapshot;

namespace {

// ---- gcinfo

std::string placeText(const char* base, std::int64_t offset) {
  return fmt::format("{}{}{:x}", base, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

const char* returnKindWord(std::uint32_t kind) {
  switch (kind) {
    case 0:
      return "Scalar";
    case 1:
      return "Object";
    case 2:
      return "ByRef";
    case 3:
      return "UNSET";
    case 4:
      return "{Scalar, Object}";
    case 5:
      return "{Object, Object}";
    case 6:
      return "{ByRef, Object}";
    case 8:
      return "{Scalar, ByRef}";
    case 9:
      return "{Object, ByRef}";
    case 10:
      return "{ByRef, ByRef}";
    default:
      return "<Illegal>";
  }
}

std::vector<std::string> headOf(const GcInfo& info, const engine::GcInfoRules& rules) {
  const GcInfoHead& head = info.head();
  const bool isX64 = rules.architecture == engine::Architecture::X64;
  std::vector<std::string> lines;
  const auto place = [](const char* base, const std::optional<std::int32_t>& offset) {
    return offset ? placeText(base, *offset) : std::string("<none>");
  };
  if (head.genericContext || !head.gsCookie) lines.push_back(fmt::format("Prolog size: {}", head.prologBytes));
  lines.push_back("GS cookie: " + place("caller.sp", head.gsCookie));
  if (head.gsCookie)
    lines.push_back(fmt::format("GS cookie valid range: [{:x};{:x})", head.gsCookieStart, head.gsCookieEnd));
  lines.push_back("PSPSym: " + place(isX64 ? "initial.sp" : "caller.sp", head.pspSym));
  lines.push_back("Generics inst context: " + place("caller.sp", head.genericContext));
  lines.push_back("PSP slot: " + place("caller.sp", head.pspSym));
  std::string context = place("caller.sp", head.genericContext);
  if (head.genericContext)
    context += head.isContextMethod ? " (GENERIC_PARAM_CONTEXT_METHODDESC)"
               : head.isContextThis ? " (GENERIC_PARAM_CONTEXT_THIS)"
                                    : " (GENERIC_PARAM_CONTEXT_METHODHANDLE)";
  lines.push_back("GenericInst slot: " + context);
  lines.push_back(fmt::format("Varargs: {}", head.hasVariableArguments ? 1 : 0));
  lines.push_back(fmt::format("Frame pointer: {}", info.frameBase() ? toString(*info.frameBase()) : "<none>"));
  lines.push_back(
      fmt::format("{}: {}", isX64 ? "Wants Report Only Leaf" : "Has tailcalls", head.hasFlagOfFunclets ? 1 : 0));
  lines.push_back(fmt::format("Size of parameter area: {:x}", info.scratchAreaBytes()));
  if (rules.hasReturnKind) lines.push_back(fmt::format("Return Kind: {}", returnKindWord(head.returnKind)));
  lines.push_back(fmt::format("Code size: {:x}", info.codeLength()));
  return lines;
}

/// Walks through a method byte by byte and writes down which references begin and end there, as SOS does.
class GcLines {
 public:
  GcLines(const GcInfo& info, const engine::GcInfoRules& rules) : m_info(info), m_rules(rules) {}

  Result<std::vector<GcInfoText::Line>> read() {
    const auto untracked = m_info.slots().untracked();
    for (std::size_t i = untracked.size(); i > 0; --i) addUntracked(untracked[i - 1]);
    endLine();
    bool wasInterruptible = false;
    for (std::uint64_t offset = 0; offset <= m_info.codeLength(); offset += 1u << m_rules.codeOffsetShift) {
      const auto units = static_cast<std::uint32_t>(offset >> m_rules.codeOffsetShift);
      const auto place = m_info.interruptiblePlaceOf(units);
      if (place.has_value() != wasInterruptible) {
        endLine();
        m_isSafePoint = false;
        addLine(offset, fmt::format("{:08x}{} interruptible", offset, place ? "" : " not"));
        m_lineOffset.reset();
      }
      wasInterruptible = place.has_value();
      HEAPSCAPE_TRY(std::vector<bool> live, liveAt(static_cast<std::uint32_t>(offset), units, place));
      addChanges(static_cast<std::uint32_t>(offset), live);
      m_before = std::move(live);
    }
    endLine();
    return std::move(m_lines);
  }

 private:
  Result<std::vector<bool>> liveAt(std::uint32_t offset, std::uint32_t units, std::optional<std::uint32_t> place) {
    if (place) return m_info.liveAtPlace(*place);
    const auto& points = m_info.safePoints();
    const auto found = std::ranges::lower_bound(points, units);
    if (found == points.end() || *found != units) return std::vector<bool>(m_info.slots().tracked().size());
    endLine();
    // Until .NET 9 the place is that of the instruction's last byte.
    const std::uint32_t shown = offset + (m_rules.hasReturnKind ? 1 : 0);
    m_text = fmt::format("{:08x} is a safepoint: ", shown);
    m_at = offset;
    m_lineOffset = shown;
    m_isSafePoint = true;
    return m_info.liveAtSafePoint(static_cast<std::uint32_t>(found - points.begin()));
  }

  /// The end of those that were live comes first; both in reverse order of the slots.
  void addChanges(std::uint32_t offset, const std::vector<bool>& live) {
    const auto tracked = m_info.slots().tracked();
    for (std::size_t i = tracked.size(); i > 0; --i) {
      if (i <= m_before.size() && m_before[i - 1] && !live[i - 1] && !m_isSafePoint)
        addSlot(offset, '-', tracked[i - 1]);
    }
    for (std::size_t i = tracked.size(); i > 0; --i) {
      if (live[i - 1] && !(i <= m_before.size() && m_before[i - 1])) addSlot(offset, '+', tracked[i - 1]);
    }
  }

  void addUntracked(const GcSlot& slot) {
    if (m_text.empty()) m_text = "Untracked:";
    m_text += slotText('+', slot);
  }

  void addSlot(std::uint32_t offset, char sign, const GcSlot& slot) {
    if (m_lineOffset != offset) {
      endLine();
      m_text = fmt::format("{:08x}", offset);
      m_at = offset;
      m_lineOffset = offset;
    }
    m_text += slotText(sign, slot);
  }

  std::string slotText(char sign, const GcSlot& slot) const {
    std::string text = fmt::format(" {}", sign);
    if (slot.reg) {
      text += toString(*slot.reg);
    } else {
      // Nothing lies below the stack pointer, nor above the caller's.
      GcSlotBase base = slot.base;
      if (base == GcSlotBase::StackPointer && slot.offset < 0)
        base = GcSlotBase::CallerStackPointer;
      else if (base == GcSlotBase::CallerStackPointer && slot.offset >= 0)
        base = GcSlotBase::StackPointer;
      const char* word = base == GcSlotBase::CallerStackPointer ? "caller.sp"
                         : base == GcSlotBase::StackPointer     ? "sp"
                         : m_info.frameBase()                   ? toString(*m_info.frameBase())
                                                                : "???";
      text += placeText(word, slot.offset);
    }
    if (slot.isPinned) text += "(pinned)";
    if (slot.isInterior) text += "(interior)";
    return text;
  }

  void addLine(std::uint64_t offset, std::string text) {
    m_lines.push_back({static_cast<std::uint32_t>(offset), std::move(text)});
  }
  void endLine() {
    if (!m_text.empty()) addLine(m_at, std::exchange(m_text, {}));
  }

  const GcInfo& m_info;
  const engine::GcInfoRules& m_rules;
  std::vector<GcInfoText::Line> m_lines;
  std::vector<bool> m_before;
  std::string m_text;                         // of the line that goes on
  std::uint32_t m_at = 0;                     // where that belongs
  std::optional<std::uint32_t> m_lineOffset;  // that it begins with
  bool m_isSafePoint = false;
};

}  // namespace

Result<GcInfoText> gcInfoText(const engine::ClrRuntime& runtime, Address gcInfo) {
  const engine::GcInfoRules rules = engine::GcInfoRules::of(runtime.contract());
  HEAPSCAPE_TRY(const GcInfo info, GcInfo::read(engine::GcInfoBits(runtime.memory(), gcInfo), rules));
  GcInfoText text{headOf(info, rules), {}};
  HEAPSCAPE_TRY(text.lines, GcLines(info, rules).read());
  return text;
}

namespace {

engine::Unfinished codeNotFound(std::string what) {
  return engine::Error{ErrorCode::NotFound, std::move(what)};
}

Outcome<void> printGcInfo(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto method = sosMethodAt(readers, address);
  if (!method) return tl::unexpected(codeNotFound(fmt::format("{} is not a valid MethodDesc", upperAddress(address))));
  if (!method->code) {
    run.print("No GC info available\n");
    return {};
  }
  const engine::CodeLocation& code = *method->code;
  run.print("entry point {}\n{}\n", upperAddress(code.start),
            code.state == engine::MethodState::ReadyToRun ? "preJIT generated code" : "Normal JIT generated code");
  if (!code.gcInfo) return tl::unexpected(codeNotFound("The dump does not tell where the GC info of the method is."));
  run.print("GC info {}\nPointer table:\n", upperAddress(code.gcInfo));
  HEAPSCAPE_TRY(const GcInfoText text, gcInfoText(readers.runtime, code.gcInfo));
  for (const std::string& line : text.head) run.print("{}\n", line);
  for (const GcInfoText::Line& line : text.lines) {
    run.print("{}\n", line.text);
    if (!run.goesOn()) break;
  }
  return {};
}

// ---- ehinfo

// CorExceptionFlag, and what the runtime adds (src/coreclr/inc/corhdr.h, corinfo.h).
constexpr std::uint32_t kFilterClause = 1;
constexpr std::uint32_t kFinallyClause = 2;
constexpr std::uint32_t kFaultClause = 4;
constexpr std::uint32_t kDuplicateClause = 8;
constexpr std::uint32_t kCachedClass = 0x10000000;

const char* clauseKind(const ExceptionClause& clause) {
  if (clause.flags & kFaultClause) return "FAULT";
  if (clause.flags & kFinallyClause) return "FINALLY";
  return clause.flags & kFilterClause ? "FILTER" : "TYPED";
}

std::string caughtName(engine::DebuggerNames& names, const engine::Module* module, const ExceptionClause& clause) {
  if (clause.flags & kCachedClass) return names.ofType({clause.caught});
  const auto token = static_cast<std::uint32_t>(clause.caught);
  const engine::Token type{static_cast<engine::TableId>(token >> 24), token & 0xffffff};
  if (!module || !module->metadata) return {};
  if (type.table == engine::TableId::TypeDef) return module->metadata->typeDefName(type.row);
  if (type.table == engine::TableId::TypeRef) return module->metadata->typeRefName(type.row);
  return IlNames(*module->metadata).ofToken(token);
}

}  // namespace

bool isDuplicateClause(const ExceptionClause& clause) {
  return (clause.flags & kDuplicateClause) != 0;
}

bool isClonedFinally(const ExceptionClause& clause) {
  return clause.tryStart == clause.tryEnd && clause.tryStart == clause.handlerStart &&
         (clause.flags & kFinallyClause) && isDuplicateClause(clause);
}

std::string clauseWords(engine::DebuggerNames& names, const engine::Module* module, const ExceptionClause& clause) {
  const bool isTyped = (clause.flags & (kFilterClause | kFinallyClause | kFaultClause)) == 0;
  if (!isTyped) return clauseKind(clause);
  return fmt::format("TYPED catch({})", caughtName(names, module, clause));
}

namespace {

Outcome<void> printClauses(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto method = sosMethodAt(readers, address);
  if (!method) return tl::unexpected(codeNotFound(fmt::format("{} is not a MethodDesc", upperAddress(address))));
  if (!method->code) {
    run.print("No EH info available\n");
    return {};
  }
  engine::DebuggerNames names(readers);
  run.print("MethodDesc:   {}\n", lowerAddress(method->desc.address));
  printSosMethod(run, readers, names, method->desc);
  run.print("\n");
  const auto clauses = engine::ExceptionClauses(readers.runtime).of(*method->code);
  if (!clauses) return tl::unexpected(codeNotFound("Failed to perform EHInfo traverse"));
  const Address start = method->code->start;
  const auto half = [&](std::uint32_t offset) {
    const std::uint64_t at = start.value + offset;
    return fmt::format("{:08x}`{:08x}", at >> 32, at & 0xffffffff);
  };
  std::size_t number = 0;
  for (const ExceptionClause& clause : *clauses) {
    run.print("EHHandler {}: {} {}\n", number++, clauseWords(names, method->module, clause),
              isClonedFinally(clause)     ? "(cloned finally)"
              : isDuplicateClause(clause) ? "(duplicate)"
                                          : "");
    run.print("Clause:  [{}, {}] [{:x}, {:x}]\nHandler: [{}, {}] [{:x}, {:x}]\n", half(clause.tryStart),
              half(clause.tryEnd), clause.tryStart, clause.tryEnd, half(clause.handlerStart), half(clause.handlerEnd),
              clause.handlerStart, clause.handlerEnd);
    if (clause.filterStart) run.print("Filter: [{}] [{:x}]\n", half(*clause.filterStart), *clause.filterStart);
    run.print("\n");
    if (!run.goesOn()) break;
  }
  return {};
}

}  // namespace

void addSosCodeCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "gcinfo",
                      .arguments = "MD | ADDRESS",
                      .summary = "Where a method keeps references",
                      .flags = "/d -legacy",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = printGcInfo,
                      .more = "stacks --roots"});
  commands.push_back({.names = "ehinfo",
                      .arguments = "MD | ADDRESS",
                      .summary = "What a method does with exceptions",
                      .flags = "/d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = printClauses,
                      .more = "stacks"});
}

}  // namespace heapscape::cli
