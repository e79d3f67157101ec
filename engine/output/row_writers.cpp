// SPDX-License-Identifier: MIT
#include "output/row_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "output/json_writer.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kTsvHeader = "address\tsize\tbytes\tmethodTable\ttype\tgeneration\n";
constexpr std::string_view kTextHeader = "Address                Size       Bytes  Generation  Method table    Type\n";
// Widths of the columns of text.
constexpr std::size_t kAddressWidth = 14;
constexpr std::size_t kSizeWidth = 10;
constexpr std::size_t kGenerationWidth = 10;
// All of a row but what its type adds.
constexpr std::size_t kFixedWidth = 256;

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

char* putLeft(char* to, std::string_view text, std::size_t width) {
  to = put(to, text);
  for (std::size_t i = text.size(); i < width; ++i) *to++ = ' ';
  return to;
}

char* putRight(char* to, std::uint64_t number, std::size_t width) {
  char digits[kLongestNumber];
  const auto length = static_cast<std::size_t>(formatNumber(digits, number) - digits);
  for (std::size_t i = length; i < width; ++i) *to++ = ' ';
  return put(to, {digits, length});
}

}  // namespace

ObjectRowWriter::ObjectRowWriter(Output& output, Form form, const Snapshot& snapshot)
    : RowWriter(output, form), m_snapshot(snapshot), m_typeTexts(snapshot.types().size()) {}

void ObjectRowWriter::writeHeader() {
  if (form() == Form::Tsv) output().write(kTsvHeader);
  if (form() == Form::Text) output().write(kTextHeader);
}

void ObjectRowWriter::write(const ObjectRow& row) {
  const std::string& type = typeText(row.type);
  separate();
  char* to = output().reserve(kFixedWidth);
  switch (form()) {
    case Form::Tsv:
      to = writeTsv(to, row);
      break;
    case Form::Text:
      to = writeText(to, row);
      break;
    case Form::Json:
      to = writeJson(to, row);
      break;
  }
  output().commit(to);
  output().write(type);
  if (form() == Form::Tsv && row.generation) output().write(toString(*row.generation));
  if (form() != Form::Json) {
    output().write("\n");
  } else if (row.generation) {
    output().write("\"");
    output().write(toString(*row.generation));
    output().write("\"}");
  } else {
    output().write("null}");
  }
}

char* ObjectRowWriter::writeTsv(char* to, const ObjectRow& row) {
  to = formatAddress(to, row.address);
  *to++ = '\t';
  to = formatNumber(to, row.sizeBytes);
  *to++ = '\t';
  to = formatNumber(to, row.alignedBytes);
  *to++ = '\t';
  return to;
}

char* ObjectRowWriter::writeText(char* to, const ObjectRow& row) {
  char address[kLongestAddress];
  const auto length = static_cast<std::size_t>(formatAddress(address, row.address) - address);
  to = putLeft(to, {address, length}, kAddressWidth);
  to = put(to, "  ");
  to = putRight(to, row.sizeBytes, kSizeWidth);
  to = put(to, "  ");
  to = putRight(to, row.alignedBytes, kSizeWidth);
  to = put(to, "  ");
  return putLeft(to, row.generation ? toString(*row.generation) : "?", kGenerationWidth + 2);
}

char* ObjectRowWriter::writeJson(char* to, const ObjectRow& row) {
  to = put(to, "\n{\"address\":\"");
  to = formatAddress(to, row.address);
  to = put(to, "\",\"size\":");
  to = formatNumber(to, row.sizeBytes);
  to = put(to, ",\"bytes\":");
  return formatNumber(to, row.alignedBytes);
}

/// Method table and name, with what separates them from the generation.
const std::string& ObjectRowWriter::typeText(TypeId type) {
  std::string& text = m_typeTexts[type.value];
  if (!text.empty()) return text;
  const TypeRow& row = m_snapshot.types()[type.value];
  const bool hasMethodTable = !isStandIn(row.methodTable);
  const std::string methodTable = hasMethodTable ? toString(row.methodTable) : std::string();
  switch (form()) {
    case Form::Tsv:
      text = methodTable + '\t' + printable(row.name) + '\t';
      break;
    case Form::Text: {
      const std::string gap(kAddressWidth - std::min(kAddressWidth, methodTable.size()) + 2, ' ');
      text = methodTable + gap + printable(row.name);
      break;
    }
    case Form::Json:
      text = ",\"methodTable\":" + (hasMethodTable ? '"' + methodTable + '"' : "null") + ",\"type\":";
      appendJsonString(text, row.name);
      text += ",\"generation\":";
      break;
  }
  return text;
}

void DominatedRowWriter::writeHeader() {
  if (form() == Form::Tsv) output().write("object\tdominator\tretainedBytes\tretainedCount\n");
  if (form() == Form::Text)
    output().write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", "Object", "Dominator", "Retained", "Objects"));
}

void DominatedRowWriter::write(const DominatedObject& row) {
  struct Frame {
    std::string_view begin, afterObject, afterDominator, afterBytes, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kElement{"\n{\"object\":\"", "\",\"dominator\":\"",
                                  "\",\"retainedBytes\":", ",\"retainedCount\":", "}"};
  if (form() == Form::Text) {
    output().write(fmt::format("{:<18}{:<18}{:>16}{:>14}\n", toString(row.object),
                               row.dominator ? toString(row.dominator) : "", row.retainedBytes, row.retainedCount));
    return;
  }
  const Frame& frame = form() == Form::Json ? kElement : kTabs;
  separate();
  output().write(frame.begin);
  output().writeAddress(row.object);
  output().write(frame.afterObject);
  output().writeAddress(row.dominator);
  output().write(frame.afterDominator);
  output().writeNumber(row.retainedBytes);
  output().write(frame.afterBytes);
  output().writeNumber(row.retainedCount);
  output().write(frame.end);
}

void EdgeRowWriter::writeHeader() {
  if (form() == Form::Tsv) output().write("from\tto\tkind\toffset\n");
  if (form() == Form::Text) output().write("From            To              Kind       Offset\n");
}

void EdgeRowWriter::write(const Edge& edge) {
  struct Frame {
    std::string_view begin, afterFrom, afterTo, afterKind, end;
  };
  static constexpr Frame kTabs{"", "\t", "\t", "\t", "\n"};
  static constexpr Frame kColumns{"", "  ", "  ", "  ", "\n"};
  static constexpr Frame kObject{"\n{\"from\":\"", "\",\"to\":\"", "\",\"kind\":\"", "\",\"offset\":", "}"};
  const Frame& frame = form() == Form::Json ? kObject : form() == Form::Tsv ? kTabs : kColumns;
  constexpr std::size_t kKindWidth = 9;

  separate();
  output().write(frame.begin);
  output().writeAddress(edge.from);
  output().write(frame.afterFrom);
  output().writeAddress(edge.to);
  output().write(frame.afterTo);
  const std::string_view kind = toString(edge.kind);
  output().write(kind);
  if (form() == Form::Text) {
    for (std::size_t i = kind.size(); i < kKindWidth; ++i) output().write(' ');
  }
  output().write(frame.afterKind);
  if (edge.kind != EdgeKind::Recorded)
    output().writeNumber(edge.offset);
  else if (form() == Form::Json)
    output().write("null");
  output().write(frame.end);
}

}  // namespace heapscape::engine
