// SPDX-License-Identifier: MIT
#include "metadata/il/il_body.h"

#include "metadata/il/il_instructions.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::IlOperand;
using engine::readIlBody;
using engine::readIlInstruction;

std::vector<std::byte> ilBytes(std::initializer_list<unsigned> numbers) {
  std::vector<std::byte> bytes;
  for (const unsigned number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

TEST(IlBody, WithoutLocalsHasAHeadOfOneByte) {
  const auto bytes = ilBytes({0x0a, 0x16, 0x2a});
  const auto body = readIlBody(readerOf(bytes), 0);
  ASSERT_TRUE(body) << body.error().message();
  EXPECT_EQ(body->head.headBytes, 1u);
  EXPECT_EQ(body->head.maxStack, 8u);
  EXPECT_TRUE(body->head.localSignature.isNil());
  EXPECT_EQ(body->code, ilBytes({0x16, 0x2a}));
}

TEST(IlBody, HasItsClausesBehindTheCode) {
  // A fat head with more behind it, five bytes of code, and from the next word on one catch in the small form.
  const auto bytes =
      ilBytes({0x1b, 0x30, 0x02, 0x00, 0x05, 0,    0,    0,    0x01, 0x00, 0x00, 0x11,  //
               0x00, 0x26, 0xde, 0x00, 0x2a, 0xff, 0xff, 0xff,                          //
               0x01, 0x10, 0,    0,    0,    0,    0,    0,    1,    1,    0,    3,    0x07, 0, 0, 0x01});
  const auto body = readIlBody(readerOf(bytes), 0);
  ASSERT_TRUE(body) << body.error().message();
  EXPECT_EQ(body->head.maxStack, 2u);
  EXPECT_EQ(body->head.localSignature.row, 1u);
  EXPECT_EQ(body->code.size(), 5u);
  ASSERT_EQ(body->clauses.size(), 1u);
  EXPECT_EQ(body->clauses[0].flags, 0u);
  EXPECT_EQ(body->clauses[0].tryBytes, 1u);
  EXPECT_EQ(body->clauses[0].handlerStart, 1u);
  EXPECT_EQ(body->clauses[0].handlerBytes, 3u);
  EXPECT_EQ(body->clauses[0].tokenOrFilter, 0x01000007u);
}

TEST(IlBody, ThatIsCutOrNoneIsAnError) {
  const auto cut = ilBytes({0x0a, 0x16});
  EXPECT_EQ(readIlBody(readerOf(cut), 0).error().code, ErrorCode::NotInDump);
  const auto none = ilBytes({0x01, 0x00, 0x00});
  EXPECT_EQ(readIlBody(readerOf(none), 0).error().code, ErrorCode::Damaged);
  // A length that no method has.
  const auto huge = ilBytes({0x13, 0x30, 0x02, 0x00, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0});
  EXPECT_FALSE(readIlBody(readerOf(huge), 0));
}

TEST(IlInstructions, AreReadWithTheirOperands) {
  const auto code = ilBytes({0x15, 0x1f, 0xfe, 0x28, 0x01, 0x00, 0x00, 0x0a, 0x2d, 0xf6, 0xfe, 0x01});
  const auto constant = readIlInstruction(code, 0);
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->name, "ldc.i4.m1");
  EXPECT_EQ(constant->operand, IlOperand::None);
  const auto shortNumber = readIlInstruction(code, constant->end);
  EXPECT_EQ(shortNumber->name, "ldc.i4.s");
  EXPECT_EQ(shortNumber->number, -2);
  const auto call = readIlInstruction(code, shortNumber->end);
  EXPECT_EQ(call->operand, IlOperand::Token);
  EXPECT_EQ(call->number, 0x0a000001);
  const auto branch = readIlInstruction(code, call->end);
  EXPECT_EQ(branch->name, "brtrue.s");
  EXPECT_EQ(branch->number, 0);
  EXPECT_EQ(readIlInstruction(code, branch->end)->name, "ceq");
  EXPECT_FALSE(readIlInstruction(code, 12));
}

TEST(IlInstructions, OfASwitchHaveAllTargets) {
  const auto code = ilBytes({0x45, 2, 0, 0, 0, 0, 0, 0, 0, 0xf3, 0xff, 0xff, 0xff});
  const auto instruction = readIlInstruction(code, 0);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->targets, (std::vector<std::int64_t>{13, 0}));
  const auto cut = ilBytes({0x45, 0xff, 0xff, 0xff, 0x7f});
  EXPECT_FALSE(readIlInstruction(cut, 0));
  EXPECT_FALSE(readIlInstruction(ilBytes({0x20, 1}), 0));
}

}  // namespace
}  // namespace heapscape::test
