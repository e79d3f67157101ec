// SPDX-License-Identifier: MIT
// Which signals the notes of a core tell of: as the kernel, createdump and gdb write them, and damaged.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "memory/elf/elf_core.h"
#include "support/builders/core_builder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::size_t kStatusBytes = 336;  // struct elf_prstatus of x86-64
constexpr std::size_t kDetailsBytes = 128;

template <class T>
void put(FileBytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

FileBytes status(std::uint32_t osId, std::int16_t current, std::int32_t number) {
  FileBytes bytes(kStatusBytes);
  put(bytes, 0, number);
  put(bytes, 12, current);
  put(bytes, 32, osId);
  return bytes;
}

/// `payload`: the address of a fault, or the sender and its user.
FileBytes details(std::int32_t number, std::int32_t code, std::uint64_t payload) {
  FileBytes bytes(kDetailsBytes);
  put(bytes, 0, number);
  put(bytes, 8, code);
  put(bytes, 16, payload);
  return bytes;
}

class Notes {
 public:
  Notes() { m_builder.memory(0x1000, pattern(16)); }
  Notes& thread(std::uint32_t osId, std::int16_t current = 0, std::int32_t number = 0) {
    m_builder.note("CORE", NT_PRSTATUS, status(osId, current, number));
    return *this;
  }
  Notes& details(const FileBytes& bytes) {
    m_builder.note("CORE", NT_SIGINFO, bytes);
    return *this;
  }
  ElfCore parsed() const {
    auto core = parseElfCore(m_builder.build());
    if (!core) throw std::runtime_error(core.error().message());
    return std::move(*core);
  }

 private:
  CoreBuilder m_builder;
};

TEST(SignalNotes, BelongToTheThreadBeforeThem) {
  const ElfCore core = Notes()
                           .thread(10)
                           .thread(11, SIGSEGV, SIGSEGV)
                           .details(details(SIGSEGV, SEGV_MAPERR, 0x1234))
                           .thread(12)
                           .parsed();
  ASSERT_EQ(core.threads.size(), 3u);
  EXPECT_FALSE(core.threads[0].signal);
  EXPECT_FALSE(core.threads[2].signal);
  const auto& signal = core.threads[1].signal;
  ASSERT_TRUE(signal);
  EXPECT_EQ(signal->number, SIGSEGV);
  EXPECT_EQ(signal->code, SEGV_MAPERR);
  EXPECT_EQ(signal->address, Address{0x1234});
  EXPECT_FALSE(signal->sender) << "the kernel itself has sent it";
  EXPECT_TRUE(core.areNotesWhole);
}

TEST(SignalNotes, NameTheSenderOfASignalThatNoInstructionRaised) {
  const auto signalOf = [](std::int32_t number, std::int32_t code, std::uint64_t payload) {
    const auto bytes = details(number, code, payload);
    return Notes().thread(7, static_cast<std::int16_t>(number), number).details(bytes).parsed().threads[0].signal;
  };
  EXPECT_EQ(signalOf(SIGABRT, SI_TKILL, 0x3e800001986)->sender, 0x1986u);
  EXPECT_FALSE(signalOf(SIGSEGV, SI_USER, 42)->address) << "sent by kill: nothing was touched";
  EXPECT_FALSE(signalOf(SIGABRT, SI_USER, 0)->sender) << "as createdump writes the runtime's own abort";
  EXPECT_FALSE(signalOf(SIGSEGV, SI_KERNEL, 0)->address) << "the processor tells no address";
}

TEST(SignalNotes, AreOfEachThreadWhereADebuggerWroteThem) {
  const ElfCore core = Notes()
                           .thread(1)
                           .details(details(SIGSTOP, SI_KERNEL, 0))
                           .thread(2)
                           .details(details(SIGSTOP, SI_KERNEL, 0))
                           .thread(3)
                           .details(details(0, 0, 0))
                           .parsed();
  EXPECT_EQ(core.threads[0].signal->number, SIGSTOP);
  EXPECT_EQ(core.threads[1].signal->number, SIGSTOP);
  EXPECT_FALSE(core.threads[2].signal);
  EXPECT_TRUE(core.areNotesWhole);
}

TEST(SignalNotes, AreTheNumberAloneWithoutDetails) {
  const ElfCore core = Notes().thread(1, SIGABRT, SIGABRT).parsed();
  EXPECT_EQ(core.threads[0].currentSignal, SIGABRT);
  EXPECT_FALSE(core.threads[0].signal);
}

TEST(SignalNotes, AreNotBelievedWhereTheyContradictEachOther) {
  const FileBytes fault = details(SIGSEGV, SEGV_MAPERR, 0x1234);
  const ElfCore other = Notes().thread(1, SIGABRT, SIGABRT).details(fault).parsed();
  EXPECT_FALSE(other.threads[0].signal);
  EXPECT_EQ(other.threads[0].currentSignal, 0);
  EXPECT_FALSE(other.areNotesWhole);

  const ElfCore twice = Notes().thread(1, SIGSEGV, SIGSEGV).details(fault).details(fault).parsed();
  EXPECT_EQ(twice.threads[0].signal->address, Address{0x1234}) << "the same twice is still the same";
  EXPECT_FALSE(twice.areNotesWhole);

  const ElfCore two = Notes().thread(1).details(fault).details(details(SIGFPE, FPE_INTDIV, 0x99)).parsed();
  EXPECT_FALSE(two.threads[0].signal);
  EXPECT_FALSE(two.areNotesWhole);

  const ElfCore apart = Notes().thread(1, SIGSEGV, SIGFPE).parsed();
  EXPECT_EQ(apart.threads[0].currentSignal, 0);
  EXPECT_FALSE(apart.areNotesWhole);
}

TEST(SignalNotes, AreNotBelievedBehindTheRegistersOfAnotherThread) {
  const FileBytes fault = details(SIGSEGV, SEGV_MAPERR, 0x1234);
  const ElfCore createdump = Notes().thread(1).details(fault).thread(2, SIGSEGV, SIGSEGV).parsed();
  EXPECT_FALSE(createdump.threads[0].signal) << "its number stands with the other one alone";
  EXPECT_EQ(createdump.threads[1].currentSignal, SIGSEGV);
  EXPECT_FALSE(createdump.areNotesWhole);

  const ElfCore kernel =
      Notes().thread(1, SIGSEGV, SIGSEGV).thread(2, SIGSEGV, SIGSEGV).details(fault).thread(3, SIGSEGV).parsed();
  EXPECT_FALSE(kernel.threads[1].signal) << "the kernel writes the thread that died first";
  EXPECT_FALSE(kernel.areNotesWhole);

  const ElfCore inPlace = Notes().thread(2, SIGSEGV, SIGSEGV).details(fault).thread(1, SIGSEGV, SIGSEGV).parsed();
  EXPECT_TRUE(inPlace.threads[0].signal);
  EXPECT_TRUE(inPlace.areNotesWhole);
}

TEST(SignalNotes, AreLeftOutWhereTheyAreCutOrBelongToNobody) {
  FileBytes cut = details(SIGSEGV, SEGV_MAPERR, 0x1234);
  for (const std::size_t size : {0u, 3u, 11u}) {
    cut.resize(size);
    const ElfCore core = Notes().thread(1, SIGSEGV, SIGSEGV).details(cut).parsed();
    EXPECT_FALSE(core.threads[0].signal) << size;
    EXPECT_FALSE(core.areNotesWhole) << size;
  }
  FileBytes withoutAddress = details(SIGSEGV, SEGV_MAPERR, 0x1234);
  withoutAddress.resize(18);
  const ElfCore short_ = Notes().thread(1, SIGSEGV, SIGSEGV).details(withoutAddress).parsed();
  EXPECT_EQ(short_.threads[0].signal->number, SIGSEGV);
  EXPECT_FALSE(short_.threads[0].signal->address);

  EXPECT_FALSE(Notes().details(details(SIGSEGV, SEGV_MAPERR, 1)).thread(1).parsed().areNotesWhole);
}

// A flipped bit may change what a signal was about, but never which it was.
TEST(SignalNotes, WithAnyBitFlippedTellNoOtherSignal) {
  for (std::size_t bit = 0; bit < 24 * 8; ++bit) {
    FileBytes bytes = details(SIGSEGV, SEGV_MAPERR, 0x1234);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const CoreThread thread = Notes().thread(1, SIGSEGV, SIGSEGV).details(bytes).parsed().threads[0];
    if (thread.signal) {
      EXPECT_EQ(thread.signal->number, SIGSEGV) << bit;
    }
    EXPECT_TRUE(thread.currentSignal == SIGSEGV || thread.currentSignal == 0) << bit;
  }
  for (std::size_t bit = 0; bit < 16 * 8; ++bit) {
    FileBytes bytes = status(1, SIGSEGV, SIGSEGV);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    CoreBuilder builder;
    builder.memory(0x1000, pattern(16)).note("CORE", NT_PRSTATUS, bytes);
    builder.note("CORE", NT_SIGINFO, details(SIGSEGV, SEGV_MAPERR, 0x1234));
    const auto core = parseElfCore(builder.build());
    ASSERT_TRUE(core);
    if (core->threads[0].signal) {
      EXPECT_EQ(core->threads[0].signal->number, SIGSEGV) << bit;
    }
  }
}

}  // namespace
}  // namespace heapscape::engine
