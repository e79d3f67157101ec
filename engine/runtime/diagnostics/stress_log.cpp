// SPDX-License-Identifier: MIT
#include "runtime/diagnostics/stress_log.h"

#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostThreadLogs = 100'000;
constexpr std::size_t kMostChunks = 1'000'000;
constexpr std::size_t kMostMessages = 20'000'000;
constexpr std::size_t kMostModules = 5;
constexpr std::uint64_t kMessageBytes = 16;  // without arguments
constexpr std::uint32_t kChunkMark = 0xcfcfcfcf;

/// The two words in front of a message's arguments, of the form that .NET 8 introduced.
struct MessageHead {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  std::uint32_t facility() const { return static_cast<std::uint32_t>(first); }
  std::uint32_t argumentCount() const { return first >> 32 & 0x3f; }
  std::uint64_t formatOffset() const { return first >> 38 | (second & 0x1fff) << 26; }
  std::uint64_t timeStamp() const { return second >> 13; }
};

class StressLogReader {
 public:
  StressLogReader(const ClrRuntime& runtime, std::stop_token stop) : m_runtime(runtime), m_stop(std::move(stop)) {}

  Outcome<StressLog> read(Address address) {
    const auto logs = m_runtime.pointerAt(address, "StressLog", "Logs");
    if (!logs || !*logs)
      return tl::unexpected(
          Unfinished(Error{ErrorCode::NotFound, "No thread logs in the image: the stress log was not switched on.",
                           "DOTNET_StressLog=1 switches it on when a program starts."}));
    m_log.address = address;
    readHead();
    std::unordered_set<Address> seen;
    Address thread = *logs;
    for (; thread && seen.size() < kMostThreadLogs && seen.insert(thread).second; ++m_log.threads) {
      readThread(thread);
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      thread = m_runtime.pointerAt(thread, "ThreadStressLog", "Next").value_or(Address{});
    }
    std::ranges::stable_sort(m_log.messages, std::ranges::greater(), &StressMessage::timeStamp);
    return std::move(m_log);
  }

 private:
  template <class T>
  T valueOf(const char* member) const {
    return m_runtime.valueAt<T>(m_log.address, "StressLog", member).value_or(T{});
  }

  void readHead() {
    m_log.facilities = valueOf<std::uint32_t>("LoggedFacilities");
    m_log.level = valueOf<std::uint32_t>("Level");
    m_log.mostBytesOfThread = valueOf<std::uint32_t>("MaxSizePerThread");
    m_log.mostBytes = valueOf<std::uint32_t>("MaxSizeTotal");
    m_log.chunks = valueOf<std::uint32_t>("TotalChunks");
    m_log.ticksPerSecond = valueOf<std::uint64_t>("TickFrequency");
    m_log.startTimeStamp = valueOf<std::uint64_t>("StartTimestamp");
    m_log.startTime = valueOf<std::uint64_t>("StartTime");
    const Address modules = m_runtime.member(m_log.address, "StressLog", "Modules");
    for (std::size_t i = 0; i < kMostModules; ++i) {
      std::array<std::uint64_t, 2> module{};
      if (!m_runtime.memory().tryRead(modules + i * sizeof module, module) || module[0] == 0) break;
      m_modules.push_back({Address{module[0]}, Address{module[0]} + module[1]});
    }
  }

  /// Offsets count through all modules, one behind the other.
  Address formatAt(std::uint64_t offset) const {
    for (const AddressRange& module : m_modules) {
      if (offset < module.sizeBytes()) return module.start + offset;
      offset -= module.sizeBytes();
    }
    return {};
  }

  void damaged(Address at) {
    m_log.findings.add(FindingKind::RuntimeDataDamaged, at, "The stress log of a thread is damaged.");
  }

  bool isChunk(Address chunk) const {
    const auto mark = m_runtime.valueAt<std::uint32_t>(chunk, "StressLogChunk", "Sig1");
    return mark && *mark == kChunkMark;
  }

  AddressRange bufferOf(Address chunk) const {
    return {m_runtime.member(chunk, "StressLogChunk", "Buf"), m_runtime.member(chunk, "StressLogChunk", "Sig1")};
  }

  /// Messages lie in a circle of chunks, each in front of the older one; where one did not fit any more, the rest of
  /// the chunk's beginning is zero.
  void readThread(Address thread) {
    const auto id = m_runtime.valueAt<std::uint64_t>(thread, "ThreadStressLog", "ThreadId");
    const auto hasWrapped = m_runtime.valueAt<std::uint8_t>(thread, "ThreadStressLog", "WriteHasWrapped");
    const auto newest = m_runtime.pointerAt(thread, "ThreadStressLog", "CurrentPtr");
    const auto tail = m_runtime.pointerAt(thread, "ThreadStressLog", "ChunkListTail");
    const auto writing = m_runtime.pointerAt(thread, "ThreadStressLog", "CurrentWriteChunk");
    if (!id || !hasWrapped || !newest || !tail || !writing) return damaged(thread);
    const std::size_t first = m_log.messages.size();
    Address chunk = *writing;
    Address at = *newest;
    for (std::size_t i = 0; i < kMostChunks; ++i) {
      if (!isChunk(chunk)) return damaged(chunk);
      const bool isSecondTime = i > 0 && chunk == *writing;
      AddressRange buffer = bufferOf(chunk);
      if (i > 0) at = firstMessageIn(buffer);
      if (isSecondTime) buffer.end = std::min(buffer.end, *newest);
      readMessages({at, buffer.end}, *id);
      if (isSecondTime || (chunk == *tail && *hasWrapped == 0)) break;
      const auto next = m_runtime.pointerAt(chunk, "StressLogChunk", "Next");
      if (!next) return damaged(chunk);
      chunk = *next;
    }
    if (m_log.messages.size() > first) m_log.messages.back().isLast = true;
  }

  Address firstMessageIn(AddressRange buffer) const {
    std::uint64_t word = 0;
    Address at = buffer.start;
    while (at < buffer.end && m_runtime.memory().tryRead(at, word) && word == 0) at += kPointerBytes;
    return at;
  }

  void readMessages(AddressRange range, std::uint64_t thread) {
    Address at = range.start;
    while (at + kMessageBytes <= range.end && m_log.messages.size() < kMostMessages) {
      MessageHead head;
      if (!m_runtime.memory().tryRead(at, head)) return damaged(at);
      const Address end = at + kMessageBytes + std::uint64_t{head.argumentCount()} * kPointerBytes;
      const Address format = formatAt(head.formatOffset());
      if (end > range.end) return;
      StressMessage message{thread, head.timeStamp(), head.facility(), format,
                            std::vector<std::uint64_t>(head.argumentCount())};
      if (!message.arguments.empty() &&
          !m_runtime.memory().tryRead(at + kMessageBytes, std::as_writable_bytes(std::span(message.arguments))))
        return damaged(at);
      if (format) m_log.messages.push_back(std::move(message));
      at = end;
    }
  }

  const ClrRuntime& m_runtime;
  std::stop_token m_stop;
  std::vector<AddressRange> m_modules;
  StressLog m_log;
};

// ---- texts

constexpr std::size_t kLongestFormat = 256;
constexpr std::size_t kLongestText = 256;

/// One conversion of a format, as "%-08I64x".
struct Conversion {
  std::string options;  // flags, width and precision, none of more than three digits
  bool isWide = false;  // takes 64 bits rather than 32
  char kind = 0;
  char special = 0;  // of %p: what the number is named by
};

/// Whether options are well formed and make no text longer than a line of a log may be.
bool areOptions(std::string_view text) {
  const auto skip = [&text](std::string_view set, std::size_t most) {
    const std::size_t length = std::min({text.find_first_not_of(set), text.size(), most});
    text.remove_prefix(length);
  };
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::size_t kMostDigits = 3;
  skip("-+ #0", text.size());
  skip(kDigits, kMostDigits);
  skip(".", 1);
  skip(kDigits, kMostDigits);
  return text.empty();
}

/// Takes a conversion off the text, which begins behind its %.
Conversion takeConversion(std::string_view& text) {
  Conversion conversion;
  const std::size_t options = std::min(text.find_first_not_of("-+ #0123456789."), text.size());
  if (areOptions(text.substr(0, options))) conversion.options = text.substr(0, options);
  text.remove_prefix(options);
  for (const std::string_view size : {"I64", "ll", "l", "z", "j", "t", "hh", "h"}) {
    if (!text.starts_with(size)) continue;
    conversion.isWide = size.front() != 'h';
    text.remove_prefix(size.size());
    break;
  }
  if (text.empty()) return conversion;
  conversion.kind = text.front();
  text.remove_prefix(1);
  const std::string_view specials = "MTVK";
  if (conversion.kind == 'p' && !text.empty() && specials.find(text.front()) != std::string_view::npos) {
    conversion.special = text.front();
    text.remove_prefix(1);
  }
  return conversion;
}

std::string wideTextAt(const ClrRuntime& runtime, Address at) {
  std::string text;
  char16_t unit = 0;
  while (text.size() < kLongestText && runtime.memory().tryRead(at, unit) && unit != 0) {
    text += unit < 0x80 ? static_cast<char>(unit) : '?';
    at += sizeof unit;
  }
  return text;
}

std::string convert(const ClrRuntime& runtime, const Conversion& conversion, std::uint64_t argument) {
  const std::string with = "%" + conversion.options;
  switch (conversion.kind) {
    case 'd':
    case 'i':
      if (conversion.isWide) return fmt::sprintf(with + "d", static_cast<std::int64_t>(argument));
      return fmt::sprintf(with + "d", static_cast<std::int32_t>(argument));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (conversion.isWide) return fmt::sprintf(with + conversion.kind, argument);
      return fmt::sprintf(with + conversion.kind, static_cast<std::uint32_t>(argument));
    case 'c':
      return std::string(1, static_cast<char>(argument));
    case 'f':
    case 'g':
    case 'e':
      return fmt::sprintf(with + conversion.kind, std::bit_cast<double>(argument));
    case 'p':
      return argument == 0 ? "(nil)" : fmt::format("{:#x}", argument);
    case 'S':
      return wideTextAt(runtime, {argument});
    case 's':
      if (conversion.isWide) return wideTextAt(runtime, {argument});
      return runtime.memory()
          .readText({argument}, kLongestText)
          .value_or(std::string("(#Could not read address of string#)"));
    default:
      return {};
  }
}

}  // namespace

Result<Address> stressLogOf(const ClrRuntime& runtime) {
  return runtime.globalPointer("StressLog");
}

Outcome<StressLog> readStressLog(const ClrRuntime& runtime, Address log, std::stop_token stop) {
  return StressLogReader(runtime, std::move(stop)).read(log);
}

std::string textOf(const ClrRuntime& runtime, const StressMessage& message,
                   const std::function<std::string(char kind, Address address)>& nameOf) {
  const auto format = runtime.memory().readText(message.format, kLongestFormat);
  if (!format) return "Could not read address of format string";
  std::string_view rest = *format;
  std::string text;
  std::size_t next = 0;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '%') {
      // The log is shown backwards, so that what opens closes.
      text += c == '{' ? '}' : c == '}' ? '{' : c;
      continue;
    }
    if (rest.starts_with('%')) {
      text += '%';
      rest.remove_prefix(1);
      continue;
    }
    const Conversion conversion = takeConversion(rest);
    const std::uint64_t argument = next < message.arguments.size() ? message.arguments[next] : 0;
    ++next;
    text += convert(runtime, conversion, argument);
    if (conversion.special) text += nameOf(conversion.special, {argument});
  }
  return text;
}

}  // namespace heapscape::engine
