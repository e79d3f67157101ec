// SPDX-License-Identifier: MIT
#include "capture/diagnostic_message.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

constexpr std::array<char, 14> kDiagnosticMagic{"DOTNET_IPC_V1"};
constexpr std::uint8_t kAnswerSet = 0xff;
constexpr std::uint8_t kAnswerOk = 0x00;
constexpr std::uint8_t kAnswerError = 0xff;

constexpr std::uint32_t kGeneralFailure = 0x80004005;
constexpr std::size_t kMostRefusalText = 4096;

/// A text with its length in front, the zero at its end included; a length of 0 is none. False for one that is cut, or
/// has zeros within.
bool tryReadDiagnosticText(BoundedReader& reader, std::string& text) {
  const auto length = reader.read<std::uint32_t>();
  if (reader.failed() || length > kMostDiagnosticPayload) return false;
  const Bytes bytes = reader.readBytes(std::uint64_t{length} * sizeof(char16_t));
  if (reader.failed()) return false;
  std::u16string units(length, u'\0');
  if (length > 0) std::memcpy(units.data(), bytes.data(), bytes.size());
  if (!units.empty() && units.back() == u'\0') units.pop_back();
  if (units.find(u'\0') != std::u16string::npos) return false;
  text = toUtf8(units);
  return true;
}

/// "10.0.12" of "10.0.12+abcdef @Commit: abcdef".
std::string withoutBuild(const std::string& version) {
  return version.substr(0, version.find_first_of("+ "));
}

}  // namespace

std::vector<std::byte> diagnosticMessage(DiagnosticCommand command, Bytes payload) {
  const std::size_t payloadBytes = std::min(payload.size(), kMostDiagnosticPayload);
  const auto size = static_cast<std::uint16_t>(kDiagnosticHeaderBytes + payloadBytes);
  const auto number = static_cast<std::uint16_t>(command);
  const std::array<std::uint8_t, 4> setAndId{static_cast<std::uint8_t>(number >> 8),
                                             static_cast<std::uint8_t>(number & 0xff)};
  std::vector<std::byte> message(size);
  std::memcpy(message.data(), kDiagnosticMagic.data(), kDiagnosticMagic.size());
  std::memcpy(message.data() + kDiagnosticMagic.size(), &size, sizeof size);
  std::memcpy(message.data() + kDiagnosticMagic.size() + sizeof size, setAndId.data(), setAndId.size());
  std::ranges::copy(payload.first(payloadBytes), message.begin() + kDiagnosticHeaderBytes);
  return message;
}

DiagnosticPayload& DiagnosticPayload::append(const void* from, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(from);
  m_bytes.insert(m_bytes.end(), first, first + size);
  return *this;
}

DiagnosticPayload& DiagnosticPayload::text(std::string_view utf8) {
  const std::u16string units = toUtf16(utf8).value_or(std::u16string());
  number(static_cast<std::uint32_t>(units.size() + 1));
  return append(units.c_str(), (units.size() + 1) * sizeof(char16_t));
}

std::optional<DiagnosticHeader> parseDiagnosticHeader(Bytes header) {
  BoundedReader reader(header);
  const Bytes magic = reader.readBytes(kDiagnosticMagic.size());
  const auto size = reader.read<std::uint16_t>();
  const auto set = reader.read<std::uint8_t>();
  const auto id = reader.read<std::uint8_t>();
  reader.read<std::uint16_t>();  // reserved
  if (reader.failed() || std::memcmp(magic.data(), kDiagnosticMagic.data(), magic.size()) != 0) return std::nullopt;
  if (size < kDiagnosticHeaderBytes || set != kAnswerSet || (id != kAnswerOk && id != kAnswerError))
    return std::nullopt;
  return DiagnosticHeader{id == kAnswerError, size - kDiagnosticHeaderBytes};
}

DiagnosticRefusal parseDiagnosticRefusal(Bytes payload) {
  BoundedReader reader(payload);
  DiagnosticRefusal refusal{reader.read<std::uint32_t>()};
  if (reader.failed()) return {kGeneralFailure};
  std::string text;
  if (!tryReadDiagnosticText(reader, text)) return refusal;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.size() > kMostRefusalText) {
    // Not amid a character.
    std::size_t end = kMostRefusalText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text.resize(end);
  }
  refusal.text = std::move(text);
  return refusal;
}

std::string_view meaningOfDiagnosticResult(std::uint32_t result) {
  switch (result) {
    case kGeneralFailure:
      return "it failed";
    case 0x80070057:
      return "an argument is not valid";
    case 0x8013135b:
      return "the runtime is not that far yet";
    case 0x80131371:
      return "the runtime has not been initialized yet";
    case 0x80131384:
      return "the runtime does not understand the request";
    case kUnknownDiagnosticCommand:
      return "the runtime does not know this request";
    case 0x80131386:
      return "the runtime speaks another version of the protocol";
    case 0x80131515:
      return "the runtime does not support this";
    default:
      return {};
  }
}

std::optional<DiagnosticProcessInfo> parseDiagnosticProcessInfo(DiagnosticCommand command, Bytes payload) {
  BoundedReader reader(payload);
  if (command == DiagnosticCommand::ProcessInfo3 && reader.read<std::uint32_t>() < 1) return std::nullopt;
  DiagnosticProcessInfo info;
  info.pid = reader.read<std::uint64_t>();
  constexpr std::size_t kCookieBytes = 16;  // tells one runtime from the next; not needed here
  reader.skip(kCookieBytes);
  std::vector<std::string*> texts{&info.command, &info.operatingSystem, &info.architecture};
  if (command != DiagnosticCommand::ProcessInfo) texts.insert(texts.end(), {&info.entryAssembly, &info.runtimeVersion});
  if (command == DiagnosticCommand::ProcessInfo3) texts.push_back(&info.runtimeId);
  for (std::string* text : texts) {
    if (!tryReadDiagnosticText(reader, *text)) return std::nullopt;
  }
  info.runtimeVersion = withoutBuild(info.runtimeVersion);
  return info;
}

}  // namespace heapscape::engine
