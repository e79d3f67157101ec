// SPDX-License-Identifier: MIT
#include "layout/declared/finders/folder_finder.h"

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
  for (const std::filesystem::path& folder : m_folders) {
    if (!isFileName(simpleName)) break;
    for (const std::string_view ending : {".dll", ".exe"}) {
      const std::filesystem::path path = folder / fmt::format("{}{}", simpleName, ending);
      std::error_code error;
      if (std::filesystem::exists(path, error)) return openAssembly(path);
    }
  }
  return notFoundIn(simpleName, places());
}

std::vector<std::string> FolderFinder::places() const {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : m_folders) names.push_back(folder.string());
  return names;
}

tl::unexpected<Error> notFoundIn(std::string_view simpleName, const std::vector<std::string>& places) {
  if (places.empty()) return failure(ErrorCode::NotFound, fmt::format("The assembly {} is not at hand.", simpleName));
  return failure(ErrorCode::NotFound,
                 fmt::format("The assembly {} is not in {}.", simpleName, fmt::join(places, ", ")));
}

}  // namespace heapscape::engine
