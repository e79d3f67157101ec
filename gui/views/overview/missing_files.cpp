// SPDX-License-Identifier: MIT
#include "views/overview/missing_files.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr qsizetype kMostMissingLines = 8;
constexpr qsizetype kMostInTip = 40;
constexpr int kInset = 12;
constexpr int kIconGap = 8;
constexpr qreal kRadius = 6;

/// The first folder among what is dragged; empty if there is none.
QString draggedFolder(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isDir()) return url.toLocalFile();
  }
  return {};
}

QString pathText(const std::filesystem::path& path) {
  return QDir::toNativeSeparators(QFile::decodeName(path.c_str()));
}

QString lineOf(const engine::MissingMetadata& missing) {
  QStringList parts{missing.name.empty() ? QStringLiteral("a module without a name") : fromEngine(missing.name)};
  if (!missing.version.empty()) parts << fromEngine(missing.version);
  if (!missing.otherBuilds.empty()) parts << QStringLiteral("another build was found");
  if (missing.otherBuilds.empty() && !missing.canBeProven) parts << QStringLiteral("the dump has no identity of it");
  return parts.join(QStringLiteral(" · "));
}

QString lineOf(const engine::MissingSource& missing) {
  QStringList parts{fromEngine(missing.pdb), countedText(missing.frames, QStringLiteral("frame"))};
  if (!missing.otherBuilds.empty()) parts << QStringLiteral("another build was found");
  return parts.join(QStringLiteral(" · "));
}

QString tipOf(const engine::MissingSource& missing) {
  QStringList lines{QStringLiteral("of %1").arg(fromEngine(missing.assembly))};
  for (const auto& path : missing.otherBuilds) lines << QStringLiteral("Another build: %1").arg(pathText(path));
  return lines.join(QLatin1Char('\n'));
}

QString tipOf(const engine::MissingMetadata& missing) {
  QStringList lines{fromEngine(missing.path.empty() ? missing.name : missing.path)};
  if (missing.fileBytes > 0) lines << exactBytesText(missing.fileBytes);
  for (const auto& path : missing.otherBuilds) lines << QStringLiteral("Another build: %1").arg(pathText(path));
  for (const auto& path : missing.unproven) lines << QStringLiteral("Not proven: %1").arg(pathText(path));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

MissingFiles::MissingFiles(QWidget* parent) : QWidget(parent) {
  setAcceptDrops(true);
  setObjectName(QStringLiteral("missingFiles"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kInset, kInset, kInset, kInset);
  hide();
}

void MissingFiles::setModules(std::vector<engine::MissingMetadata> missing, std::size_t fromFiles) {
  m_missing = std::move(missing);
  m_fromFiles = fromFiles;
  build();
}

void MissingFiles::setSymbols(engine::MissingSymbols missing) {
  m_symbols = std::move(missing);
  build();
}

bool MissingFiles::isAnythingMissing() const {
  const bool hasOwnSources = std::ranges::count(m_symbols.sources, false, &engine::MissingSource::isFramework) > 0;
  return !m_missing.empty() || m_symbols.runtimeLibrary || hasOwnSources;
}

void MissingFiles::setSearchPlaces(const QStringList& places) {
  if (places == m_places) return;
  m_places = places;
  build();
}

void MissingFiles::clear() {
  m_places.clear();
  m_symbols = {};
  setModules({}, 0);
}

void MissingFiles::build() {
  // Not at once: a change of theme walks through all widgets while this is called.
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  layout()->addWidget(m_body);
  addNames();
  addLibrary();
  addSources();
  if (isAnythingMissing() || !m_places.isEmpty()) addSearch();
  setVisible(isAnythingMissing() || m_fromFiles > 0);
}

void MissingFiles::addNames() {
  const Colours colours(palette());
  if (!m_missing.empty()) {
    addHead(
        QStringLiteral("warning"), colours.warning(),
        QStringLiteral("Names of %1 are missing").arg(countedText(m_missing.size(), QStringLiteral("module"))),
        QStringLiteral(
            "Their types and methods are shown by number: neither the dump nor a file that is proven to be the same "
            "has their metadata."));
    QStringList lines;
    QStringList tips;
    for (const engine::MissingMetadata& missing : m_missing) {
      lines << lineOf(missing);
      tips << tipOf(missing);
    }
    addLines(lines, tips);
  } else if (m_fromFiles > 0) {
    addHead(
        QStringLiteral("check"), colours.of(engine::Generation::Gen1),
        QStringLiteral("Names of %1 come from files").arg(countedText(m_fromFiles, QStringLiteral("module"))),
        QStringLiteral("The dump does not hold them. Each file is proven to be the one that the process had loaded."));
  }
}

void MissingFiles::addLibrary() {
  if (!m_symbols.runtimeLibrary) return;
  const engine::MissingLibrary& library = *m_symbols.runtimeLibrary;
  addHead(
      QStringLiteral("warning"), Colours(palette()).warning(),
      QStringLiteral("%1 could not be read to the end").arg(countedText(library.cutStacks, QStringLiteral("stack"))),
      QStringLiteral(
          "What the runtime itself was doing takes its library to follow, which is neither in the dump nor on this "
          "disk."));
  QStringList line{QFileInfo(fromEngine(library.path)).fileName()};
  if (!library.buildId.empty()) line << QStringLiteral("build id %1").arg(fromEngine(library.buildId));
  if (!library.otherBuilds.empty()) line << QStringLiteral("another build was found");
  QStringList tip{fromEngine(library.path)};
  for (const auto& path : library.otherBuilds) tip << QStringLiteral("Another build: %1").arg(pathText(path));
  addLines({line.join(QStringLiteral(" · "))}, {tip.join(QLatin1Char('\n'))});
}

// Nobody has those of .NET at hand, so that they are worth no more than a line.
void MissingFiles::addSources() {
  QStringList lines;
  QStringList tips;
  std::size_t frames = 0;
  std::size_t ofFramework = 0;
  for (const engine::MissingSource& missing : m_symbols.sources) {
    if (missing.isFramework) {
      ++ofFramework;
      continue;
    }
    frames += missing.frames;
    lines << lineOf(missing);
    tips << tipOf(missing);
  }
  if (lines.isEmpty()) return;
  addHead(QStringLiteral("info"), palette().color(QPalette::PlaceholderText),
          QStringLiteral("Lines of %1 are not known").arg(countedText(frames, QStringLiteral("frame"))),
          QStringLiteral("They are in PDBs that the program's assemblies name. None with the same id was found."));
  addLines(lines, tips, ofFramework > 0 ? QStringLiteral("and %1 of .NET").arg(countText(ofFramework)) : QString());
}

int MissingFiles::iconSize() const {
  return qRound(fontMetrics().height() * 1.1);
}

void MissingFiles::addHead(const QString& symbol, const QColor& colour, const QString& title, const QString& note) {
  auto* icon = new QLabel(m_body);
  icon->setPixmap(symbolPixmap(symbol, colour, iconSize(), devicePixelRatioF()));
  auto* head = new QLabel(title, m_body);
  head->setObjectName(QStringLiteral("missingFilesTitle"));
  head->setTextFormat(Qt::PlainText);
  head->setWordWrap(true);
  head->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(head);
  words->addWidget(makeNote(note, m_body));
  auto* line = new QHBoxLayout;
  line->setSpacing(kIconGap);
  line->addWidget(icon, 0, Qt::AlignTop);
  line->addLayout(words, 1);
  static_cast<QVBoxLayout*>(m_body->layout())->addLayout(line);
}

void MissingFiles::addLines(const QStringList& lines, const QStringList& tips, const QString& last) {
  auto* column = new QVBoxLayout;
  column->setSpacing(2);
  column->setContentsMargins(iconSize() + kIconGap, 0, 0, 0);  // below the words of the head
  const qsizetype shown = std::min(lines.size(), kMostMissingLines);
  for (qsizetype i = 0; i < shown; ++i) {
    auto* line = new ElidedText(lines[i], m_body);
    line->setDetail(tips[i]);
    column->addWidget(line);
  }
  if (lines.size() > shown) {
    auto* rest = makeNote(
        QStringLiteral("and %1 more").arg(countText(static_cast<std::uint64_t>(lines.size() - shown))), m_body);
    rest->setToolTip(lines.mid(shown, kMostInTip).join(QLatin1Char('\n')));
    column->addWidget(rest);
  }
  if (!last.isEmpty()) column->addWidget(makeNote(last, m_body));
  static_cast<QVBoxLayout*>(m_body->layout())->addLayout(column);
}

void MissingFiles::addSearch() {
  auto* column = static_cast<QVBoxLayout*>(m_body->layout());
  if (!m_places.isEmpty()) {
    auto* looked = new ElidedText(QStringLiteral("Looked in %1").arg(m_places.join(QStringLiteral(", "))), m_body);
    looked->setDetail(m_places.join(QLatin1Char('\n')));
    looked->setDimmed(true);
    column->addWidget(looked);
  }
  if (isAnythingMissing())
    column->addWidget(makeNote(QStringLiteral("Drop the folder that has these very files here."), m_body));
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  if (isAnythingMissing()) {
    auto* pick = new QPushButton(symbolIcon(QStringLiteral("open")), QStringLiteral("Look in a folder…"), m_body);
    pick->setObjectName(QStringLiteral("missingFilesFolder"));
    connect(pick, &QPushButton::clicked, this, &MissingFiles::pickFolder);
    line->addWidget(pick);
  }
  if (!m_places.isEmpty()) {
    auto* forget = new QPushButton(QStringLiteral("No longer look there"), m_body);
    forget->setObjectName(QStringLiteral("missingFilesForget"));
    connect(forget, &QPushButton::clicked, this, &MissingFiles::forgetWanted);
    line->addWidget(forget);
  }
  line->addStretch(1);
  column->addLayout(line);
}

void MissingFiles::pickFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, QStringLiteral("Look for the program's files in a folder"));
  if (!folder.isEmpty()) Q_EMIT folderPicked(folder);
}

void MissingFiles::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_body && event->type() == QEvent::PaletteChange) build();
}

void MissingFiles::setHovered(bool isHovered) {
  m_isHovered = isHovered;
  update();
}

void MissingFiles::dragEnterEvent(QDragEnterEvent* event) {
  if (!isAnythingMissing() || draggedFolder(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  setHovered(true);
}

void MissingFiles::dragLeaveEvent(QDragLeaveEvent*) {
  setHovered(false);
}

void MissingFiles::dropEvent(QDropEvent* event) {
  setHovered(false);
  const QString folder = draggedFolder(event->mimeData());
  if (folder.isEmpty()) return;
  event->acceptProposedAction();
  Q_EMIT folderPicked(folder);
}

// A dashed line says that something can be dropped here; a whole one, that it will be taken.
void MissingFiles::paintEvent(QPaintEvent*) {
  if (!isAnythingMissing()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = m_isHovered ? palette().color(QPalette::Highlight) : palette().color(QPalette::Mid);
  painter.setPen(QPen(colour, m_isHovered ? 2 : 1, m_isHovered ? Qt::SolidLine : Qt::DashLine));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
}

}  // namespace heapscape::gui
