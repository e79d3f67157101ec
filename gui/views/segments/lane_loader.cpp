// SPDX-License-Identifier: MIT
#include "views/segments/lane_loader.h"

#include <algorithm>

namespace heapscape::gui {

LaneLoader::LaneLoader(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

void LaneLoader::want(std::vector<LaneQuestion> questions) {
  m_onScreen.clear();
  for (const LaneQuestion& question : questions) m_onScreen.insert({question.segment, question.part});
  std::erase_if(questions, [this](const LaneQuestion& question) { return isAnswered(question); });
  std::reverse(questions.begin(), questions.end());
  m_wanted = std::move(questions);
  if (!m_asked) askNext();
}

const LaneContent* LaneLoader::find(engine::SegmentId segment, LanePart part) const {
  const auto found = m_contents.find({segment, part});
  return found == m_contents.end() ? nullptr : &found->second;
}

void LaneLoader::clear() {
  m_wanted.clear();
  m_onScreen.clear();
  m_asked.reset();
  m_contents.clear();
}

bool LaneLoader::isAnswered(const LaneQuestion& question) const {
  const LaneContent* content = find(question.segment, question.part);
  return (content && content->question == question) || (m_asked && *m_asked == question);
}

void LaneLoader::askNext() {
  if (m_wanted.empty()) return;
  const LaneQuestion question = m_wanted.back();
  m_wanted.pop_back();
  m_asked = question;
  m_bridge.ask(
      this, "lane",
      [question](const engine::Snapshot& snapshot, std::stop_token stop) { return readLane(snapshot, question, stop); },
      [this, question](engine::Outcome<LaneContent> content) {
        m_asked.reset();
        // A lane that cannot be read stays empty instead of being asked for again and again.
        keep(content ? std::move(*content) : LaneContent{.question = question, .cells = {}, .objects = {}});
        Q_EMIT arrived();
        if (!m_asked) askNext();
      });
}

void LaneLoader::keep(LaneContent content) {
  const Key key{content.question.segment, content.question.part};
  if (m_contents.size() >= kMostKept) {
    std::erase_if(m_contents, [this](const auto& entry) { return !m_onScreen.contains(entry.first); });
  }
  m_contents.insert_or_assign(key, std::move(content));
}

}  // namespace heapscape::gui
