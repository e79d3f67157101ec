// SPDX-License-Identifier: MIT
#include "layout/declared/folder_finder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

namespace heapscape::engine {
namespace {

constexpr std::size_t kMaxFileName = 255;

}  // namespace

bool isFileName(std::string_view simpleName) {
  using namespace std::string_view_literals;
  return !simpleName.empty() && simpleName.size() <= kMaxFileName && simpleName != "." && simpleName != ".." &&
         simpleName.find_first_of("/\0"sv) == std::string_view::npos;
}

Result<AssemblySource> FolderFinder::find(std::string_view simpleName) {
  std::vector<std::string> looked;
  for (const std::filesystem::path& folder : m_folders) {
    looked.push_back(folder.string());
    if (!isFileName(simpleName)) continue;
    for (const std::string_view ending : {".dll", ".exe"}) {
      const std::filesystem::path path = folder / fmt::format("{}{}", simpleName, ending);
      std::error_code error;
      if (std::filesystem::exists(path, error)) return openAssembly(path);
    }
  }
  return failure(ErrorCode::NotFound,
                 fmt::format("The assembly {} is not in {}.", simpleName,
                             looked.empty() ? "any folder" : fmt::format("{}", fmt::join(looked, ", "))));
}

}  // namespace heapscape::engine
