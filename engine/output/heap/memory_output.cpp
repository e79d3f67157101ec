// SPDX-License-Identifier: MIT
#include "output/heap/memory_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "output/table_output.h"
#include "output/text.h"
#include "session/process/process_memory.h"
#include "tables/memory_table.h"

namespace heapscape::engine {
namespace {

// Parts of each owner by default: a process maps hundreds of files.
constexpr std::size_t kPartsOfOwner = 10;

}  // namespace

void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection) {
  writeTable(json, memoryTable().with(memory.parts), selection);

  json.key("totals");
  json.beginObject();
  json.member("mappedBytes", memory.mappedBytes);
  json.member("reservedBytes", memory.reservedBytes);
  json.key("resident");
  json.beginObject();
  json.member("atLeastBytes", memory.resident.atLeastBytes);
  if (memory.isWhole) json.member("atMostBytes", memory.mappedBytes);
  json.member("fileBytes", memory.resident.fileBytes);
  json.member("holeBytes", memory.resident.holeBytes);
  json.endObject();
  json.member("whole", memory.isWhole);
  json.member("remark", memory.remark);
  json.key("categories");
  json.beginObject();
  for (const OwnedMemory& owner : memoryByOwner(memory)) json.member(toString(owner.owner), owner.bytes);
  json.endObject();
  json.endObject();
}

void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection) {
  const std::size_t limit = selection.limit == SIZE_MAX ? kPartsOfOwner : selection.limit;
  const std::vector<MemoryLine> lines = listMemoryLines(memory, limit);
  writeTableText(output, memoryLinesTable().over(lines), {.isRedacted = selection.isRedacted});
  output.write(residentText(memory) + "\n");
  output.write(
      fmt::format("Reserved addresses without memory behind them: {}.\n", readableBytes(memory.reservedBytes)));
  if (!memory.remark.empty()) output.write(memory.remark + "\n");
}

namespace {

constexpr std::size_t kBytesOfHexLine = 16;
constexpr std::size_t kWordsOnLine = 2;
constexpr std::size_t kBytesOfJsonPart = 4096;

std::string hexOf(Bytes bytes, std::string_view between) {
  std::string text;
  for (const std::byte value : bytes) {
    if (!text.empty()) text += between;
    text += fmt::format("{:02x}", std::to_integer<unsigned>(value));
  }
  return text;
}

bool isPlain(unsigned character) {
  return character >= 0x20 && character < 0x7f;
}

std::string asciiOf(Bytes bytes) {
  std::string text;
  for (const std::byte value : bytes) {
    const auto character = std::to_integer<unsigned>(value);
    text += isPlain(character) ? static_cast<char>(character) : '.';
  }
  return text;
}

/// Two bytes a character; what is no letter, digit or sign of any writing is a dot.
std::string utf16Of(Bytes bytes) {
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto unit =
        static_cast<char16_t>(std::to_integer<unsigned>(bytes[i]) | std::to_integer<unsigned>(bytes[i + 1]) << 8);
    const bool isShown = isPlain(unit) || (unit >= 0xa1 && unit < 0x2000 && unit != 0xad);
    text += isShown ? toUtf8(std::u16string_view(&unit, 1)) : std::string(".");
  }
  return text;
}

std::string missingText(AddressRange range) {
  return fmt::format("{}  {} bytes up to {} are not in the dump\n", toString(range.start), range.sizeBytes(),
                     toString(range.end));
}

void writeMissing(JsonWriter& json, AddressRange range) {
  json.beginObject();
  json.member("address", range.start);
  json.member("size", range.sizeBytes());
  json.member("missing", true);
  json.endObject();
}

void writeHexParts(JsonWriter& json, const MemoryRun& part, bool redact) {
  for (std::uint64_t done = 0; done < part.bytes.size(); done += kBytesOfJsonPart) {
    const Bytes piece = part.bytes.subspan(done, std::min<std::size_t>(kBytesOfJsonPart, part.bytes.size() - done));
    json.beginObject();
    json.member("address", part.range.start + done);
    json.member("size", std::uint64_t{piece.size()});
    if (redact) {
      json.member("redacted", true);
    } else {
      json.member("hex", hexOf(piece, ""));
      json.member("ascii", asciiOf(piece));
      json.member("utf16", utf16Of(piece));
    }
    json.endObject();
  }
}

void writeWord(JsonWriter& json, const MemoryWord& word, const MemoryRequest& request) {
  const auto meaning = word.value && request.meanings ? meaningOf(*request.meanings, *word.value) : std::nullopt;
  json.beginObject();
  json.member("address", word.address);
  if (request.redact && word.value && !meaning) {
    json.member("redacted", true);
  } else {
    json.member("value", word.value ? std::optional(toString(Address{*word.value})) : std::nullopt);
  }
  if (!word.value) json.member("missing", true);
  if (meaning) {
    json.member("kind", toString(meaning->kind));
    json.member("text", meaning->text);
    if (meaning->object) json.member("object", meaning->object);
    if (meaning->methodTable) json.member("methodTable", meaning->methodTable);
    json.member("offset", meaning->offset);
  }
  json.endObject();
}

std::string wordText(const MemoryWord& word, bool isShown) {
  return !word.value ? std::string("----------------") : isShown ? fmt::format("{:016x}", *word.value) : "(redacted)";
}

void writeHexLines(Output& output, const MemoryRun& part, bool redact) {
  for (std::size_t done = 0; done < part.bytes.size() && !output.hasFailed(); done += kBytesOfHexLine) {
    const Bytes line = part.bytes.subspan(done, std::min(kBytesOfHexLine, part.bytes.size() - done));
    const std::string address = toString(part.range.start + done);
    output.write(
        redact ? fmt::format("{}  (redacted)\n", address)
               : fmt::format("{}  {:<47}  {:<16}  {}\n", address, hexOf(line, " "), asciiOf(line), utf16Of(line)));
  }
}

/// Writes words as lines.
class WordLines {
 public:
  WordLines(Output& output, const MemoryRequest& request) : m_output(output), m_request(request) {}
  ~WordLines() { endLine(); }
  WordLines(const WordLines&) = delete;
  WordLines& operator=(const WordLines&) = delete;

  void add(const MemoryWord& word) {
    if (m_request.meanings) {
      const auto meaning = word.value ? meaningOf(*m_request.meanings, *word.value) : std::nullopt;
      m_output.write(fmt::format("{}  {}{}\n", toString(word.address), wordText(word, !m_request.redact || meaning),
                                 meaning ? "  " + printable(meaning->text) : std::string()));
      return;
    }
    m_output.write(m_onLine == 0 ? fmt::format("{} ", toString(word.address)) : std::string());
    m_output.write(" " + wordText(word, !m_request.redact));
    if (++m_onLine == kWordsOnLine) endLine();
  }
  void addMissing(AddressRange range) {
    endLine();
    m_output.write(missingText(range));
  }

 private:
  void endLine() {
    if (m_onLine > 0) m_output.write('\n');
    m_onLine = 0;
  }

  Output& m_output;
  const MemoryRequest& m_request;
  std::size_t m_onLine = 0;
};

}  // namespace

void writeRawMemory(JsonWriter& json, const Snapshot& snapshot, const MemoryRequest& request, std::stop_token stop) {
  json.key("bytes");
  json.beginObject();
  json.member("address", request.range.start);
  json.member("size", request.range.sizeBytes());
  if (request.meanings) {
    json.key("owners");  // of the memory itself
    json.beginRows();
    for (const AddressMeaning& meaning : request.meanings->of(request.range.start)) {
      json.beginObject();
      json.member("kind", toString(meaning.kind));
      json.member("text", meaning.text);
      json.member("offset", meaning.offset);
      json.endObject();
    }
    json.endArray();
  }
  json.key(request.asWords ? "words" : "parts");
  json.beginRows();
  const auto addMissing = [&](AddressRange range) {
    writeMissing(json, range);
    return true;
  };
  if (request.asWords) {
    const auto addWord = [&](const MemoryWord& word) {
      writeWord(json, word, request);
      return true;
    };
    (void)readWords(snapshot, request.range, addWord, addMissing, stop);
  } else {
    const auto addPart = [&](const MemoryRun& part) {
      if (part.isMissing()) return addMissing(part.range);
      writeHexParts(json, part, request.redact);
      return true;
    };
    (void)readMemory(snapshot, request.range, addPart, stop);
  }
  json.endArray();
  json.endObject();
}

void writeRawMemory(Output& output, const Snapshot& snapshot, const MemoryRequest& request, std::stop_token stop) {
  if (request.meanings) {
    for (const AddressMeaning& meaning : request.meanings->of(request.range.start))
      output.write(fmt::format("In {}\n", printable(meaning.text)));
  }
  if (request.asWords) {
    WordLines lines(output, request);
    const auto addWord = [&](const MemoryWord& word) {
      lines.add(word);
      return !output.hasFailed();
    };
    const auto addMissing = [&](AddressRange range) {
      lines.addMissing(range);
      return !output.hasFailed();
    };
    (void)readWords(snapshot, request.range, addWord, addMissing, stop);
    return;
  }
  const auto addPart = [&](const MemoryRun& part) {
    if (part.isMissing()) {
      output.write(missingText(part.range));
    } else {
      writeHexLines(output, part, request.redact);
    }
    return !output.hasFailed();
  };
  (void)readMemory(snapshot, request.range, addPart, stop);
}

}  // namespace heapscape::engine
