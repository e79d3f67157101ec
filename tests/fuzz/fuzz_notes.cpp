// SPDX-License-Identifier: MIT
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fuzz_target.h"
#include "memory/elf/elf_core.h"

using namespace heapscape;

namespace {

constexpr std::size_t kHeaders = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
constexpr std::size_t kMemoryBytes = 64;

void require(bool isTrue) {
  if (!isTrue) std::abort();
}

/// A core file of a little memory and of these notes.
test::FileBytes coreWith(engine::Bytes notes) {
  test::FileBytes file(kHeaders + kMemoryBytes + notes.size());
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_CORE;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  const Elf64_Phdr parts[] = {{PT_NOTE, 0, kHeaders + kMemoryBytes, 0, 0, notes.size(), 0, 4},
                              {PT_LOAD, PF_R | PF_W, kHeaders, 0x7f0000000000, 0, kMemoryBytes, kMemoryBytes, 1}};
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, parts, sizeof parts);
  std::ranges::copy(notes, file.begin() + kHeaders + kMemoryBytes);
  return file;
}

}  // namespace

// The input is a segment of notes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const test::FileBytes file = coreWith(fuzz::bytesOf(data, size));
  const auto core = engine::parseElfCore(file);
  require(core.has_value());
  for (const engine::CoreThread& thread : core->threads) {
    require(thread.currentSignal >= 0);
    // What two notes say of one thread is the same, or not believed.
    if (thread.signal && thread.currentSignal != 0) require(thread.signal->number == thread.currentSignal);
  }
  engine::Address last;
  for (const engine::MappedFile& mapped : core->files) {
    require(!mapped.range.isEmpty() && mapped.range.start >= last);
    last = mapped.range.start;
  }
  return 0;
}

namespace heapscape::fuzz {

using namespace heapscape::test;

namespace {

void add(FileBytes& notes, std::uint32_t type, const FileBytes& description) {
  const Elf64_Nhdr header{5, static_cast<Elf64_Word>(description.size()), type};
  const auto append = [&](const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    notes.insert(notes.end(), first, first + size);
    notes.resize((notes.size() + 3) / 4 * 4);
  };
  append(&header, sizeof header);
  append("CORE", 5);
  append(description.data(), description.size());
}

FileBytes statusOf(std::uint32_t osId, std::int16_t signal) {
  FileBytes status(336);
  std::memcpy(status.data(), &signal, sizeof signal);
  std::memcpy(status.data() + 12, &signal, sizeof signal);
  std::memcpy(status.data() + 32, &osId, sizeof osId);
  return status;
}

FileBytes signalOf(std::int32_t number, std::int32_t code, std::uint64_t address) {
  FileBytes signal(128);
  std::memcpy(signal.data(), &number, sizeof number);
  std::memcpy(signal.data() + 8, &code, sizeof code);
  std::memcpy(signal.data() + 16, &address, sizeof address);
  return signal;
}

FileBytes words(std::initializer_list<std::uint64_t> values, std::string_view text = {}) {
  FileBytes made(values.size() * sizeof(std::uint64_t));
  std::memcpy(made.data(), values.begin(), made.size());
  const FileBytes letters = bytesOfText(text);
  made.insert(made.end(), letters.begin(), letters.end());
  return made;
}

}  // namespace

std::vector<FileBytes> seeds() {
  using namespace std::string_view_literals;
  const FileBytes files = words({2, 4096, 0x7f0000000000, 0x7f0000001000, 0, 0x7f0000002000, 0x7f0000003000, 1},
                                "/opt/a.so\0/opt/b.so\0"sv);
  FileBytes whole;
  add(whole, NT_PRPSINFO, FileBytes(136));
  add(whole, NT_PRSTATUS, statusOf(7, 11));
  add(whole, NT_SIGINFO, signalOf(11, 1, 0x7f0000000010));
  add(whole, NT_FPREGSET, FileBytes(512));
  add(whole, NT_PRSTATUS, statusOf(8, 0));
  add(whole, NT_FPREGSET, FileBytes(512));
  add(whole, NT_AUXV, words({3, 0x7f0000000000, AT_NULL, 0}));
  add(whole, NT_FILE, files);
  FileBytes twice = whole;
  add(twice, NT_SIGINFO, signalOf(6, -6, 0));
  add(twice, NT_SIGINFO, signalOf(6, -6, 0));
  add(twice, NT_PRSTATUS, statusOf(7, 6));
  add(twice, NT_FILE, files);
  add(twice, NT_AUXV, words({3, 1}));
  FileBytes signalFirst;
  add(signalFirst, NT_SIGINFO, signalOf(11, 1, 0));
  add(signalFirst, NT_PRSTATUS, FileBytes(40));
  add(signalFirst, NT_SIGINFO, FileBytes(10));
  const FileBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2));
  return {whole, twice, signalFirst, cut, FileBytes()};
}

}  // namespace heapscape::fuzz
