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
  QStringList parts{missing.name.empty() ? u"a module without a name"_s : fromEngine(missing.name)};
  if (!missing.version.empty()) parts << fromEngine(missing.version);
  if (!missing.otherBuilds.empty()) parts << u"another build was found"_s;
  if (missing.otherBuilds.empty() && !missing.canBeProven) parts << u"the dump has no identity of it"_s;
  return parts.join(u" · "_s);
}

QString lineOf(const engine::MissingSource& missing) {
  QStringList parts{fromEngine(missing.pdb), countedText(missing.frames, u"frame"_s)};
  if (!missing.otherBuilds.empty()) parts << u"another build was found"_s;
  return parts.join(u" · "_s);
}

QString tipOf(const engine::MissingSource& missing) {
  QStringList lines{u"of %1"_s.arg(fromEngine(missing.assembly))};
  for (const auto& path : missing.otherBuilds) lines << u"Another build: %1"_s.arg(pathText(path));
  return lines.join(QLatin1Char('\n'));
}

QString tipOf(const engine::MissingMetadata& missing) {
  QStringList lines{fromEngine(missing.path.empty() ? missing.name : missing.path)};
  if (missing.fileBytes > 0) lines << exactBytesText(missing.fileBytes);
  for (const auto& path : missing.otherBuilds) lines << u"Another build: %1"_s.arg(pathText(path));
  for (const auto& path : missing.unproven) lines << u"Not proven: %1"_s.arg(pathText(path));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

MissingFiles::MissingFiles(QWidget* parent) : QWidget(parent) {
  setAcceptDrops(true);
  setObjectName(u"missingFiles"_s);
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

void MissingFiles::setDebugFile(std::optional<engine::MissingDebugFile> missing) {
  m_debugFile = std::move(missing);
  build();
}

bool MissingFiles::isAnythingMissing() const {
  const bool hasOwnSources = std::ranges::count(m_symbols.sources, false, &engine::MissingSource::isFramework) > 0;
  return !m_missing.empty() || m_debugFile || m_symbols.runtimeLibrary || hasOwnSources;
}

void MissingFiles::setSearchPlaces(const QStringList& places) {
  if (places == m_places) return;
  m_places = places;
  build();
}

void MissingFiles::clear() {
  m_places.clear();
  m_symbols = {};
  m_debugFile.reset();
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
  addDebugFile();
  addLibrary();
  addSources();
  if (isAnythingMissing() || !m_places.isEmpty()) addSearch();
  setVisible(isAnythingMissing() || m_fromFiles > 0);
}

void MissingFiles::addNames() {
  const Colours colours(palette());
  if (!m_missing.empty()) {
    addHead(u"warning"_s, colours.warning(),
            u"Names of %1 are missing"_s.arg(countedText(m_missing.size(), u"module"_s)),
            u"Their types and methods are shown by number: neither the dump nor a file that is proven to be the same "
            "has their metadata."_s);
    QStringList lines;
    QStringList tips;
    for (const engine::MissingMetadata& missing : m_missing) {
      lines << lineOf(missing);
      tips << tipOf(missing);
    }
    addLines(lines, tips);
  } else if (m_fromFiles > 0) {
    addHead(u"check"_s, colours.of(engine::Generation::Gen1),
            u"Names of %1 come from files"_s.arg(countedText(m_fromFiles, u"module"_s)),
            u"The dump does not hold them. Each file is proven to be the one that the process had loaded."_s);
  }
}

void MissingFiles::addDebugFile() {
  if (!m_debugFile) return;
  addHead(
      u"warning"_s, Colours(palette()).warning(), u"The program's debugging information is missing"_s,
      u"A Native AOT program does not tell of the fields of its types itself. With the file that was made beside it "
      "there are fields and their values, names of static fields, layouts and lines of the source."_s);
  QStringList line{fromEngine(m_debugFile->name)};
  if (!m_debugFile->buildId.empty()) line << u"build id %1"_s.arg(fromEngine(m_debugFile->buildId));
  if (!m_debugFile->otherBuilds.empty()) line << u"another build was found"_s;
  QStringList tip{u"of %1"_s.arg(fromEngine(m_debugFile->program))};
  if (!m_debugFile->problem.empty()) tip << fromEngine(m_debugFile->problem);
  for (const auto& path : m_debugFile->otherBuilds) tip << u"Another build: %1"_s.arg(pathText(path));
  addLines({line.join(u" · "_s)}, {tip.join(QLatin1Char('\n'))});
}

void MissingFiles::addLibrary() {
  if (!m_symbols.runtimeLibrary) return;
  const engine::MissingLibrary& library = *m_symbols.runtimeLibrary;
  addHead(u"warning"_s, Colours(palette()).warning(),
          u"%1 could not be read to the end"_s.arg(countedText(library.cutStacks, u"stack"_s)),
          u"What the runtime itself was doing takes its library to follow, which is neither in the dump nor on this "
          "disk."_s);
  QStringList line{QFileInfo(fromEngine(library.path)).fileName()};
  if (!library.buildId.empty()) line << u"build id %1"_s.arg(fromEngine(library.buildId));
  if (!library.otherBuilds.empty()) line << u"another build was found"_s;
  QStringList tip{fromEngine(library.path)};
  for (const auto& path : library.otherBuilds) tip << u"Another build: %1"_s.arg(pathText(path));
  addLines({line.join(u" · "_s)}, {tip.join(QLatin1Char('\n'))});
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
  addHead(u"info"_s, palette().color(QPalette::PlaceholderText),
          u"Lines of %1 are not known"_s.arg(countedText(frames, u"frame"_s)),
          u"They are in PDBs that the program's assemblies name. None with the same id was found."_s);
  addLines(lines, tips, ofFramework > 0 ? u"and %1 of .NET"_s.arg(countText(ofFramework)) : QString());
}

int MissingFiles::iconSize() const {
  return qRound(fontMetrics().height() * 1.1);
}

void MissingFiles::addHead(const QString& symbol, const QColor& colour, const QString& title, const QString& note) {
  auto* icon = new QLabel(m_body);
  icon->setPixmap(symbolPixmap(symbol, colour, iconSize(), devicePixelRatioF()));
  auto* head = new QLabel(title, m_body);
  head->setObjectName(u"missingFilesTitle"_s);
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
    auto* rest = makeNote(u"and %1 more"_s.arg(countText(static_cast<std::uint64_t>(lines.size() - shown))), m_body);
    rest->setToolTip(lines.mid(shown, kMostInTip).join(QLatin1Char('\n')));
    column->addWidget(rest);
  }
  if (!last.isEmpty()) column->addWidget(makeNote(last, m_body));
  static_cast<QVBoxLayout*>(m_body->layout())->addLayout(column);
}

void MissingFiles::addSearch() {
  auto* column = static_cast<QVBoxLayout*>(m_body->layout());
  if (!m_places.isEmpty()) {
    auto* looked = new ElidedText(u"Looked in %1"_s.arg(m_places.join(u", "_s)), m_body);
    looked->setDetail(m_places.join(QLatin1Char('\n')));
    looked->setDimmed(true);
    column->addWidget(looked);
  }
  if (isAnythingMissing()) column->addWidget(makeNote(u"Drop the folder that has these very files here."_s, m_body));
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  if (isAnythingMissing()) {
    auto* pick = new QPushButton(symbolIcon(u"open"_s), u"Look in a folder…"_s, m_body);
    pick->setObjectName(u"missingFilesFolder"_s);
    connect(pick, &QPushButton::clicked, this, &MissingFiles::pickFolder);
    line->addWidget(pick);
  }
  if (!m_places.isEmpty()) {
    auto* forget = new QPushButton(u"No longer look there"_s, m_body);
    forget->setObjectName(u"missingFilesForget"_s);
    connect(forget, &QPushButton::clicked, this, &MissingFiles::forgetWanted);
    line->addWidget(forget);
  }
  line->addStretch(1);
  column->addLayout(line);
}

void MissingFiles::pickFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, u"Look for the program's files in a folder"_s);
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
