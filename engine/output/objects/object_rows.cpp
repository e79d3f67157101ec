// SPDX-License-Identifier: MIT
#include "output/objects/object_rows.h"

#include <algorithm>
#include <cstring>

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
  if (form() != Form::Text) output().write(toString(row.generation));
  output().write(form() == Form::Json ? "\"}" : "\n");
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
  return putLeft(to, toString(row.generation), kGenerationWidth + 2);
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
  const std::string methodTable = toString(row.methodTable);
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
      text = ",\"methodTable\":\"" + methodTable + "\",\"type\":";
      appendJsonString(text, row.name);
      text += ",\"generation\":\"";
      break;
  }
  return text;
}

}  // namespace heapscape::engine
