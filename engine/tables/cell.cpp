// SPDX-License-Identifier: MIT
#include "tables/cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heapscape::engine {

namespace {

template <class... Visitors>
struct Visit : Visitors... {
  using Visitors::operator()...;
};
// Clang 16 cannot deduce them by itself.
template <class... Visitors>
Visit(Visitors...) -> Visit<Visitors...>;

}  // namespace

bool Cell::isEmpty() const {
  return std::visit(
      Visit{[](Nothing) { return true; }, [](Unknown) { return true; }, [](Address a) { return !a; },
            [](AddressRange range) { return range.isEmpty(); }, [](const std::string& text) { return text.empty(); },
            [](const Words& words) { return words.empty(); }, [](const Numbers& numbers) { return numbers.empty(); },
            [](auto figure) { return figure == decltype(figure){}; }},
      m_content);
}

std::uint64_t Cell::number() const {
  return std::visit(
      Visit{[](bool flag) { return std::uint64_t{flag}; }, [](std::uint64_t number) { return number; },
            [](std::int64_t number) { return static_cast<std::uint64_t>(number); },
            [](double number) { return static_cast<std::uint64_t>(number); },
            [](Address address) { return address.value; }, [](AddressRange range) { return range.start.value; },
            [](const auto&) { return std::uint64_t{0}; }},
      m_content);
}

std::string toString(const Cell& cell) {
  return std::visit(Visit{[](Cell::Nothing) { return std::string(); }, [](Cell::Unknown) { return std::string(); },
                          [](bool flag) { return std::string(flag ? "true" : "false"); },
                          [](double number) { return fmt::format("{:.6f}", number); },
                          [](Address address) { return toString(address); },
                          [](AddressRange range) { return toString(range.start) + "-" + toString(range.end); },
                          [](const std::string& text) { return text; },
                          [](const Cell::Words& words) { return fmt::format("{}", fmt::join(words, " ")); },
                          [](const Cell::Numbers& numbers) { return fmt::format("{}", fmt::join(numbers, " ")); },
                          [](auto number) { return fmt::format("{}", number); }},
                    cell.content());
}

}  // namespace heapscape::engine
