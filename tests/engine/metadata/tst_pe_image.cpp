// SPDX-License-Identifier: MIT
#include "metadata/image/pe_image.h"

#include "metadata/image/file_version.h"
#include "metadata_testing.h"
#include "written_image.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::locateMetadata;

auto located(const WrittenImage& image, bool mapped) {
  return locateMetadata(readerOf(image.bytes()), mapped);
}

TEST(PeImage, IsFollowedInBothForms) {
  for (const std::uint16_t magic : {std::uint16_t{0x10b}, std::uint16_t{0x20b}}) {
    const WrittenImage image(magic);
    const auto mapped = located(image, true);
    ASSERT_TRUE(mapped) << mapped.error().message();
    EXPECT_EQ(mapped->offset, 0x1100u);
    EXPECT_EQ(mapped->sizeBytes, 0x80u);
    EXPECT_EQ(mapped->sizeOfImage, 0x1200u);
    EXPECT_FALSE(mapped->readyToRun);
    const auto flat = located(image, false);
    ASSERT_TRUE(flat) << flat.error().message();
    EXPECT_EQ(flat->offset, 0x500u);
  }
}

TEST(PeImage, TellsReadyToRun) {
  WrittenImage image;
  image.put<std::uint32_t>(0x1000 + 0x10 + 68, 32);
  EXPECT_TRUE(located(image, true)->readyToRun);
}

TEST(PeImage, TellsTheVersionOfItsFile) {
  for (const std::uint16_t magic : {std::uint16_t{0x10b}, std::uint16_t{0x20b}}) {
    WrittenImage image(magic);
    EXPECT_EQ(engine::fileVersionOf(readerOf(image.bytes()), true).error().code, ErrorCode::NotFound);
    const std::size_t directories = WrittenImage::kOptional + (magic == 0x20b ? 112 : 96);
    image.put<std::uint32_t>(directories + std::size_t{2} * 8, 0x1100);
    image.put<std::uint32_t>(directories + std::size_t{2} * 8 + 4, 0x80);
    EXPECT_EQ(engine::fileVersionOf(readerOf(image.bytes()), true).error().code, ErrorCode::NotFound);
    for (const std::size_t section : {0x400, 0x1000}) {
      image.put<std::uint32_t>(section + 0x140, 0xfeef04bd);
      image.put<std::uint32_t>(section + 0x144, 0x10000);
      image.put<std::uint32_t>(section + 0x148, 0x000a0000);
      image.put<std::uint32_t>(section + 0x14c, 0x04caa544);
    }
    for (const bool mapped : {true, false})
      EXPECT_EQ(engine::fileVersionOf(readerOf(image.bytes()), mapped).value_or(""), "10.0.1226.42308");
    // Resources that begin behind the image.
    image.put<std::uint32_t>(directories + std::size_t{2} * 8, 0x5000);
    EXPECT_FALSE(engine::fileVersionOf(readerOf(image.bytes()), true));
  }
}

TEST(PeImage, IsNotManagedWithoutACliHeader) {
  WrittenImage image;
  image.put<std::uint32_t>(WrittenImage::kOptional + 112 + std::size_t{14} * 8, 0);
  EXPECT_EQ(located(image, true).error().code, ErrorCode::NotFound);
  WrittenImage few;
  few.put<std::uint32_t>(WrittenImage::kOptional + 108, 14);
  EXPECT_EQ(located(few, true).error().code, ErrorCode::NotFound);
}

TEST(PeImage, FailsOnDamagedHeaders) {
  struct Damage {
    std::size_t offset;
    std::uint32_t value;
  };
  const Damage damages[] = {{0, 0},
                            {WrittenImage::kPe, 0},
                            {WrittenImage::kOptional, 0x107},
                            {WrittenImage::kPe + 4, 0xffff0000},  // sections
                            {WrittenImage::kOptional + 112 + std::size_t{14} * 8, 0xfffffff0},
                            {0x400 + 0x10 + 8, 0x11f0},
                            {0x400 + 0x10 + 12, 0xffffffff},
                            {0x400 + 0x10 + 12, 0}};
  for (const Damage& damage : damages) {
    WrittenImage image;
    image.put(damage.offset, damage.value);
    const auto place = located(image, false);
    ASSERT_FALSE(place) << damage.offset;
    EXPECT_EQ(place.error().code, ErrorCode::Damaged) << damage.offset;
  }
}

TEST(PeImage, FailsWhereTheDumpHoldsNoHeaders) {
  const auto place = locateMetadata([](std::uint64_t, std::span<std::byte>) { return false; }, true);
  EXPECT_EQ(place.error().code, ErrorCode::NotInDump);
  WrittenImage image;
  image.put<std::uint32_t>(0x3c, 0xffffff00);
  EXPECT_EQ(located(image, true).error().code, ErrorCode::NotInDump);
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
