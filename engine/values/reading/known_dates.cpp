// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>

#include "values/reading/known_value.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kTicksPerSecond = 10'000'000;
constexpr std::uint64_t kTicksPerMinute = 60 * kTicksPerSecond;
constexpr std::uint64_t kTicksPerDay = 24 * 60 * kTicksPerMinute;
constexpr std::uint32_t kDays = 3'652'059;  // from 0001-01-01 to behind 9999-12-31
// DateTime.cs: the upper two bits are the kind, the lower 62 the ticks.
constexpr std::uint64_t kTicksMask = (1ull << 62) - 1;
constexpr std::uint64_t kKindUtc = 1;

std::string dayText(std::uint64_t day) {
  using std::chrono::days, std::chrono::sys_days, std::chrono::year;
  const sys_days first = year{1} / 1 / 1;
  const std::chrono::year_month_day date(first + days(static_cast<int>(day)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// "12:30:00", with all seven digits of a fraction if there is one.
std::string timeText(std::uint64_t ticks) {
  const std::uint64_t seconds = ticks / kTicksPerSecond;
  std::string text = fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (const std::uint64_t fraction = ticks % kTicksPerSecond) text += fmt::format(".{:07}", fraction);
  return text;
}

std::optional<std::string> momentText(std::uint64_t ticks) {
  if (ticks / kTicksPerDay >= kDays) return std::nullopt;
  return dayText(ticks / kTicksPerDay) + " " + timeText(ticks % kTicksPerDay);
}

}  // namespace

std::optional<std::string> dateTimeText(const KnownValue& value) {
  const auto data = value.number<std::uint64_t>("_dateData");
  if (!data) return std::nullopt;
  auto text = momentText(*data & kTicksMask);
  const std::uint64_t kind = *data >> 62;
  if (text && kind) *text += kind == kKindUtc ? " UTC" : " local";
  return text;
}

std::optional<std::string> dateTimeOffsetText(const KnownValue& value) {
  const FieldShape* moment = value.shape.field("_dateTime");
  std::uint64_t data = 0;
  if (!moment || moment->slot.sizeBytes != sizeof data ||
      !value.reader.tryRead(value.field.address + moment->offset, data)) {
    return std::nullopt;
  }
  std::int64_t minutes = 0;
  if (const auto narrow = value.number<std::int16_t>("_offsetMinutes")) {
    minutes = *narrow;
  } else if (const auto wide = value.number<std::int32_t>("_offsetMinutes")) {
    minutes = *wide;
  } else {
    return std::nullopt;
  }
  // The moment is kept in UTC, and shown where it was taken.
  const auto ticks =
      static_cast<std::int64_t>(data & kTicksMask) + minutes * static_cast<std::int64_t>(kTicksPerMinute);
  auto text = ticks < 0 ? std::nullopt : momentText(static_cast<std::uint64_t>(ticks));
  const std::int64_t away = minutes < 0 ? -minutes : minutes;
  if (text) *text += fmt::format(" {}{:02}:{:02}", minutes < 0 ? '-' : '+', away / 60, away % 60);
  return text;
}

std::optional<std::string> timeSpanText(const KnownValue& value) {
  const auto ticks = value.number<std::int64_t>("_ticks");
  if (!ticks) return std::nullopt;
  const std::uint64_t amount = *ticks < 0 ? 0 - static_cast<std::uint64_t>(*ticks) : static_cast<std::uint64_t>(*ticks);
  const std::uint64_t days = amount / kTicksPerDay;
  return (*ticks < 0 ? "-" : "") + (days ? fmt::format("{}.", days) : "") + timeText(amount % kTicksPerDay);
}

std::optional<std::string> dateOnlyText(const KnownValue& value) {
  const auto day = value.number<std::uint32_t>("_dayNumber");
  return day && *day < kDays ? std::optional(dayText(*day)) : std::nullopt;
}

std::optional<std::string> timeOnlyText(const KnownValue& value) {
  const auto ticks = value.number<std::uint64_t>("_ticks");
  return ticks && *ticks < kTicksPerDay ? std::optional(timeText(*ticks)) : std::nullopt;
}

}  // namespace heapscape::engine
