// SPDX-License-Identifier: MIT
#include "redact/redacted_notes.h"

#include <elf.h>
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "memory/elf/elf_notes.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// struct elf_prstatus, struct elf_prpsinfo.
constexpr std::size_t kThreadIdOffset = 32;
constexpr std::size_t kRegistersOffset = 112;
constexpr std::size_t kRegistersOfX64 = 27;
constexpr std::size_t kRegistersOfArm64 = 34;
constexpr std::size_t kNameOffset = 40;

/// Whether a register has no value of the program: where the thread is, its flags and segments.
bool isPlace(Architecture architecture, std::size_t index) {
  // x64: orig_rax, rip to ss with eflags and rsp, then the bases and selectors of segments.
  if (architecture == Architecture::X64) return index >= 15;
  return index >= 30;  // arm64: lr, sp, pc, pstate
}

class NoteWriter {
 public:
  void add(std::string_view owner, std::uint32_t type, Bytes description) {
    const Elf64_Nhdr header{static_cast<Elf64_Word>(owner.size() + 1), static_cast<Elf64_Word>(description.size()),
                            type};
    append(std::as_bytes(std::span(&header, 1)));
    append(std::as_bytes(std::span(owner)));
    m_bytes.push_back(std::byte{0});
    pad();
    append(description);
    pad();
  }
  std::vector<std::byte> take() { return std::move(m_bytes); }

 private:
  void append(Bytes bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }
  void pad() { m_bytes.resize((m_bytes.size() + 3) / 4 * 4); }

  std::vector<std::byte> m_bytes;
};

void redactStatus(const Contents& contents, const RedactionPlan& plan, std::vector<std::byte>& status) {
  const Architecture architecture = contents.core->architecture;
  const std::size_t count = architecture == Architecture::X64 ? kRegistersOfX64 : kRegistersOfArm64;
  std::uint32_t thread = 0;
  if (!tryReadAt(status, kThreadIdOffset, thread)) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kRegistersOffset + i * sizeof(std::uint64_t);
    std::uint64_t value = 0;
    if (!tryReadAt(status, at, value) || isPlace(architecture, i) || plan.keepsRegister(thread, value)) continue;
    std::memset(status.data() + at, 0, sizeof value);
  }
}

/// Paths keep their lengths, so that they can be masked where they stand.
void redactFiles(const RedactionPlan& plan, std::vector<std::byte>& files) {
  std::uint64_t count = 0;
  if (!tryReadAt(files, 0, count) || count > files.size() / (3 * sizeof(std::uint64_t))) return;
  char* text = reinterpret_cast<char*>(files.data());
  for (std::size_t at = (2 + 3 * count) * sizeof(std::uint64_t); at < files.size();) {
    const std::size_t length = ::strnlen(text + at, files.size() - at);
    const std::string masked = plan.hiddenPath(std::string(text + at, length));
    std::memcpy(text + at, masked.data(), length);
    at += length + 1;
  }
}

/// A note as a copy has it; nothing if nobody needs it.
std::optional<std::vector<std::byte>> redactedNote(const Contents& contents, const RedactionPlan& plan,
                                                   std::uint32_t type, std::string_view owner, Bytes description) {
  std::vector<std::byte> bytes(description.begin(), description.end());
  if (plan.options().isSlim) return bytes;
  const bool isCommon = owner == "CORE";
  if (isCommon && type == NT_PRSTATUS) {
    redactStatus(contents, plan, bytes);
  } else if (isCommon && type == NT_PRPSINFO) {
    if (bytes.size() > kNameOffset) std::fill(bytes.begin() + kNameOffset, bytes.end(), std::byte{0});
  } else if (isCommon && type == NT_FILE) {
    redactFiles(plan, bytes);
  } else if (isCommon && type == NT_FPREGSET) {
    std::ranges::fill(bytes, std::byte{0});
  } else if (!(isCommon && (type == NT_AUXV || type == NT_SIGINFO)) &&
             !(owner == "LINUX" && (type == NT_ARM_TLS || type == NT_ARM_PAC_MASK))) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> redactedNotes(const Contents& contents, const RedactionPlan& plan,
                                     const std::string& redaction) {
  NoteWriter writer;
  forEachNoteOf(contents.file->bytes(), [&](std::uint32_t type, std::string_view owner, Bytes description) {
    if (owner == kRedactionOwner) return;
    if (const auto note = redactedNote(contents, plan, type, owner, description)) writer.add(owner, type, *note);
  });
  writer.add(kRedactionOwner, kRedactionType, std::as_bytes(std::span(redaction)));
  return writer.take();
}

std::uint64_t unexpectedNoteBytes(const Contents& contents, const RedactionPlan& plan) {
  std::uint64_t unexpected = 0;
  forEachNoteOf(contents.file->bytes(), [&](std::uint32_t type, std::string_view owner, Bytes description) {
    if (owner == kRedactionOwner) return;
    const auto note = redactedNote(contents, plan, type, owner, description);
    for (std::size_t i = 0; i < description.size(); ++i)
      unexpected += description[i] != std::byte{0} && (!note || (*note)[i] != description[i]);
  });
  return unexpected;
}

}  // namespace heapscape::engine
