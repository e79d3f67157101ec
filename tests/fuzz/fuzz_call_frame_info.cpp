// SPDX-License-Identifier: MIT
#include "core_in_memory.h"
#include "fuzz_target.h"
#include "stacks/unwinding/native_unwinder.h"
#include "support/builders/unwind_image.h"
#include "support/opened_core.h"

using namespace heapscape;

namespace {

constexpr std::uint64_t kBase = 0x7f0000000000;

}  // namespace

// The input is a library as it is mapped; the stack lies in it as well.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const engine::Bytes image = fuzz::bytesOf(data, size);
  test::CoreBuilder builder;
  builder.dataAlignment(16)
      .memory(kBase, test::FileBytes(image.begin(), image.end()))
      .mappedFile({{kBase}, {kBase + 0x100000}}, 0, "/opt/libcrafted.so")
      .auxiliary(33, kBase);
  const fuzz::CoreInMemory file(builder.build());
  if (!file.isWritten()) return 0;
  const test::OpenedCore core{std::filesystem::path(file.path())};
  const engine::NativeUnwinder unwinder(core.space(), core.core());
  for (std::uint64_t place = 0; place < 0x80; place += 4) {
    engine::Registers registers;
    registers.values.fill(kBase + 8 * place);
    registers.instruction = {kBase + test::UnwindImage::kCodeOffset + place};
    (void)unwinder.isBehindCall(registers.instruction);
    bool isReturnAddress = false;
    for (int depth = 0; depth < 16; ++depth) {
      const auto step = unwinder.callerOf(registers, isReturnAddress);
      if (!step) break;
      registers = step->caller;
      isReturnAddress = !step->isSignalFrame;
    }
  }
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  using test::instructions;
  test::UnwindImage ordinary;
  ordinary.function(0x1000, 0x20, instructions({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0a, 0x4b, 0x0c, 7, 8, 0x0b}))
      .function(0x1020, 0x20, instructions({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}))
      .function(0x1040, 0x20,
                instructions({0x02, 4, 0x2e, 16, 0x09, 3, 12, 0x14, 12, 2, 0x16, 13, 1, 0x53, 0xc3, 0x07, 3}));
  test::UnwindImage trampoline;
  trampoline.augmentation("zRS").function(
      0x1000, 0x80,
      instructions({0x0f, 3, 0x77, 8, 0x06, 0x10, 0, 2, 0x77, 0, 0x10, 7, 2, 0x77, 8, 0x10, 16, 2, 0x77, 16}));
  std::vector<test::FileBytes> made{ordinary.build(), trampoline.build()};
  // Addresses of the image's own code and stack, so that frames lead on to frames.
  for (test::FileBytes& image : made) {
    for (std::size_t word = 0; word < 64; ++word) {
      const std::uint64_t value = kBase + test::UnwindImage::kCodeOffset + (word * 40 % 0x80);
      std::memcpy(image.data() + 0x1800 + word * 8, &value, sizeof value);
    }
  }
  return made;
}

}  // namespace heapscape::fuzz
