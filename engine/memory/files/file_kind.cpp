// SPDX-License-Identifier: MIT
#include "memory/files/file_kind.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace heapscape::engine {

const char* const kWhichDumpsHelp =
    "Open a core dump of a .NET process on Linux x64 or arm64, made with dotnet-dump, createdump, gcore or by the "
    "kernel.";

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  const char* what;
};

constexpr std::array kCompressed{
    Signature{0, "\x1f\x8b"sv, "gzip"},
    Signature{0, "BZh"sv, "bzip2"},
    Signature{0, "\xfd\x37zXZ\0"sv, "xz"},
    Signature{0, "\x04\x22\x4d\x18"sv, "lz4"},
    Signature{0, "7z\xbc\xaf\x27\x1c"sv, "7-Zip"},
    Signature{0, "PK\x03\x04"sv, "zip"},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "Zstandard twice"},
};

constexpr std::array kForeign{
    Signature{0, "MDMP"sv, "a Windows minidump"},
    Signature{0, "PAGEDU"sv, "a dump of the Windows kernel"},
    Signature{0, "MZ"sv, "a Windows program or library (PE)"},
    Signature{0, "\xcf\xfa\xed\xfe"sv, "a macOS program or core dump (Mach-O)"},
    Signature{0, "\xce\xfa\xed\xfe"sv, "a 32-bit macOS program or core dump (Mach-O)"},
    Signature{0, "\xfe\xed\xfa\xcf"sv, "a macOS program or core dump (Mach-O)"},
    Signature{0, "\xca\xfe\xba\xbe"sv, "a macOS program (Mach-O) or a Java class"},
    Signature{0, "Nettrace"sv, "a trace of events (nettrace)"},
    Signature{4, "!FastSerialization"sv, "a heap snapshot of dotnet-gcdump"},
    Signature{0, "KDUMP   "sv, "a dump of the Linux kernel"},
    Signature{257, "ustar"sv, "a tar archive"},
    Signature{0, "!<arch>\n"sv, "an archive of object files"},
    Signature{0, "%PDF-"sv, "a PDF document"},
};

std::string_view beginningOf(Bytes file) {
  return {reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 4096)};
}

template <std::size_t Count>
const char* matching(const std::array<Signature, Count>& signatures, std::string_view beginning) {
  for (const Signature& signature : signatures) {
    if (beginning.size() < signature.offset) continue;
    if (beginning.substr(signature.offset).starts_with(signature.bytes)) return signature.what;
  }
  return nullptr;
}

bool looksLikeText(std::string_view beginning) {
  return std::ranges::all_of(beginning, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code >= 0x20 ? code != 0x7f : (code >= 0x07 && code <= 0x0d) || code == 0x1b;
  });
}

Error notACoreDump(std::string_view what) {
  return {ErrorCode::NotACoreDump, fmt::format("The file is {}, not a Linux core dump.", what), kWhichDumpsHelp};
}

}  // namespace

Error describeForeignFile(Bytes file) {
  const std::string_view beginning = beginningOf(file);
  if (const char* method = matching(kCompressed, beginning)) {
    return {ErrorCode::NotACoreDump, fmt::format("The file is compressed with {}.", method),
            "Decompress it first and open what comes out; only zstd, gzip, xz, LZ4 and tar are read directly."};
  }
  if (const char* what = matching(kForeign, beginning)) return notACoreDump(what);
  if (looksLikeText(beginning)) return notACoreDump("text");
  if (std::ranges::all_of(beginning, [](char letter) { return letter == 0; })) {
    return {ErrorCode::NotACoreDump, "The file begins with zero bytes, as a copy that was not finished does.",
            "Copy it again."};
  }
  return {ErrorCode::NotACoreDump, "The file is not an ELF file, so no Linux core dump.", kWhichDumpsHelp};
}

std::string machineName(std::uint16_t machine, bool is64Bit, bool isBigEndian) {
  switch (machine) {
    case EM_X86_64:
      return is64Bit ? "x86-64" : "x32";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "arm64";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return is64Bit ? "riscv64" : "riscv32";
    case EM_S390:
      return is64Bit ? "s390x" : "s390";
    case EM_PPC64:
      return isBigEndian ? "ppc64" : "ppc64le";
    case EM_PPC:
      return "ppc";
    case EM_LOONGARCH:
      return is64Bit ? "loongarch64" : "loongarch32";
    case EM_MIPS:
      return is64Bit ? "mips64" : "mips";
    default:
      return fmt::format("unknown architecture (ELF machine {})", machine);
  }
}

std::optional<Architecture> architectureOf(std::uint16_t machine) {
  if (machine == EM_X86_64) return Architecture::X64;
  if (machine == EM_AARCH64) return Architecture::Arm64;
  return std::nullopt;
}

}  // namespace heapscape::engine
