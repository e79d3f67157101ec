// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>

#include "fuzz_target.h"

namespace {

using heapscape::test::FileBytes;
using Clock = std::chrono::steady_clock;

constexpr int kInputs = 4000;
constexpr auto kTimeInAll = std::chrono::seconds(10);
constexpr auto kTimeForOne = std::chrono::seconds(10);

/// Changes bytes as fuzzers do: bits, interesting values, parts left out, doubled or cut off.
class Mutator {
 public:
  FileBytes mutate(FileBytes input, const FileBytes& other) {
    for (std::uint64_t i = 1 + next(4); i > 0; --i) change(input, other);
    return input;
  }

 private:
  std::uint64_t next(std::uint64_t limit) { return limit ? m_random() % limit : 0; }

  void change(FileBytes& input, const FileBytes& other) {
    if (input.empty()) input.push_back(std::byte{0});
    const auto at = static_cast<std::ptrdiff_t>(next(input.size()));
    const auto place = input.begin() + at;
    const auto size = static_cast<std::ptrdiff_t>(next(input.size() - static_cast<std::size_t>(at)));
    switch (next(7)) {
      case 0:
        *place ^= std::byte{1} << next(8);
        break;
      case 1:
        *place = static_cast<std::byte>(next(256));
        break;
      case 2:
        *place = next(2) ? std::byte{0xff} : std::byte{0};
        break;
      case 3:
        input.erase(place, place + size);
        break;
      case 4: {
        const FileBytes part(place, place + size);
        input.insert(place, part.begin(), part.end());
        break;
      }
      case 5:
        input.resize(static_cast<std::size_t>(at));
        break;
      default: {
        const auto from = static_cast<std::ptrdiff_t>(next(other.size()));
        input.insert(place, other.begin() + from, other.end());
        break;
      }
    }
    constexpr std::size_t kLargest = 1 << 18;
    if (input.size() > kLargest) input.resize(kLargest);
  }

  std::mt19937_64 m_random{20241101};
};

bool run(const FileBytes& input) {
  const auto start = Clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return Clock::now() - start < kTimeForOne;
}

int replay(int count, char** files) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(files[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!run(heapscape::test::bytesOfText(text))) return 1;
  }
  return 0;
}

// What a fuzzer's corpus begins with.
int writeSeeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::size_t number = 0;
  for (const FileBytes& seed : heapscape::fuzz::seeds())
    heapscape::test::writeFile(folder / ("seed-" + std::to_string(number++)), seed);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--seeds") return writeSeeds(argv[2]);
  if (argc > 1) return replay(argc - 1, argv + 1);
  const auto seeds = heapscape::fuzz::seeds();
  const auto start = Clock::now();
  Mutator mutator;
  int done = 0;
  for (const FileBytes& seed : seeds) run(seed);
  for (; done < kInputs && Clock::now() - start < kTimeInAll; ++done) {
    const auto first = static_cast<std::size_t>(done) % seeds.size();
    const FileBytes input = mutator.mutate(seeds[first], seeds[static_cast<std::size_t>(done / 3) % seeds.size()]);
    if (run(input)) continue;
    std::ofstream("fuzz-slow-input", std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    std::fprintf(stderr, "input %d took too long; see fuzz-slow-input\n", done);
    return 1;
  }
  std::printf("%zu seeds, %d inputs\n", seeds.size(), done);
  return 0;
}
