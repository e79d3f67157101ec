// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/text.h"
#include "session/cache/answer_cache.h"

namespace heapscape::cli {

namespace {

class CacheVerb : public Verb {
 public:
  const char* name() const override { return "cache"; }
  const char* summary() const override { return "Size and folder of the cache of computed answers"; }
  bool takesInput() const override { return false; }

  void addOptions(CLI::App& app) override { app.add_flag("--clear", m_isToClear, "Remove all of it"); }

  engine::Outcome<void> run(Context& context) override {
    const engine::AnswerCache* const cache = context.cache();
    if (cache && m_isToClear) cache->clear();
    const engine::CacheUse use = cache ? cache->use() : engine::CacheUse();
    return context.write(engine::InputFacts(),
                         {.json = [&](engine::JsonWriter& json) { writeJson(json, cache, use); },
                          .text = [&](engine::Output& output) { output.write(sentence(cache, use)); }});
  }

 private:
  static void writeJson(engine::JsonWriter& json, const engine::AnswerCache* cache, const engine::CacheUse& use) {
    json.key("cache");
    json.beginObject();
    json.key("folder");
    cache ? json.value(cache->folder().string()) : json.null();
    json.member("files", use.files);
    json.member("bytes", use.bytes);
    json.member("maximumBytes", cache ? cache->limits().maximumBytes : 0);
    json.endObject();
  }

  static std::string sentence(const engine::AnswerCache* cache, const engine::CacheUse& use) {
    if (!cache) return "Nothing is cached.\n";
    return fmt::format("{}: {} files, {} of at most {}.\n", engine::printable(cache->folder().string()), use.files,
                       engine::readableBytes(use.bytes), engine::readableBytes(cache->limits().maximumBytes));
  }

  bool m_isToClear = false;
};

}  // namespace

std::unique_ptr<Verb> makeCacheVerb() {
  return std::make_unique<CacheVerb>();
}

}  // namespace heapscape::cli
