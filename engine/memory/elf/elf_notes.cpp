// SPDX-License-Identifier: MIT
#include "memory/elf/elf_notes.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <algorithm>
#include <csignal>
#include <span>
#include <string_view>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

// struct elf_prstatus and struct elf_prpsinfo of 64-bit Linux, alike on all its processors but for the registers.
constexpr std::uint64_t kStatusSignalOffset = 0;  // of pr_info
constexpr std::uint64_t kStatusCurrentSignalOffset = 12;
constexpr std::uint64_t kStatusThreadIdOffset = 32;
constexpr std::uint64_t kStatusRegistersOffset = 112;
constexpr std::size_t kRegistersOfX64 = 27;
constexpr std::size_t kRegistersOfArm64 = 34;
// siginfo_t: number, error, code, then a union.
constexpr std::uint64_t kSignalCodeOffset = 8;
constexpr std::uint64_t kSignalUnionOffset = 16;
constexpr std::int32_t kMostSignal = 64;
constexpr std::uint64_t kProcessIdOffset = 24;
constexpr std::uint64_t kProcessNameOffset = 40;
constexpr std::uint64_t kProcessNameBytes = 16;
constexpr std::uint64_t kProcessArgumentsOffset = 56;
constexpr std::uint64_t kProcessArgumentsBytes = 80;
constexpr std::size_t kMostAuxiliaryEntries = 1024;
constexpr std::string_view kCoreOwner = "CORE";
constexpr std::string_view kProcessorOwner = "LINUX";
// What the kernel calls memory that is shared and has no file.
constexpr std::string_view kSharedMemory = "/dev/zero";

std::string textUpToZero(Bytes description, std::uint64_t offset, std::uint64_t size) {
  Bytes field;
  if (!trySlice(description, offset, size, field)) return {};
  std::string text(reinterpret_cast<const char*>(field.data()), field.size());
  text.resize(std::min(text.size(), text.find('\0')));
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

void readProcessInfo(Bytes description, ElfCore& core) {
  std::uint32_t pid = 0;
  if (tryReadAt(description, kProcessIdOffset, pid)) core.pid = pid;
  core.command = textUpToZero(description, kProcessArgumentsOffset, kProcessArgumentsBytes);
  if (core.command.empty()) core.command = textUpToZero(description, kProcessNameOffset, kProcessNameBytes);
}

// False if it tells of two signals.
bool readThread(Bytes description, ElfCore& core) {
  CoreThread thread{.architecture = core.architecture};
  const std::size_t count = core.architecture == Architecture::X64 ? kRegistersOfX64 : kRegistersOfArm64;
  std::int32_t number = 0;
  std::int16_t current = 0;
  if (!tryReadAt(description, kStatusThreadIdOffset, thread.osId)) return true;
  Bytes registers;
  if (!trySlice(description, kStatusRegistersOffset, count * sizeof(std::uint64_t), registers)) return true;
  std::ranges::copy(registers, std::as_writable_bytes(std::span(thread.registers)).begin());
  tryReadAt(description, kStatusSignalOffset, number);
  tryReadAt(description, kStatusCurrentSignalOffset, current);
  const bool isConsistent = current >= 0 && current <= kMostSignal && (number == 0 || number == current);
  if (isConsistent) thread.currentSignal = current;
  if (core.threads.size() < kLimits.threads) core.threads.push_back(thread);
  return isConsistent;
}

bool isFault(std::int32_t signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP;
}

/// The note stands behind the registers of its thread. False if it is cut, the second one of a thread, or says
/// something else than the thread's own note; such a one is not believed.
bool readSignal(Bytes description, ElfCore& core) {
  CoreSignal signal;
  std::int32_t code = 0;
  if (!tryReadAt(description, 0, signal.number) || !tryReadAt(description, kSignalCodeOffset, code)) return false;
  if (core.threads.empty() || core.threads.size() == kLimits.threads) return core.threads.size() == kLimits.threads;
  CoreThread& thread = core.threads.back();
  if (thread.signal) {
    if (thread.signal->number == signal.number && thread.signal->code == code) return false;
    thread.signal.reset();
    thread.currentSignal = 0;
    return false;
  }
  if (signal.number == 0) return true;  // a debugger wrote down that there was none
  if (signal.number < 0 || signal.number > kMostSignal) return false;
  if (thread.currentSignal != 0 && thread.currentSignal != signal.number) {
    thread.currentSignal = 0;  // nothing tells which of the two is right
    return false;
  }
  signal.code = code;
  std::uint64_t address = 0;
  std::uint32_t sender = 0;
  // What the union holds depends on who has sent it. SI_KERNEL comes without an address: the processor told none.
  if (code > 0 && code != SI_KERNEL && isFault(signal.number)) {
    if (tryReadAt(description, kSignalUnionOffset, address)) signal.address = Address{address};
  } else if ((code == SI_USER || code == SI_TKILL || code == SI_QUEUE) &&
             tryReadAt(description, kSignalUnionOffset, sender) && sender != 0) {
    signal.sender = sender;
  }
  thread.signal = signal;
  return true;
}

/// Who writes a signal down for one thread alone writes its number there, too (createdump), or the number for each
/// thread and that one first (the kernel). False if the note stands behind the registers of another thread: it is not
/// believed then.
bool areSignalsInPlace(ElfCore& core) {
  const auto withDetails = [](const CoreThread& thread) { return thread.signal.has_value(); };
  const auto withNumber = [](const CoreThread& thread) { return thread.currentSignal != 0; };
  const auto only = std::ranges::find_if(core.threads, withDetails);
  if (std::ranges::count_if(core.threads, withDetails) != 1 || std::ranges::none_of(core.threads, withNumber))
    return true;
  const bool isOfAll = std::ranges::all_of(core.threads, withNumber);
  if (isOfAll ? only == core.threads.begin() : withNumber(*only)) return true;
  only->signal.reset();
  return false;
}

// struct user_fpregs_struct of x64, user_fpsimd_struct of arm64; it stands behind the status of its thread.
void readFloatRegisters(Bytes description, ElfCore& core) {
  constexpr std::uint64_t kXmmOffset = 160;
  const bool isX64 = core.architecture == Architecture::X64;
  std::vector<std::array<std::uint64_t, 2>> registers(isX64 ? 16 : 32);
  if (core.threads.empty() || !core.threads.back().floatRegisters.empty()) return;
  Bytes bytes;
  const auto target = std::as_writable_bytes(std::span(registers));
  if (!trySlice(description, isX64 ? kXmmOffset : 0, target.size(), bytes)) return;
  std::ranges::copy(bytes, target.begin());
  core.threads.back().floatRegisters = std::move(registers);
}

void readAuxiliaryVector(Bytes description, ElfCore& core) {
  BoundedReader reader(description);
  while (core.auxiliaryVector.size() < kMostAuxiliaryEntries) {
    const auto entry = reader.read<AuxiliaryEntry>();
    if (reader.failed() || entry.type == AT_NULL) return;
    core.auxiliaryVector.push_back(entry);
  }
}

// False if the table breaks off, or has a range without bytes: whoever wrote it listed none.
bool readMappedFiles(Bytes description, ElfCore& core) {
  struct Entry {
    std::uint64_t start, end, filePage;
  };
  BoundedReader entries(description);
  const auto count = entries.read<std::uint64_t>();
  const auto pageBytes = entries.read<std::uint64_t>();
  if (entries.failed() || count > description.size() / sizeof(Entry)) return false;
  BoundedReader names(description);
  names.seek(entries.position() + count * sizeof(Entry));
  bool isWhole = true;
  for (std::uint64_t index = 0; index < count && core.files.size() < kLimits.mappedFiles; ++index) {
    const auto entry = entries.read<Entry>();
    const std::string_view name = names.readZeroTerminated();
    if (entries.failed() || names.failed()) return false;
    if (entry.end <= entry.start) {
      isWhole = false;
      continue;
    }
    if (name.starts_with(kSharedMemory)) continue;
    core.files.push_back({{{entry.start}, {entry.end}}, entry.filePage * pageBytes, std::string(name)});
  }
  return isWhole;
}

bool readNote(std::uint32_t type, Bytes description, ElfCore& core) {
  switch (type) {
    case NT_PRPSINFO:
      readProcessInfo(description, core);
      return true;
    case NT_PRSTATUS:
      return readThread(description, core);
    case NT_SIGINFO:
      return readSignal(description, core);
    case NT_FPREGSET:
      readFloatRegisters(description, core);
      return true;
    case NT_AUXV:
      readAuxiliaryVector(description, core);
      return true;
    case NT_FILE:
      return readMappedFiles(description, core);
    default:
      return true;
  }
}

// Of one processor: they stand behind the status of their thread.
void readProcessorNote(std::uint32_t type, Bytes description, ElfCore& core) {
  constexpr std::uint64_t kInstructionMaskOffset = 8;  // user_pac_mask: of data addresses, of return addresses
  std::uint64_t value = 0;
  if (core.architecture != Architecture::Arm64) return;
  if (type == NT_ARM_TLS && !core.threads.empty() && tryReadAt(description, 0, value))
    core.threads.back().tlsRegister = {value};
  constexpr std::uint64_t kAddressBits = 0x0000'ffff'ffff'ffff;  // a mask with one of them is damaged
  if (type == NT_ARM_PAC_MASK && tryReadAt(description, kInstructionMaskOffset, value) && value != 0 &&
      (value & kAddressBits) == 0)
    core.signatureBits = value;
}

/// Notes may be followed by zeros up to an alignment.
bool isPadding(Bytes rest) {
  return std::ranges::all_of(rest, [](std::byte value) { return value == std::byte{0}; });
}

/// Calls `visit(type, name, description)` for each whole note; stops when it returns false. False if notes break off.
template <class Visit>
bool forEachNote(Elf_Data* data, Visit visit) {
  const Bytes bytes(static_cast<const std::byte*>(data->d_buf), data->d_size);
  GElf_Nhdr header{};
  std::size_t nameOffset = 0;
  std::size_t descriptionOffset = 0;
  std::size_t offset = 0;
  while (const std::size_t next = gelf_getnote(data, offset, &header, &nameOffset, &descriptionOffset)) {
    Bytes name;
    Bytes description;
    if (!trySlice(bytes, nameOffset, header.n_namesz, name)) return false;
    if (!trySlice(bytes, descriptionOffset, header.n_descsz, description)) return false;
    const std::string_view owner(reinterpret_cast<const char*>(name.data()), name.size());
    if (!visit(header.n_type, owner.substr(0, owner.find('\0')), description)) return true;
    offset = next;
  }
  return isPadding(bytes.subspan(std::min(offset, bytes.size())));
}

}  // namespace

bool readCoreNotes(Elf* elf, const NoteSegment& segment, ElfCore& core) {
  const Elf_Type layout = segment.alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
  Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(segment.fileOffset), segment.fileBytes, layout);
  if (!data || !data->d_buf) return false;
  bool areGood = true;
  const std::size_t threadsBefore = core.threads.size();
  std::size_t floatingPointStates = 0;
  const bool isWhole = forEachNote(data, [&](std::uint32_t type, std::string_view owner, Bytes description) {
    if (owner == kProcessorOwner) readProcessorNote(type, description, core);
    if (owner == kRedactionOwner && type == kRedactionType) core.redaction = parseRedaction(description);
    if (owner != kCoreOwner) return true;
    if (type == NT_FPREGSET) ++floatingPointStates;
    if (!readNote(type, description, core)) areGood = false;
    return true;
  });
  // Whoever writes them at all does so for each thread.
  const bool areInPairs = floatingPointStates == 0 || floatingPointStates == core.threads.size() - threadsBefore ||
                          core.threads.size() == kLimits.threads;
  const bool areInPlace = areSignalsInPlace(core);
  return isWhole && areGood && areInPairs && areInPlace;
}

void forEachNoteOf(Bytes file, const NoteVisitor& visit) {
  const ElfHandle elf(elf_memory(reinterpret_cast<char*>(const_cast<std::byte*>(file.data())), file.size()));
  std::size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, kLimits.programHeaders); ++i) {
    GElf_Phdr header{};
    if (!gelf_getphdr(elf.get(), static_cast<int>(i), &header)) return;
    if (header.p_type != PT_NOTE || header.p_offset >= file.size()) continue;
    const Elf_Type layout = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    const std::uint64_t bytes = std::min<std::uint64_t>(header.p_filesz, file.size() - header.p_offset);
    Elf_Data* data = elf_getdata_rawchunk(elf.get(), static_cast<std::int64_t>(header.p_offset), bytes, layout);
    if (!data || !data->d_buf) continue;
    forEachNote(data, [&](std::uint32_t type, std::string_view owner, Bytes description) {
      visit(type, owner, description);
      return true;
    });
  }
}

std::string buildIdAmongNotes(Bytes notes, std::uint64_t alignment) {
  Elf_Data data{};
  data.d_buf = const_cast<std::byte*>(notes.data());
  data.d_type = alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
  data.d_size = notes.size();
  data.d_version = EV_CURRENT;
  std::string buildId;
  forEachNote(&data, [&](std::uint32_t type, std::string_view owner, Bytes description) {
    if (type != NT_GNU_BUILD_ID || owner != "GNU") return true;
    for (const std::byte value : description) buildId += fmt::format("{:02x}", std::to_integer<unsigned>(value));
    return false;
  });
  return buildId;
}

}  // namespace heapscape::engine
