// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "runtime/aot/aot_code.h"
#include "support/builders/unwind_image.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr Address kAotProgram{0x40'0000};
constexpr std::uint32_t kMethod = 0x1000, kCatch = 0x1040, kFilter = 0x1060, kPlain = 0x1080, kOdd = 0x10a0;
constexpr std::uint32_t kMethodData = 0x1800, kCatchData = 0x1810, kFilterData = 0x1820, kPlainData = 0x1830,
                        kOddData = 0x1840;

void addNumber(FileBytes& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// What the runtime keeps of a funclet: its kind, where its method's data lies, and how far behind it the code begins.
FileBytes funclet(std::uint8_t kind, std::uint32_t at, std::uint32_t methodData, std::uint32_t distance) {
  FileBytes bytes{std::byte{kind}};
  addNumber(bytes, methodData - (at + 1));
  addNumber(bytes, distance);
  return bytes;
}

/// A method that handles exceptions and has data of its own, two funclets of it, a method with neither, and a funclet
/// that calls another funclet its method.
UnwindImage programWith(const char* augmentation) {
  FileBytes method{std::byte{0x14}};
  addNumber(method, 0x20);
  addNumber(method, 0x100);
  return UnwindImage()
      .augmentation(augmentation)
      .function(kMethod, 0x40, {}, kMethodData)
      .function(kCatch, 0x20, {}, kCatchData)
      .function(kFilter, 0x20, {}, kFilterData)
      .function(kPlain, 0x20, {}, kPlainData)
      .function(kOdd, 0x20, {}, kOddData)
      .data(kMethodData, method)
      .data(kCatchData, funclet(1, kCatchData, kMethodData, kCatch - kMethod))
      .data(kFilterData, funclet(2, kFilterData, kMethodData, kFilter - kMethod))
      .data(kPlainData, FileBytes{std::byte{0}})
      .data(kOddData, funclet(1, kOddData, kCatchData, kOdd - kCatch));
}

OpenedCore openedProgram(const UnwindImage& image) {
  return OpenedCore(CoreBuilder().memory(kAotProgram.value, image.build()));
}

TEST(AotCode, FindsMethodsWithWhereTheirGcInfoLies) {
  const OpenedCore core = openedProgram(programWith("zLR"));
  const AotCode code(core.space(), kAotProgram);
  const auto method = code.find(kAotProgram + kMethod + 0x3f);
  ASSERT_TRUE(method);
  EXPECT_EQ(method->code, (AddressRange{kAotProgram + kMethod, kAotProgram + kMethod + 0x40}));
  EXPECT_EQ(method->methodStart, kAotProgram + kMethod);
  EXPECT_FALSE(method->isFunclet);
  EXPECT_EQ(method->exceptionClauses, kAotProgram + kMethodData + 5 + 0x100);
  EXPECT_EQ(method->gcInfo, kAotProgram + kMethodData + 9);
  const auto plain = code.find(kAotProgram + kPlain);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->gcInfo, kAotProgram + kPlainData + 1);
  EXPECT_FALSE(plain->exceptionClauses);
}

TEST(AotCode, LeadsFromFuncletsToTheirMethod) {
  const OpenedCore core = openedProgram(programWith("zLR"));
  const AotCode code(core.space(), kAotProgram);
  for (const std::uint32_t start : {kCatch, kFilter}) {
    const auto funclet = code.find(kAotProgram + start + 4);
    ASSERT_TRUE(funclet);
    EXPECT_TRUE(funclet->isFunclet);
    EXPECT_EQ(funclet->isFilter, start == kFilter);
    EXPECT_EQ(funclet->methodStart, kAotProgram + kMethod);
    EXPECT_EQ(funclet->gcInfo, kAotProgram + kMethodData + 9);
  }
  EXPECT_FALSE(code.find(kAotProgram + kOdd)) << "a funclet of a funclet";
}

TEST(AotCode, LeavesNativeCodeOut) {
  const OpenedCore without = openedProgram(programWith("zR"));
  const OpenedCore ofCpp = openedProgram(programWith("zPLR"));
  const OpenedCore core = openedProgram(programWith("zLR"));
  EXPECT_FALSE(AotCode(without.space(), kAotProgram).find(kAotProgram + kMethod));
  EXPECT_FALSE(AotCode(ofCpp.space(), kAotProgram).find(kAotProgram + kMethod));
  EXPECT_FALSE(AotCode(core.space(), kAotProgram).find(kAotProgram + kMethod - 1));
  EXPECT_FALSE(AotCode(core.space(), kAotProgram + 0x1000).find(kAotProgram + kMethod));
}

}  // namespace
}  // namespace heapscape::engine
