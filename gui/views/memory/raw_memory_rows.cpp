// SPDX-License-Identifier: MIT
#include "views/memory/raw_memory_rows.h"

#include <QObject>
#include <cstddef>

#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

constexpr int kBytesOfWord = 8;
const QChar kNoLetter = QLatin1Char('.');
constexpr QChar kFirstRare{u'\u2000'};  // words that are no text would be full of what hardly any font has

QChar asciiOf(std::uint64_t byte) {
  return byte >= 0x20 && byte < 0x7f ? QChar(static_cast<char16_t>(byte)) : kNoLetter;
}

QString lettersOf(std::uint64_t word) {
  QString text;
  for (int byte = 0; byte < kBytesOfWord; ++byte) text += asciiOf(word >> (8 * byte) & 0xff);
  return text;
}

// Two bytes each; what is no letter, digit or sign of any writing is a dot.
QString wideLettersOf(std::uint64_t word) {
  QString text;
  for (int unit = 0; unit < kBytesOfWord / 2; ++unit) {
    const QChar letter(static_cast<char16_t>(word >> (16 * unit) & 0xffff));
    text += letter.isPrint() && letter < kFirstRare ? letter : kNoLetter;
  }
  return text;
}

QString bytesOf(std::uint64_t word) {
  QStringList bytes;
  for (int byte = 0; byte < kBytesOfWord; ++byte)
    bytes << u"%1"_s.arg(word >> (8 * byte) & 0xff, 2, 16, QLatin1Char('0'));
  return bytes.join(QLatin1Char(' '));
}

// A word that leads nowhere may be a number of the program, which is contents; an address is none.
QString shown(const RawWord& row, const QString& text) {
  return row.meaning ? text : contentsText(text);
}

QString wordText(const RawWord& row) {
  if (row.missingBytes > 0) return u"not in the dump"_s;
  if (!row.word.value) return u"not in the dump as a whole"_s;
  return shown(row, u"%1"_s.arg(*row.word.value, 16, 16, QLatin1Char('0')));
}

QString meaningText(const RawWord& row) {
  if (row.missingBytes > 0) {
    return u"%1 up to %2"_s.arg(countedText(row.missingBytes, u"byte"_s),
                                addressText(row.word.address + row.missingBytes));
  }
  return row.meaning ? fromEngine(row.meaning->text) : QString();
}

QVariant inFixedFont(const RawWord&, int role) {
  return role == Qt::FontRole ? QVariant(fixedFont(QFont())) : QVariant();
}

RowColumn<RawWord> textColumn(const QString& title, const QString& tip, int letters,
                              QString (*text)(std::uint64_t word)) {
  return {
      .setup = {.title = title, .tip = tip, .letters = letters},
      .words = [text](const RawWord& row) { return row.word.value ? contentsText(text(*row.word.value)) : QString(); },
      .more = inFixedFont};
}

}  // namespace

RowSchema<RawWord> rawWordSchema() {
  RowSchema<RawWord> schema;
  schema.columns = {
      {.setup = {.title = u"Address"_s, .kind = engine::ColumnKind::Address, .isSearched = true},
       .cell = [](const RawWord& row) { return row.word.address; }},
      {.setup = {.title = u"Word"_s,
                 .tip = u"Eight bytes as one number, the last byte first"_s,
                 .letters = 22,
                 .isSearched = true,
                 .holdsContents = false},
       .words = wordText,
       .more = inFixedFont},
      textColumn(u"Bytes"_s, u"One by one, as they lie in memory"_s, 30, bytesOf),
      textColumn(u"Characters"_s, u"What the bytes stand for, one each"_s, 12, lettersOf),
      textColumn(u"UTF-16"_s, u"What they stand for two by two, as in strings of .NET"_s, 9, wideLettersOf),
      {.setup = {.title = u"Leads to"_s,
                 .tip = u"What the word is the address of; nothing for a number that is none"_s,
                 .letters = 40,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = meaningText,
       .object = [](const RawWord& row) { return row.meaning ? row.meaning->object : engine::Address{}; },
       .type = [](const RawWord& row) { return row.meaning ? row.meaning->methodTable : engine::Address{}; },
       .detail = meaningText},
  };
  schema.identity = [](const RawWord& row) { return row.word.address; };
  return schema;
}

engine::Outcome<RawMemory> readRawMemory(const engine::Snapshot& snapshot, engine::AddressRange range,
                                         std::shared_ptr<const engine::AddressMeanings> meanings,
                                         std::stop_token stop) {
  if (!meanings) {
    HEAPSCAPE_TRY(engine::AddressMeanings made, engine::AddressMeanings::make(snapshot, stop));
    meanings = std::make_shared<const engine::AddressMeanings>(std::move(made));
  }
  RawMemory memory{.owners = meanings->of(range.start), .words = {}, .meanings = meanings};
  const auto addWord = [&](const engine::MemoryWord& word) {
    memory.words.push_back({.word = word});
    if (word.value) memory.words.back().meaning = engine::meaningOf(*meanings, *word.value);
    return true;
  };
  const auto addMissing = [&](engine::AddressRange missing) {
    memory.words.push_back({.word = {missing.start, std::nullopt}, .missingBytes = missing.sizeBytes()});
    return true;
  };
  HEAPSCAPE_CHECK(engine::readWords(snapshot, range, addWord, addMissing, std::move(stop)));
  return memory;
}

}  // namespace heapscape::gui
