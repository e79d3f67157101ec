// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_text.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::Outcome;
using engine::Snapshot;

/// How one of the commands that dump memory shows it.
struct MemoryForm {
  std::size_t bytes = 4;  // of an element
  std::uint64_t elements = 32;
  std::size_t bytesOfLine = 32;
  bool hasCharacters = false;  // in a column of their own
  bool areWide = false;        // these are UTF-16
};

constexpr std::uint64_t kMostElements = 1'000'000;

bool tryReadElement(const engine::AddressSpace& memory, Address at, std::size_t bytes, std::uint64_t& value) {
  value = 0;
  return memory.tryRead(at, std::as_writable_bytes(std::span(&value, 1)).first(bytes));
}

char characterAt(const engine::AddressSpace& memory, Address at, bool isWide) {
  std::uint64_t value = 0;
  if (!tryReadElement(memory, at, isWide ? 2 : 1, value)) return '?';
  return value >= 0x20 && value <= 0x7e ? static_cast<char>(value) : '.';
}

Outcome<void> dumpMemory(SosRun& run, MemoryForm form) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address start, run.arguments().address(0));
  HEAPSCAPE_TRY(std::uint64_t count, run.arguments().number("-c", form.elements));
  // As WinDbg has it, "L10" behind the address, in hexadecimal.
  if (run.arguments().words().size() > 1) {
    std::string length = run.arguments().words()[1];
    Address elements;
    if (!length.empty() && (length.front() == 'L' || length.front() == 'l')) length.erase(0, 1);
    if (!engine::tryParseAddress(length, elements))
      return tl::unexpected(engine::Unfinished(
          engine::Error{ErrorCode::BadQuery, fmt::format("'{}' is no number of elements, as in L20.", length)}));
    count = elements.value;
  }
  if (count > kMostElements)
    return tl::unexpected(engine::Unfinished(engine::Error{
        ErrorCode::BadQuery, fmt::format("At most {} elements are shown at once.", grouped(kMostElements))}));
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  const std::size_t width = form.bytesOfLine / form.bytes;
  for (Address at = start; count > 0 && run.goesOn(); at += form.bytesOfLine) {
    const std::size_t shown = static_cast<std::size_t>(std::min<std::uint64_t>(width, count));
    std::string line = lowerAddress(at) + ':';
    std::string characters = "  ";
    for (std::size_t i = 0; i < width; ++i) {
      std::uint64_t value = 0;
      if (i >= shown)
        line += std::string(1 + 2 * form.bytes, ' ');
      else if (tryReadElement(memory, at + i * form.bytes, form.bytes, value))
        line += fmt::format(" {:0{}x}", value, 2 * form.bytes);
      else
        line += ' ' + std::string(2 * form.bytes, '?');
      if (i < shown && form.hasCharacters) characters += characterAt(memory, at + i * form.bytes, form.areWide);
    }
    run.print("{}{}\n", line, form.hasCharacters ? characters : std::string());
    count -= shown;
  }
  return {};
}

Outcome<void> dumpText(SosRun& run, bool isWide) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address start, run.arguments().address(0));
  constexpr std::size_t kMostCharacters = 1'000'000;
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  std::string text;
  for (Address at = start; text.size() < kMostCharacters; at += isWide ? 2 : 1) {
    std::uint64_t value = 0;
    if (!tryReadElement(memory, at, isWide ? 2 : 1, value) || value == 0) break;
    text += characterAt(memory, at, isWide);
  }
  run.print("Text: '{}'\n", text);
  return {};
}

Outcome<void> dumpDwords(SosRun& run) {
  return dumpMemory(run, {.bytes = 4, .elements = 64});
}
Outcome<void> dumpPlain(SosRun& run) {
  return dumpMemory(run, {});
}
Outcome<void> dumpBytes(SosRun& run) {
  return dumpMemory(run, {.bytes = 1, .elements = 128, .bytesOfLine = 16, .hasCharacters = true});
}
Outcome<void> dumpCharacters(SosRun& run) {
  return dumpMemory(run, {.bytes = 2, .elements = 64, .bytesOfLine = 16, .hasCharacters = true, .areWide = true});
}
Outcome<void> dumpWords(SosRun& run) {
  return dumpMemory(run, {.bytes = 2, .elements = 128});
}
Outcome<void> dumpQwords(SosRun& run) {
  return dumpMemory(run, {.bytes = 8, .elements = 32});
}
Outcome<void> dumpAscii(SosRun& run) {
  return dumpText(run, false);
}
Outcome<void> dumpUnicode(SosRun& run) {
  return dumpText(run, true);
}

// ---- maddress

/// Each mapping that the dump has memory of, or a file.
Outcome<void> memoryRegions(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  constexpr std::uint32_t kReads = 4, kWrites = 2, kExecutes = 1;
  const engine::ElfCore& core = *snapshot.contents().core;
  run.print("{:>16} {:>16} {:>16} {:<10} {}\n", "Start", "End", "Length", "Protect", "Image");
  for (const engine::LoadSegment& load : core.loads) {
    const auto file = std::ranges::find_if(
        core.files, [&](const engine::MappedFile& each) { return each.range.contains(load.range.start); });
    const std::string protection = fmt::format("{}{}{}", load.flags & kReads ? 'r' : '-',
                                               load.flags & kWrites ? 'w' : '-', load.flags & kExecutes ? 'x' : '-');
    run.print("{:>16} {:>16} {:>16} {:<10} {}\n", shortAddress(load.range.start), shortAddress(load.range.end),
              grouped(load.range.sizeBytes()), protection, file == core.files.end() ? std::string() : file->path);
    if (!run.goesOn()) break;
  }
  return {};
}

}  // namespace

void addSosMemoryCommands(std::vector<SosCommand>& commands) {
  constexpr const char* kArguments = "ADDRESS [-c COUNT | LCOUNT]";
  const SosCommand like{.values = "-c --count", .leastArguments = 1, .mostArguments = 2, .more = "bytes {}"};
  addLike(commands, like, "d readmemory", kArguments, "Memory as dwords", dumpPlain);
  addLike(commands, like, "db", kArguments, "Memory as bytes, with characters", dumpBytes);
  addLike(commands, like, "dc", kArguments, "Memory as characters of UTF-16", dumpCharacters);
  addLike(commands, like, "dw", kArguments, "Memory as words of two bytes", dumpWords);
  addLike(commands, like, "dd", kArguments, "Memory as words of four bytes", dumpDwords);
  addLike(commands, like, "dq dp", kArguments, "Memory as words of eight bytes", dumpQwords);
  addLike(commands, like, "da", kArguments, "Memory as text that ends with a zero", dumpAscii);
  addLike(commands, like, "du", kArguments, "Memory as UTF-16 text that ends with a zero", dumpUnicode);
  commands.push_back({.names = "maddress",
                      .arguments = "",
                      .summary = "Mappings of the process that the dump has",
                      .run = memoryRegions,
                      .more = "memory"});
}

}  // namespace heapscape::cli
