// SPDX-License-Identifier: MIT
#include "views/compare/film/film_strip.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <algorithm>

#include "views/compare/film/film_dump_box.h"

namespace heapscape::gui {

FilmStrip::FilmStrip(QWidget* parent) : QScrollArea(parent), m_line(nullptr) {
  setObjectName(QStringLiteral("filmStrip"));
  setAccessibleName(QStringLiteral("The dumps in their order"));
  auto* row = new QWidget(this);
  m_line = new QHBoxLayout(row);
  m_line->setContentsMargins(16, 0, 16, 0);
  m_line->setSpacing(8);
  m_line->addStretch(1);
  setWidget(row);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void FilmStrip::show(const FilmReel& reel, const QString& openPath) {
  const auto count = static_cast<int>(reel.dumps().size());
  while (m_boxes.size() > reel.dumps().size()) {
    m_boxes.back()->deleteLater();
    m_boxes.pop_back();
  }
  while (m_boxes.size() < reel.dumps().size()) {
    auto* box = new FilmDumpBox(widget());
    const auto index = static_cast<int>(m_boxes.size());
    m_line->insertWidget(index, box);
    m_boxes.push_back(box);
    box->setPlace(index, count);
    connect(box, &FilmDumpBox::moved, this, [this, index](int to) { Q_EMIT moveWanted(index, to); });
    connect(box, &FilmDumpBox::removed, this, [this, index] { Q_EMIT removeWanted(index); });
    connect(box, &FilmDumpBox::opened, this, [this, box] { Q_EMIT openWanted(box->path()); });
    box->setVisible(true);
  }
  std::uint64_t largest = 0;
  for (const FilmReel::Dump& dump : reel.dumps())
    if (dump.filmed && dump.filmed->frame) largest = std::max(largest, heapBytesOf(*dump.filmed->frame));
  for (int i = 0; i < count; ++i) {
    const FilmReel::Dump& dump = reel.dumps()[static_cast<std::size_t>(i)];
    FilmDumpBox* box = m_boxes[static_cast<std::size_t>(i)];
    box->setPlace(i, count);
    box->show(dump, dump.path == openPath, i == reel.reading(), largest);
  }
  setFixedHeight(widget()->sizeHint().height() + horizontalScrollBar()->sizeHint().height());
}

void FilmStrip::showProgress(const FilmReel& reel) {
  if (reel.reading() < 0 || reel.reading() >= static_cast<int>(m_boxes.size())) return;
  m_boxes[static_cast<std::size_t>(reel.reading())]->showProgress(reel.progress());
}

}  // namespace heapscape::gui
