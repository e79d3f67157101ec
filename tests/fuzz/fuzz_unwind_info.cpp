// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <utility>

#include "core_in_memory.h"
#include "fuzz_target.h"
#include "stacks/unwinding/unwind_info.h"
#include "support/opened_core.h"

using namespace heapscape;

namespace {

constexpr std::uint64_t kBase = 0x7f0000000000;
constexpr std::uint32_t kCodeBytes = 64;
constexpr std::uint32_t kUnwindData = 64;  // behind the code; what is left of the input is the stack

}  // namespace

// The input is an image: code of one function, its unwind information, and a stack.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const engine::Bytes image = fuzz::bytesOf(data, size);
  test::CoreBuilder builder;
  builder.dataAlignment(16).memory(kBase, test::FileBytes(image.begin(), image.end()));
  const fuzz::CoreInMemory file(builder.build());
  if (!file.isWritten()) return 0;
  const test::OpenedCore core{std::filesystem::path(file.path())};
  engine::CodeLocation code;
  code.start = code.imageBase = {kBase};
  code.function = {0, kCodeBytes, kUnwindData};
  for (const auto architecture : {engine::Architecture::X64, engine::Architecture::Arm64})
    (void)engine::prologueBytes(core.space(), code, architecture);
  for (std::uint32_t offset = 0; offset < kCodeBytes; ++offset) {
    for (const auto& [architecture, isInCall] : {std::pair{engine::Architecture::X64, false},
                                                 {engine::Architecture::X64, true},
                                                 {engine::Architecture::Arm64, false}}) {
      engine::Registers registers;
      registers.architecture = architecture;
      registers.values.fill(kBase + kUnwindData + offset);
      registers.instruction = {kBase + offset};
      for (int depth = 0; depth < 16; ++depth) {
        const auto caller = engine::callerOfManaged(core.space(), code, registers, isInCall);
        if (!caller) break;
        registers = *caller;
      }
    }
  }
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  // push rbp; sub rsp, 32; … add rsp, 32; pop rbp; ret
  constexpr std::uint8_t kCode[]{0x55, 0x48, 0x83, 0xec, 32, 0x90, 0x48, 0x83, 0xc4, 32, 0x5d, 0xc3};
  constexpr std::uint8_t kUnwind[]{1, 5, 2, 0, 5, 0x32, 1, 0x50};
  constexpr std::uint8_t kChained[]{1 | 4 << 3, 4, 1, 5, 4, 3, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0};
  // Records of arm64: one epilogue at the end, and two with words of their own.
  constexpr std::uint8_t kRecord[]{16, 0, 0x30, 0x10, 0xe1, 0xc8, 0x42, 0x85, 0xe4, 0xe3, 0xe3, 0xe3};
  constexpr std::uint8_t kScopes[]{16,   0,    0x90, 0x18, 4,    0,    0,    0,    8,    0,    0,    1, 0xe6,
                                   0xc8, 0x02, 0xd0, 0x83, 0x41, 0xc0, 0x02, 0x83, 0xe4, 0xfc, 0xe4, 0, 0};
  constexpr std::uint8_t kLarge[]{1, 16, 9, 0,    16, 0x11, 0, 0, 1, 0,    12, 0x35,
                                  4, 0,  8, 0x1b, 2,  0,    0, 0, 4, 0x01, 8,  0};
  std::vector<test::FileBytes> made;
  const auto add = [&](std::span<const std::uint8_t> unwind) {
    test::FileBytes image(512);
    std::memcpy(image.data(), kCode, sizeof kCode);
    std::memcpy(image.data() + kUnwindData, unwind.data(), unwind.size());
    // A stack of return addresses into the code, and of addresses of the stack.
    for (std::size_t at = 128; at + 8 <= image.size(); at += 8) {
      const std::uint64_t word = kBase + (at % 16 ? at % kCodeBytes : at);
      std::memcpy(image.data() + at, &word, sizeof word);
    }
    made.push_back(std::move(image));
  };
  add(kUnwind);
  add(kChained);
  add(kLarge);
  add(kRecord);
  add(kScopes);
  return made;
}

}  // namespace heapscape::fuzz
