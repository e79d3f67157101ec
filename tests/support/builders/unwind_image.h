// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "support/builders/core_builder.h"

namespace heapscape::test {

/// Bytes of call frame instructions.
FileBytes instructions(std::initializer_list<unsigned> bytes);

/// A library that has unwind information and, for code, zeros: .eh_frame_hdr, a CIE and FDEs as linkers write them.
/// What the caller asks for is not checked, so it may be wrong.
class UnwindImage {
 public:
  static constexpr std::uint64_t kHeaderOffset = 0x400;  // of .eh_frame_hdr
  static constexpr std::uint64_t kFramesOffset = 0x800;  // of .eh_frame
  static constexpr std::uint64_t kCodeOffset = 0x1000;
  static constexpr std::uint64_t kSizeBytes = 0x2000;

  /// What all functions begin with: by default that the frame's address is rsp + 8, below it the return address.
  UnwindImage& common(FileBytes instructions);
  /// The column of the return address: 16 by default, as on x64; arm64 has 30.
  UnwindImage& returnAddressIn(unsigned column);
  /// By default "zR".
  UnwindImage& augmentation(std::string letters);
  /// A function at an offset from the image's start; in ascending order. `languageData`: where its language's data
  /// lies; only with an augmentation that has an "L", "zLR".
  UnwindImage& function(std::uint32_t offset, std::uint32_t sizeBytes, const FileBytes& instructions,
                        std::uint32_t languageData = 0);
  /// Bytes at an offset from the image's start.
  UnwindImage& data(std::uint32_t offset, FileBytes bytes);
  FileBytes build() const;

 private:
  struct Function {
    std::uint32_t offset = 0;
    std::uint32_t sizeBytes = 0;
    FileBytes instructions;
    std::uint32_t languageData = 0;
  };
  bool hasLanguageData() const { return m_augmentation.find('L') != std::string::npos; }
  FileBytes buildCommon() const;

  FileBytes m_common;
  unsigned m_returnAddress = 16;
  std::string m_augmentation = "zR";
  std::vector<Function> m_functions;
  std::vector<std::pair<std::uint32_t, FileBytes>> m_data;
};

}  // namespace heapscape::test
