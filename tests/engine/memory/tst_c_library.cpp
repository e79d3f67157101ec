// SPDX-License-Identifier: MIT
#include "memory/elf/c_library.h"

#include <elf.h>
#include <gtest/gtest.h>

#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint64_t kFirstFile = 0x7f0000000000;
constexpr std::uint64_t kFileBytes = 0x1000;

/// Of a process with these files, one behind the other; `loader` counts them from 0.
std::optional<CLibrary> libraryAmong(const std::vector<std::string>& paths, std::optional<std::size_t> loader = {}) {
  CoreBuilder builder;
  builder.memory(0x1000, pattern(16));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Address start{kFirstFile + i * kFileBytes};
    builder.mappedFile({start, start + kFileBytes}, 0, paths[i]);
  }
  if (loader) builder.auxiliary(AT_BASE, kFirstFile + *loader * kFileBytes);
  return cLibraryOf(OpenedCore(builder).core());
}

TEST(CLibraries, AreToldByTheirFiles) {
  EXPECT_EQ(libraryAmong({"/app/shop", "/lib/ld-musl-x86_64.so.1"}), CLibrary::Musl);
  EXPECT_EQ(libraryAmong({"/lib/ld-musl-aarch64.so.1 (deleted)"}), CLibrary::Musl);
  EXPECT_EQ(libraryAmong({"/usr/lib/x86_64-linux-musl/libc.so"}), CLibrary::Musl);
  EXPECT_EQ(libraryAmong({"/usr/lib/x86_64-linux-gnu/libc.so.6", "/app/shop"}), CLibrary::Glibc);
  EXPECT_EQ(libraryAmong({"/lib/x86_64-linux-gnu/ld-2.31.so"}), CLibrary::Glibc);
  EXPECT_EQ(libraryAmong({"/lib64/libc-2.28.so"}), CLibrary::Glibc);
  EXPECT_EQ(libraryAmong({"/app/shop", "/app/libcoreclr.so", "/app/libcommon.so"}), std::nullopt);
}

TEST(CLibraries, AreThatOfTheLoaderFirst) {
  const std::vector<std::string> both{"/lib64/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1"};
  EXPECT_EQ(libraryAmong(both), CLibrary::Musl) << "what stands in for glibc has its name";
  EXPECT_EQ(libraryAmong(both, 0), CLibrary::Glibc);
  EXPECT_EQ(libraryAmong(both, 1), CLibrary::Musl);
}

TEST(CLibraries, OfDumps) {
  for (const char* name : {"stacks-musl-8", "stacks-musl-10", "crashes/native-violation-musl-10"})
    EXPECT_EQ(cLibraryOf(OpenedCore(dumpPath(name)).core()), CLibrary::Musl) << name;
  for (const char* name : {"shop-8", "shop-10-gcore", "stacks-11", "crashes/native-violation-10"})
    EXPECT_EQ(cLibraryOf(OpenedCore(dumpPath(name)).core()), CLibrary::Glibc) << name;
}

}  // namespace
}  // namespace heapscape::engine
