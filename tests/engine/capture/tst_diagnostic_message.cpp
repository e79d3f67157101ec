// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>

#include "capture/diagnostic_message.h"
#include "engine/capture/seeming_runtime.h"

namespace heapscape::test {
namespace {

using namespace engine;

TEST(DiagnosticMessage, HasMagicSizeAndCommand) {
  const auto message = diagnosticMessage(DiagnosticCommand::CollectTracing2, bytesOfText("abc"));
  ASSERT_EQ(message.size(), 23u);
  EXPECT_EQ(std::memcmp(message.data(), "DOTNET_IPC_V1\0\x17\0\x02\x03\0\0abc", 23), 0);
}

TEST(DiagnosticMessage, NeverSaysMoreThanItsSizeHasRoomFor) {
  EXPECT_EQ(diagnosticMessage(DiagnosticCommand::ProcessInfo, FileBytes(100'000)).size(), 0xffffu);
}

TEST(DiagnosticMessage, HasTextsInUtf16WithAZero) {
  DiagnosticPayload payload;
  payload.text("a\xc3\xa4").number(std::uint32_t{5});
  const Bytes bytes = payload.bytes();
  ASSERT_EQ(bytes.size(), 14u);
  EXPECT_EQ(std::memcmp(bytes.data(), "\x03\0\0\0a\0\xe4\0\0\0\x05\0\0\0", 14), 0);
}

TEST(DiagnosticMessage, KnowsAnswersFromAllElse) {
  const FileBytes ok = SeemingConnection::message(0x00, bytesOfText("abc"));
  const auto header = parseDiagnosticHeader(Bytes(ok).first(kDiagnosticHeaderBytes));
  ASSERT_TRUE(header);
  EXPECT_FALSE(header->isError);
  EXPECT_EQ(header->payloadBytes, 3u);
  EXPECT_TRUE(parseDiagnosticHeader(SeemingConnection::message(0xff, {}))->isError);
  EXPECT_FALSE(parseDiagnosticHeader({}));
  EXPECT_FALSE(parseDiagnosticHeader(Bytes(ok).first(19)));
  EXPECT_FALSE(parseDiagnosticHeader(bytesOfText("HTTP/1.1 400 Bad Request\r\n\r\n")));
  EXPECT_FALSE(parseDiagnosticHeader(SeemingConnection::message(0x42, {})));
  FileBytes small = ok;
  small[14] = std::byte{19};  // less than the header itself
  EXPECT_FALSE(parseDiagnosticHeader(small));
}

TEST(DiagnosticMessage, TellsWhatARuntimeSaysOfItsProcess) {
  const auto info = parseDiagnosticProcessInfo(DiagnosticCommand::ProcessInfo3, SeemingRuntime::processInfo());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->pid, 7u);
  EXPECT_EQ(info->command, "dotnet shop.dll");
  EXPECT_EQ(info->operatingSystem, "Linux");
  EXPECT_EQ(info->architecture, "x64");
  EXPECT_EQ(info->entryAssembly, "shop");
  EXPECT_EQ(info->runtimeVersion, "10.0.12");
  EXPECT_EQ(info->runtimeId, "linux-musl-x64");
}

TEST(DiagnosticMessage, TellsNothingOfACutAnswer) {
  const FileBytes whole = SeemingRuntime::processInfo();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parseDiagnosticProcessInfo(DiagnosticCommand::ProcessInfo3, Bytes(whole).first(size))) << size;
}

TEST(DiagnosticMessage, BelievesNoLength) {
  FileBytes payload(28);
  payload[0] = std::byte{1};
  for (const std::byte length : {std::byte{0xff}, std::byte{0x7f}}) {
    FileBytes hostile = payload;
    hostile.resize(payload.size() + 64, length);
    EXPECT_FALSE(parseDiagnosticProcessInfo(DiagnosticCommand::ProcessInfo3, hostile));
  }
}

TEST(DiagnosticMessage, ReplacesHalvesOfPairs) {
  FileBytes payload(4);
  appendProtocolText(payload, "xy");
  payload[8] = std::byte{0x00};  // 'x' becomes the first half of a pair
  payload[9] = std::byte{0xd8};
  EXPECT_EQ(parseDiagnosticRefusal(payload).text, "\xef\xbf\xbdy");
}

TEST(DiagnosticMessage, TellsWhyARuntimeRefuses) {
  FileBytes payload{std::byte{0x85}, std::byte{0x13}, std::byte{0x13}, std::byte{0x80}};
  EXPECT_EQ(parseDiagnosticRefusal(payload).result, kUnknownDiagnosticCommand);
  EXPECT_EQ(parseDiagnosticRefusal(payload).text, "");
  appendProtocolText(payload, "[createdump] no room\n");
  EXPECT_EQ(parseDiagnosticRefusal(payload).text, "[createdump] no room");
  FileBytes longOne(4);
  appendProtocolText(longOne, std::string(9000, 'x'));
  EXPECT_EQ(parseDiagnosticRefusal(longOne).text.size(), 4096u);
  EXPECT_EQ(meaningOfDiagnosticResult(parseDiagnosticRefusal({}).result), "it failed");
  EXPECT_EQ(meaningOfDiagnosticResult(0x12345678), "");
}

}  // namespace
}  // namespace heapscape::test
