// SPDX-License-Identifier: MIT
#include "support/builders/unwind_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace heapscape::test {
namespace {

constexpr std::byte kRelativeToPlace4{0x1b};  // DW_EH_PE_pcrel | DW_EH_PE_sdata4

void append(FileBytes& bytes, engine::Bytes more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
void appendValue(FileBytes& bytes, const T& value) {
  append(bytes, std::as_bytes(std::span(&value, 1)));
}

std::int32_t distance(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from));
}

/// With its length in front, padded as entries are.
FileBytes entryOf(FileBytes contents) {
  contents.resize((contents.size() + 3) / 4 * 4);
  FileBytes entry;
  appendValue(entry, static_cast<std::uint32_t>(contents.size()));
  append(entry, contents);
  return entry;
}

void putHeaders(FileBytes& image) {
  constexpr std::uint64_t kSize = UnwindImage::kSizeBytes;
  constexpr std::uint64_t kTable = UnwindImage::kHeaderOffset;
  constexpr std::uint64_t kTableBytes = UnwindImage::kFramesOffset - UnwindImage::kHeaderOffset;
  putLibraryHeaders(image, {{PT_LOAD, PF_R | PF_X, 0, 0, 0, kSize, kSize, 4096},
                            {PT_GNU_EH_FRAME, PF_R, kTable, kTable, kTable, kTableBytes, kTableBytes, 4}});
}

}  // namespace

FileBytes instructions(std::initializer_list<unsigned> bytes) {
  FileBytes made;
  for (const unsigned byte : bytes) made.push_back(static_cast<std::byte>(byte));
  return made;
}

UnwindImage& UnwindImage::common(FileBytes instructions) {
  m_common = std::move(instructions);
  return *this;
}

UnwindImage& UnwindImage::returnAddressIn(unsigned column) {
  m_returnAddress = column;
  return *this;
}

UnwindImage& UnwindImage::augmentation(std::string letters) {
  m_augmentation = std::move(letters);
  return *this;
}

UnwindImage& UnwindImage::function(std::uint32_t offset, std::uint32_t sizeBytes, const FileBytes& instructions,
                                   std::uint32_t languageData) {
  m_functions.push_back({offset, sizeBytes, instructions, languageData});
  return *this;
}

UnwindImage& UnwindImage::data(std::uint32_t offset, FileBytes bytes) {
  m_data.emplace_back(offset, std::move(bytes));
  return *this;
}

FileBytes UnwindImage::buildCommon() const {
  FileBytes contents(4);                                          // a CIE's id
  append(contents, instructions({1}));                            // version
  append(contents, bytesOfText(m_augmentation));                  //
  append(contents, instructions({0, 1, 0x78, m_returnAddress}));  // units of 1 and -8, return address
  // The encodings of addresses.
  append(contents, hasLanguageData() ? FileBytes{std::byte{2}, kRelativeToPlace4, kRelativeToPlace4}
                                     : FileBytes{std::byte{1}, kRelativeToPlace4});
  // DW_CFA_def_cfa rsp + 8, DW_CFA_offset of the return address at frame - 8
  append(contents, m_common.empty() ? instructions({0x0c, 7, 8, 0x90, 1}) : m_common);
  return entryOf(contents);
}

FileBytes UnwindImage::build() const {
  FileBytes frames = buildCommon();
  FileBytes table = instructions({1, 0x1b, 0x03, 0x3b});
  appendValue(table, distance(kHeaderOffset + 4, kFramesOffset));
  appendValue(table, static_cast<std::uint32_t>(m_functions.size()));
  for (const Function& function : m_functions) {
    const std::uint64_t place = kFramesOffset + frames.size();
    appendValue(table, distance(kHeaderOffset, function.offset));
    appendValue(table, distance(kHeaderOffset, place));
    FileBytes contents;
    appendValue(contents, static_cast<std::uint32_t>(frames.size() + 4));  // back to the CIE
    appendValue(contents, distance(place + 8, function.offset));
    appendValue(contents, function.sizeBytes);
    contents.push_back(std::byte{hasLanguageData() ? std::uint8_t{4} : std::uint8_t{0}});
    if (hasLanguageData()) appendValue(contents, distance(place + 4 + contents.size(), function.languageData));
    append(contents, function.instructions);
    append(frames, entryOf(contents));
  }
  FileBytes image(kSizeBytes);
  putHeaders(image);
  table.resize(std::min<std::size_t>(table.size(), kFramesOffset - kHeaderOffset));
  frames.resize(std::min<std::size_t>(frames.size(), kCodeOffset - kFramesOffset));
  std::ranges::copy(table, image.begin() + kHeaderOffset);
  std::ranges::copy(frames, image.begin() + kFramesOffset);
  for (const auto& [offset, bytes] : m_data) std::ranges::copy(bytes, image.begin() + offset);
  return image;
}

}  // namespace heapscape::test
