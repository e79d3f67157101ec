// SPDX-License-Identifier: MIT
#include "metadata/image/assembly_file.h"

#include <filesystem>

#include "metadata_testing.h"
#include "support/temporary_folder.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::readAssemblyFile;

class AssemblyFiles : public testing::Test {
 protected:
  std::filesystem::path written(engine::Bytes bytes) const {
    const auto path = m_folder / "some.dll";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  std::filesystem::path written(std::string_view text) const { return written(std::as_bytes(std::span(text))); }

  static void expectError(const std::filesystem::path& path, ErrorCode code, std::string_view part) {
    const auto file = readAssemblyFile(path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, code);
    EXPECT_NE(file.error().what.find(part), std::string::npos) << file.error().what;
    EXPECT_NE(file.error().what.find(path.string()), std::string::npos) << file.error().what;
  }

  TemporaryFolder m_folder;
};

TEST_F(AssemblyFiles, AreReadIntoMemoryOfOurOwn) {
  const auto path = written(shapesImage());
  const auto file = readAssemblyFile(path);
  ASSERT_TRUE(file) << file.error().message();
  std::filesystem::resize_file(path, 1);  // as a compiler does that writes it anew
  EXPECT_EQ(file->metadata->assembly()->name, "shapes");
  EXPECT_NE(file->metadata->findTypeDef("Shapes.Five"), 0u);
  EXPECT_FALSE(file->readyToRun.isReadyToRun);
}

TEST_F(AssemblyFiles, SayWhatTheyAreInstead) {
  expectError(m_folder / "none.dll", ErrorCode::FileUnreadable, "There is no file");
  expectError(m_folder.path(), ErrorCode::FileUnreadable, "is a folder");
  expectError(written(""), ErrorCode::FileUnreadable, "is empty");
  expectError(written("MZ"), ErrorCode::NotFound, "too short");
  expectError(written("\x7f"
                      "ELF and so on"),
              ErrorCode::NotFound, "ELF");
  expectError(written("some text, not an assembly"), ErrorCode::NotFound, "not an assembly");
  expectError(written(shapesMetadata()), ErrorCode::NotFound, "bare metadata");
  expectError("/dev/null", ErrorCode::FileUnreadable, "is a device");
}

TEST_F(AssemblyFiles, WithoutMetadataAreNative) {
  auto image = shapesImage();
  std::uint32_t peHeader = 0;
  ASSERT_TRUE(engine::tryReadAt(image, 0x3c, peHeader));
  const std::size_t optional = peHeader + 24;
  const std::size_t directories = optional + (image[optional + 1] == std::byte{0x02} ? 112 : 96);
  std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(directories + 14 * 8), 8, std::byte{0});
  expectError(written(image), ErrorCode::NotFound, "native");
}

TEST_F(AssemblyFiles, MayBeCutAnywhere) {
  const auto image = shapesImage();
  std::size_t whole = 0;
  for (std::size_t size = 1; size < image.size(); size += 7) {
    const auto file = readAssemblyFile(written(engine::Bytes(image).first(size)));
    if (file) {
      ++whole;  // what is behind the metadata does not matter
      continue;
    }
    EXPECT_TRUE(file.error().code == ErrorCode::Damaged || file.error().code == ErrorCode::NotFound);
    EXPECT_FALSE(file.error().what.empty());
  }
  EXPECT_LT(whole, image.size() / 7 / 2);
}

}  // namespace
}  // namespace heapscape::test
