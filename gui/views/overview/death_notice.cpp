// SPDX-License-Identifier: MIT
#include "views/overview/death_notice.h"

#include <QLabel>
#include <QVBoxLayout>

#include "models/names/frame_place.h"
#include "session/stacks/folded_frames.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/marks.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr auto kDeathChannel = "overview.death";
constexpr int kMargin = 12;
constexpr double kHeadingFactor = 1.15;
constexpr double kSignHeight = 1.2;  // in lines of text
constexpr std::size_t kMostFrames = 6;
constexpr std::size_t kMostCauses = 4;

QString frameLine(const engine::FrameRow& frame, const engine::WrittenFrame& written) {
  const QString source = frameSourceName(frame);
  QString name = fromEngine(engine::nameOf(frame));
  if (!source.isEmpty()) name += u"  "_s + source;
  return written.times > 1 ? u"%1  × %2"_s.arg(name, countText(written.times)) : name;
}

}  // namespace

DeathNotice::DeathNotice(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {
  setObjectName(u"death"_s);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin * 2 + qRound(fontMetrics().height() * kSignHeight), kMargin, kMargin, kMargin);
  hide();
}

void DeathNotice::clear() {
  m_bridge.stopAsking(this, kDeathChannel);
  m_isAsked = false;
  hide();
}

void DeathNotice::showSnapshot(const engine::Snapshot&) {
  if (m_isAsked) return;
  m_isAsked = true;
  m_bridge.ask(
      this, kDeathChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::readCrash(snapshot, std::move(stop));
      },
      [this](const engine::Outcome<engine::Crash>& crash) {
        if (crash && crash->cause.state == engine::ProcessState::Died) show(*crash);
      });
}

void DeathNotice::show(const engine::Crash& crash) {
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  m_lines = new QVBoxLayout(m_body);
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(4);
  const QString sentence = fromEngine(engine::crashSentence(crash));
  auto* heading = makeHeading(sentence, m_body, kHeadingFactor);
  heading->setObjectName(u"deathSentence"_s);
  heading->setWordWrap(true);
  m_lines->addWidget(heading);
  setAccessibleName(sentence);
  if (crash.message) addText(fromEngine(*crash.message));
  if (crash.exception) addException(*crash.exception);
  addFrames(crash);
  for (const std::string& note : engine::crashNotes(crash)) m_lines->addWidget(makeNote(fromEngine(note), m_body));
  if (crash.cause.thread) {
    auto* link = makeLinkRow(u"Show the thread"_s, m_body);
    link->setObjectName(u"deathThread"_s);
    connect(link, &QAbstractButton::clicked, this, [this, thread = crash.cause.thread] {
      m_navigator.showListed(PlaceId::Threads, thread, m_navigator.location().selection);
    });
    m_lines->addWidget(link);
  }
  layout()->addWidget(m_body);
  QWidget::show();
}

void DeathNotice::addText(const QString& text) {
  auto* label = new ElidedText(text, m_body);
  label->setWraps();
  m_lines->addWidget(label);
}

// The sentence has named its type.
void DeathNotice::addException(const engine::ExceptionDetails& exception) {
  if (!exception.message.empty()) addText(fromEngine(exception.message));
  const engine::ExceptionDetails* cause = &exception;
  for (std::size_t i = 0; i < kMostCauses && !cause->causes.empty(); ++i) {
    cause = &cause->causes.front();
    const QString message = cause->message.empty() ? QString() : u": "_s + fromEngine(cause->message);
    auto* label = new ElidedText(u"because of %1%2"_s.arg(fromEngine(cause->type), message), m_body);
    label->setWraps();
    m_lines->addWidget(label);
  }
}

void DeathNotice::addFrames(const engine::Crash& crash) {
  if (!crash.stack) return;
  const std::vector<engine::WrittenFrame> written = engine::writtenFrames(crash.runs);
  std::size_t shown = 0;
  for (const engine::WrittenFrame& each : written) {
    const engine::FrameRow& frame = crash.stack->frames[each.frame];
    if (frame.kind == engine::FrameKind::Runtime) continue;
    if (shown++ == kMostFrames) break;
    auto* line = new ElidedText(frameLine(frame, each), m_body);
    line->setFont(fixedFont(font()));
    line->setDimmed(frame.isFramework || frame.kind == engine::FrameKind::Native);
    m_lines->addWidget(line);
  }
}

void DeathNotice::paintEvent(QPaintEvent*) {
  const int side = qRound(fontMetrics().height() * kSignHeight);
  paintWarningGround(*this, {kMargin, kMargin}, side);
}

}  // namespace heapscape::gui
