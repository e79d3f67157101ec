// SPDX-License-Identifier: MIT
#include "support/builders/nettrace_builder.h"

namespace heapscape::test {

NettraceBuilder::NettraceBuilder() {
  m_bytes = bytesOfText(std::string_view("Nettrace\x14\0\0\0!FastSerialization.1", 32));
  beginObject("Trace");
  m_bytes.resize(m_bytes.size() + 48);
  m_bytes.push_back(std::byte{6});

  FileBytes description;
  append(description, std::uint32_t{1});
  appendText(description, "System.Runtime");
  append(description, std::uint32_t{4});
  appendText(description, "EventCounters");
  append(description, std::uint64_t{0});
  append(description, std::uint32_t{0});
  append(description, std::uint32_t{0});
  // One field, which has one field, which has three.
  for (const std::uint32_t value : {1u, 1u, 1u, 1u, 3u}) append(description, value);
  append(description, std::uint32_t{18});
  appendText(description, "Name");
  append(description, std::uint32_t{14});
  appendText(description, "Mean");
  append(description, std::uint32_t{18});
  appendText(description, "DisplayUnits");
  appendText(description, "Payload");
  appendText(description, "");
  FileBytes contents = blockHeader();
  appendEvent(contents, 0, description);
  block("MetadataBlock", contents);
}

NettraceBuilder& NettraceBuilder::counter(std::string_view name, double mean, std::string_view units) {
  FileBytes payload;
  appendText(payload, name);
  append(payload, mean);
  appendText(payload, units);
  FileBytes contents = blockHeader();
  appendEvent(contents, 1, payload);
  return block("EventBlock", contents);
}

NettraceBuilder& NettraceBuilder::block(std::string_view kind, const FileBytes& contents) {
  beginObject(kind);
  append(m_bytes, static_cast<std::uint32_t>(contents.size()));
  m_bytes.resize((m_bytes.size() + 3) / 4 * 4);
  m_bytes.insert(m_bytes.end(), contents.begin(), contents.end());
  m_bytes.push_back(std::byte{6});
  return *this;
}

NettraceBuilder& NettraceBuilder::end() {
  m_bytes.push_back(std::byte{1});
  return *this;
}

void NettraceBuilder::appendText(FileBytes& to, std::string_view ascii) {
  for (const char letter : ascii) append(to, static_cast<std::uint16_t>(letter));
  append(to, std::uint16_t{0});
}

void NettraceBuilder::appendEvent(FileBytes& to, std::uint8_t metadataId, const FileBytes& payload) {
  to.push_back(std::byte{0x81});  // with the number of the description and the size
  append(to, metadataId);
  to.push_back(std::byte{0});  // at the same time as the one before
  for (std::size_t size = payload.size();; size >>= 7) {
    to.push_back(static_cast<std::byte>((size & 0x7f) | (size > 0x7f ? 0x80 : 0)));
    if (size <= 0x7f) break;
  }
  to.insert(to.end(), payload.begin(), payload.end());
}

FileBytes NettraceBuilder::blockHeader(std::uint16_t flags) {
  FileBytes header;
  append(header, std::uint16_t{20});
  append(header, flags);
  append(header, std::uint64_t{0});
  append(header, std::uint64_t{0});
  return header;
}

void NettraceBuilder::beginObject(std::string_view kind) {
  for (const unsigned tag : {5u, 5u, 1u}) m_bytes.push_back(static_cast<std::byte>(tag));
  append(m_bytes, std::uint32_t{2});
  append(m_bytes, std::uint32_t{2});
  append(m_bytes, static_cast<std::uint32_t>(kind.size()));
  const FileBytes name = bytesOfText(kind);
  m_bytes.insert(m_bytes.end(), name.begin(), name.end());
  m_bytes.push_back(std::byte{6});
}

}  // namespace heapscape::test
