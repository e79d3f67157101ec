// SPDX-License-Identifier: MIT
#include "session/cache/answer_record.h"

#include "base/limits.h"

namespace heapscape::engine {

RecordWriter& RecordWriter::add(const FindingList& findings) {
  add(static_cast<std::uint64_t>(findings.items().size()));
  for (const Finding& finding : findings.items())
    add(static_cast<std::uint32_t>(finding.kind)).add(finding.address).add(finding.message);
  return *this;
}

std::string RecordReader::readText() {
  const Bytes bytes = m_reader.readBytes(m_reader.read<std::uint64_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

FindingList RecordReader::readFindings() {
  FindingList findings;
  const std::size_t count = readAtMost<std::uint64_t>(kLimits.findings);
  for (std::size_t i = 0; i < count && !failed(); ++i) {
    const auto kind = readAtMost(static_cast<std::uint32_t>(FindingKind::NamesCut));
    const Address address = readAddress();
    findings.add(static_cast<FindingKind>(kind), address, readText());
  }
  return findings;
}

}  // namespace heapscape::engine
