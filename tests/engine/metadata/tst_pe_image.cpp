// SPDX-License-Identifier: MIT
#include "metadata/pe_image.h"

#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::locateMetadata;

/// A PE32+ image with one section of 0x200 bytes, at 0x1000 when mapped and at 0x400 in the file.
class Image {
 public:
  explicit Image(std::uint16_t magic = 0x20b) : m_bytes(0x1200) {
    put<std::uint16_t>(0, 0x5a4d);
    put<std::uint32_t>(0x3c, kPe);
    put<std::uint32_t>(kPe, 0x4550);
    put<std::uint16_t>(kPe + 6, 1);
    put<std::uint16_t>(kPe + 20, kOptionalSize);
    put<std::uint16_t>(kOptional, magic);
    put<std::uint32_t>(kOptional + 56, 0x1200);
    put<std::uint32_t>(kOptional + 60, 0x400);
    const std::size_t directories = kOptional + (magic == 0x20b ? 112 : 96);
    put<std::uint32_t>(directories - 4, 16);
    put<std::uint32_t>(directories + std::size_t{14} * 8, 0x1010);
    put<std::uint32_t>(directories + std::size_t{14} * 8 + 4, 72);
    put<std::uint32_t>(kOptional + kOptionalSize + 8, 0x200);
    put<std::uint32_t>(kOptional + kOptionalSize + 12, 0x1000);
    put<std::uint32_t>(kOptional + kOptionalSize + 16, 0x200);
    put<std::uint32_t>(kOptional + kOptionalSize + 20, 0x400);
    for (const std::size_t section : {0x400, 0x1000}) {
      put<std::uint32_t>(section + 0x10 + 8, 0x1100);
      put<std::uint32_t>(section + 0x10 + 12, 0x80);
    }
  }

  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(m_bytes.data() + offset, &value, sizeof value);
  }

  auto locate(bool mapped) const { return locateMetadata(readerOf(m_bytes), mapped); }
  const std::vector<std::byte>& bytes() const { return m_bytes; }

  static constexpr std::size_t kPe = 0x80;
  static constexpr std::size_t kOptional = kPe + 24;
  static constexpr std::uint16_t kOptionalSize = 240;

 private:
  std::vector<std::byte> m_bytes;
};

TEST(PeImage, IsFollowedInBothForms) {
  for (const std::uint16_t magic : {std::uint16_t{0x10b}, std::uint16_t{0x20b}}) {
    const Image image(magic);
    const auto mapped = image.locate(true);
    ASSERT_TRUE(mapped) << mapped.error().message();
    EXPECT_EQ(mapped->offset, 0x1100u);
    EXPECT_EQ(mapped->sizeBytes, 0x80u);
    EXPECT_EQ(mapped->sizeOfImage, 0x1200u);
    EXPECT_FALSE(mapped->readyToRun);
    const auto flat = image.locate(false);
    ASSERT_TRUE(flat) << flat.error().message();
    EXPECT_EQ(flat->offset, 0x500u);
  }
}

TEST(PeImage, TellsReadyToRun) {
  Image image;
  image.put<std::uint32_t>(0x1000 + 0x10 + 68, 32);
  EXPECT_TRUE(image.locate(true)->readyToRun);
}

TEST(PeImage, IsNotManagedWithoutACliHeader) {
  Image image;
  image.put<std::uint32_t>(Image::kOptional + 112 + std::size_t{14} * 8, 0);
  EXPECT_EQ(image.locate(true).error().code, ErrorCode::NotFound);
  Image few;
  few.put<std::uint32_t>(Image::kOptional + 108, 14);
  EXPECT_EQ(few.locate(true).error().code, ErrorCode::NotFound);
}

TEST(PeImage, FailsOnDamagedHeaders) {
  struct Damage {
    std::size_t offset;
    std::uint32_t value;
  };
  const Damage damages[] = {{0, 0},
                            {Image::kPe, 0},
                            {Image::kOptional, 0x107},
                            {Image::kPe + 4, 0xffff0000},  // sections
                            {Image::kOptional + 112 + std::size_t{14} * 8, 0xfffffff0},
                            {0x400 + 0x10 + 8, 0x11f0},
                            {0x400 + 0x10 + 12, 0xffffffff},
                            {0x400 + 0x10 + 12, 0}};
  for (const Damage& damage : damages) {
    Image image;
    image.put(damage.offset, damage.value);
    const auto located = image.locate(false);
    ASSERT_FALSE(located) << damage.offset;
    EXPECT_EQ(located.error().code, ErrorCode::Damaged) << damage.offset;
  }
}

TEST(PeImage, FailsWhereTheDumpHoldsNoHeaders) {
  const auto located = locateMetadata([](std::uint64_t, std::span<std::byte>) { return false; }, true);
  EXPECT_EQ(located.error().code, ErrorCode::NotInDump);
  Image image;
  image.put<std::uint32_t>(0x3c, 0xffffff00);
  EXPECT_EQ(image.locate(true).error().code, ErrorCode::NotInDump);
}

TEST(PeImage, SurvivesBeingCutAnywhere) {
  const auto whole = shapesImage();
  ASSERT_FALSE(whole.empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    (void)locateMetadata(readerOf(engine::Bytes(whole).first(size)), false);
  }
}

}  // namespace
}  // namespace heapscape::test
