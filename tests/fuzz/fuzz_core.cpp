// SPDX-License-Identifier: MIT
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "fuzz_target.h"
#include "session/open/open_dump.h"

using namespace heapscape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("core", MFD_CLOEXEC);
  if (file < 0) return 0;
  if (::write(file, data, size) == static_cast<ssize_t>(size)) {
    (void)engine::openDump("/proc/self/fd/" + std::to_string(file), {}, nullptr, {});
  }
  ::close(file);
  return 0;
}

namespace heapscape::fuzz {

using namespace heapscape::test;

std::vector<FileBytes> seeds() {
  const auto base = [] {
    CoreBuilder builder;
    builder.dataAlignment(16)
        .memory(0x7f0000000000, pattern(2048))
        .mappedFile({{0x7f0000000000}, {0x7f0000002000}}, 0, "/opt/dotnet/10.0.12/libcoreclr.so")
        .thread(7, 0x7f0000000800, 0x7f0000000100)
        .process(7, "shop", "shop --all")
        .auxiliary(3, 0x7f0000000000);
    return builder;
  };
  FileBytes image = pattern(2048);
  putLibraryHeaders(image,
                    {{PT_LOAD, PF_R, 0, 0, 0, 2048, 2048, 4096}, {PT_DYNAMIC, PF_R, 512, 512, 512, 128, 128, 8}});
  const std::uint64_t dynamic[] = {DT_GNU_HASH, 0x7f0000000400, DT_SYMTAB, 0x7f0000000500,
                                   DT_STRTAB,   0x7f0000000600, DT_NULL,   0};
  std::memcpy(image.data() + 512, dynamic, sizeof dynamic);
  CoreBuilder withImage;
  withImage.dataAlignment(16)
      .memory(0x7f0000000000, image)
      .leftOut(0x7f0000010000, 4096)
      .mappedFile({{0x7f0000000000}, {0x7f0000002000}}, 0, "/opt/dotnet/9.0.18/libcoreclr.so");
  return {base().build(), base().withExtendedCount().build(), withImage.build(), CoreBuilder().build(),
          foreignCore(ELFCLASS32, ELFDATA2LSB, EM_386)};
}

}  // namespace heapscape::fuzz
