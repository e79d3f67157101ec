// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "memory/elf/elf_core.h"
#include "support/builders/core_builder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;
using namespace std::string_literals;

Error errorOf(const FileBytes& file) {
  const auto core = parseElfCore(file);
  return core ? Error{ErrorCode::NotFound, "no error"} : core.error();
}

struct WrongFile {
  std::string name;
  FileBytes file;
  ErrorCode code;
  std::string what;
};

void PrintTo(const WrongFile& file, std::ostream* stream) {
  *stream << file.name;
}

FileBytes beginningWith(const std::string& text) {
  FileBytes file = bytesOfText(text);
  const FileBytes rest = pattern(4096);
  file.insert(file.end(), rest.begin(), rest.end());
  return file;
}

FileBytes coreOfType(std::uint16_t type) {
  return CoreBuilder().memory(0x1000, pattern(16)).header([=](auto& header) { header.e_type = type; }).build();
}

FileBytes tarArchive() {
  FileBytes file = pattern(1024);
  const FileBytes magic = bytesOfText("ustar");
  std::copy(magic.begin(), magic.end(), file.begin() + 257);
  file[0] = std::byte{'x'};
  return file;
}

std::vector<WrongFile> wrongFiles() {
  const auto foreign = ErrorCode::NotACoreDump;
  const auto core = [](const std::string& kind) { return "The file is a core dump of a " + kind + " architecture."; };
  const auto not64 = [](unsigned char byteOrder, std::uint16_t machine) {
    return foreignCore(ELFCLASS32, byteOrder, machine);
  };
  const auto is64 = [](unsigned char byteOrder, std::uint16_t machine) {
    return foreignCore(ELFCLASS64, byteOrder, machine);
  };
  return {
      {"text", bytesOfText("Hello,\nthis is no dump.\n"), foreign, "The file is text, not a Linux core dump."},
      {"oneLetter", bytesOfText("x"), foreign, "The file is text, not a Linux core dump."},
      {"noise", pattern(5000), foreign, "The file is not an ELF file, so no Linux core dump."},
      {"zeros", FileBytes(5000), foreign, "The file begins with zero bytes, as a copy that was not finished does."},
      {"gzip", beginningWith("\x1f\x8b\x08"), foreign, "The file is compressed with gzip."},
      {"xz", beginningWith("\xfd"s + "7zXZ\0"s), foreign, "The file is compressed with xz."},
      {"bzip2", beginningWith("BZh9"), foreign, "The file is compressed with bzip2."},
      {"lz4", beginningWith("\x04\x22\x4d\x18"), foreign, "The file is compressed with lz4."},
      {"zip", beginningWith("PK\x03\x04"), foreign, "The file is compressed with zip."},
      {"tar", tarArchive(), foreign, "The file is a tar archive, not a Linux core dump."},
      {"minidump", beginningWith("MDMP\x93\xa7"), foreign, "The file is a Windows minidump, not a Linux core dump."},
      {"kernelDump", beginningWith("PAGEDU64"), foreign,
       "The file is a dump of the Windows kernel, not a Linux core dump."},
      {"pe", beginningWith("MZ\x90"), foreign, "The file is a Windows program or library (PE), not a Linux core dump."},
      {"machO", beginningWith("\xcf\xfa\xed\xfe"), foreign,
       "The file is a macOS program or core dump (Mach-O), not a Linux core dump."},
      {"gcdump", beginningWith("\x14\0\0\0!FastSerialization.1"s), foreign,
       "The file is a heap snapshot of dotnet-gcdump, not a Linux core dump."},
      {"trace", beginningWith("Nettrace"), foreign, "The file is a trace of events (nettrace), not a Linux core dump."},
      {"executable", coreOfType(ET_EXEC), foreign, "The file is a program (ELF executable), not a core dump."},
      {"sharedLibrary", coreOfType(ET_DYN), foreign,
       "The file is a program or a shared library (ELF), not a core dump."},
      {"relocatable", coreOfType(ET_REL), foreign,
       "The file is an object file of a compiler (ELF relocatable), not a core dump."},
      {"unknownType", coreOfType(77), foreign,
       "The file begins as an ELF file, but its header is damaged: there is no file type 77."},
      {"unknownClass", foreignCore(7, ELFDATA2LSB, EM_X86_64), foreign,
       "The file begins as an ELF file, but its header is damaged: its class, byte order or version is unknown."},
      {"i386", not64(ELFDATA2LSB, EM_386), foreign, core("32-bit process of the i386")},
      {"arm", not64(ELFDATA2LSB, EM_ARM), foreign, core("32-bit process of the arm")},
      {"loongarch64", is64(ELFDATA2LSB, EM_LOONGARCH), foreign, core("64-bit process of the loongarch64")},
      {"riscv64", is64(ELFDATA2LSB, EM_RISCV), foreign, core("64-bit process of the riscv64")},
      {"s390x", is64(ELFDATA2MSB, EM_S390), foreign, core("64-bit big-endian process of the s390x")},
      {"ppc64", is64(ELFDATA2MSB, EM_PPC64), foreign, core("64-bit big-endian process of the ppc64")},
      {"ppc64le", is64(ELFDATA2LSB, EM_PPC64), foreign, core("64-bit process of the ppc64le")},
      {"armLibrary", foreignCore(ELFCLASS32, ELFDATA2LSB, EM_ARM, ET_DYN), foreign,
       "The file is a program or a shared library (ELF), not a core dump."},
      {"cutHeader",
       bytesOfText("\x7f"
                   "ELF\x02\x01\x01"),
       ErrorCode::Truncated, "The file ends after 7 bytes, inside the header of an ELF file."},
      {"cutMagic",
       bytesOfText("\x7f"
                   "E"),
       ErrorCode::Truncated, "The file ends after 2 bytes, inside the header of an ELF file."},
      {"noMemory", CoreBuilder().thread(1, 0, 0).build(), foreign,
       "The core dump holds no memory of the process at all."},
  };
}

class WrongFiles : public testing::TestWithParam<WrongFile> {};

TEST_P(WrongFiles, AreToldApart) {
  const Error error = errorOf(GetParam().file);
  EXPECT_EQ(error.code, GetParam().code);
  EXPECT_EQ(error.what, GetParam().what);
  EXPECT_FALSE(error.help.empty());
}

INSTANTIATE_TEST_SUITE_P(All, WrongFiles, testing::ValuesIn(wrongFiles()),
                         [](const auto& info) { return info.param.name; });

TEST(WrongFiles, AnEmptySpanIsNoDump) {
  EXPECT_FALSE(parseElfCore({}));
}

TEST(WrongFiles, WrongProgramHeaderSizeIsDamage) {
  const FileBytes file =
      CoreBuilder().memory(0x1000, pattern(16)).header([](auto& header) { header.e_phentsize = 8; }).build();
  EXPECT_NE(errorOf(file).what.find("program headers have a wrong size"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine
