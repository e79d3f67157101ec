// SPDX-License-Identifier: MIT
#include "output/heap/bad_objects_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kWordsInLine = 4;

std::string lengthText(const BadObject::Neighbour& before) {
  return before.length ? fmt::format(" of length {}", *before.length) : std::string();
}

void writeWords(Output& output, const BadObject& bad) {
  for (std::size_t i = 0; i < bad.words.size(); i += kWordsInLine) {
    std::string line = fmt::format("    {}:", toString(bad.wordsFrom + i * kPointerBytes));
    for (std::size_t j = i; j < std::min(i + kWordsInLine, bad.words.size()); ++j)
      line += fmt::format(" {:016x}", bad.words[j]);
    output.write(line + '\n');
  }
}

}  // namespace

void writeBadObjects(JsonWriter& json, const std::vector<BadObject>& objects, bool redact) {
  json.key("badObjects");
  json.beginArray();
  for (const BadObject& bad : objects) {
    json.beginObject();
    json.member("address", bad.address);
    json.member("cause", toString(bad.cause));
    json.member("what", bad.what);
    json.member("advice", bad.advice);
    if (bad.next) json.member("next", bad.next);
    if (bad.before) {
      json.key("before");
      json.beginObject();
      json.member("address", bad.before->address);
      json.member("type", bad.before->type);
      json.member("size", bad.before->sizeBytes);
      if (bad.before->length) json.member("length", *bad.before->length);
      json.member("gap", bad.before->gapBytes);
      json.endObject();
    }
    if (!redact) {
      json.member("wordsFrom", bad.wordsFrom);
      json.key("words");
      json.beginArray();
      for (const std::uint64_t word : bad.words) json.value(fmt::format("{:#x}", word));
      json.endArray();
      if (!bad.text.empty()) json.member("text", bad.text);
    }
    json.endObject();
  }
  json.endArray();
}

void writeBadObjectsText(Output& output, const std::vector<BadObject>& objects, bool redact) {
  for (const BadObject& bad : objects) {
    output.write(fmt::format("\nAround {}: {} {}\n", toString(bad.address), bad.what, bad.advice));
    if (bad.before) {
      output.write(fmt::format("  in front of it: {}{} at {}, {} bytes\n", printable(bad.before->type),
                               lengthText(*bad.before), toString(bad.before->address), bad.before->sizeBytes));
    }
    if (!redact) {
      writeWords(output, bad);
      if (!bad.text.empty()) output.write(fmt::format("  as text: {}\n", printable(bad.text)));
    }
    if (bad.next) output.write(fmt::format("  objects go on at {}\n", toString(bad.next)));
  }
}

}  // namespace heapscape::engine
