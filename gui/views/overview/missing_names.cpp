// SPDX-License-Identifier: MIT
#include "views/overview/missing_names.h"

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

#include "widgets/colours.h"
#include "widgets/counted_text.h"
#include "widgets/elided_text.h"
#include "widgets/figures.h"
#include "widgets/fonts.h"
#include "widgets/section.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostNames = 8;
constexpr int kInset = 12;
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
  QStringList parts{missing.name.empty() ? QObject::tr("a module without a name") : fromEngine(missing.name)};
  if (!missing.version.empty()) parts << fromEngine(missing.version);
  if (!missing.otherBuilds.empty()) parts << QObject::tr("another build was found");
  if (missing.otherBuilds.empty() && !missing.canBeProven) parts << QObject::tr("the dump has no identity of it");
  return parts.join(QStringLiteral(" · "));
}

QString tipOf(const engine::MissingMetadata& missing) {
  QStringList lines{fromEngine(missing.path.empty() ? missing.name : missing.path)};
  if (missing.fileBytes > 0) lines << exactBytesText(missing.fileBytes);
  for (const auto& path : missing.otherBuilds) lines << QObject::tr("Another build: %1").arg(pathText(path));
  for (const auto& path : missing.unproven) lines << QObject::tr("Not proven: %1").arg(pathText(path));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

MissingNames::MissingNames(QWidget* parent) : QWidget(parent) {
  setAcceptDrops(true);
  setObjectName(QStringLiteral("missingNames"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kInset, kInset, kInset, kInset);
  hide();
}

void MissingNames::setModules(std::vector<engine::MissingMetadata> missing, std::size_t fromFiles) {
  m_missing = std::move(missing);
  m_fromFiles = fromFiles;
  build();
}

void MissingNames::setSearchPlaces(const QStringList& places) {
  if (places == m_places) return;
  m_places = places;
  build();
}

void MissingNames::clear() {
  m_places.clear();
  setModules({}, 0);
}

void MissingNames::build() {
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
  const Colours colours(palette());
  if (!m_missing.empty()) {
    addHead(QStringLiteral("warning"), colours.warning(),
            tr("Names of %1 are missing").arg(countedText(m_missing.size(), tr("module"))),
            tr("Their types and methods are shown by number: neither the dump nor a file that is proven to be the same "
               "has their metadata."));
    addModules();
  } else if (m_fromFiles > 0) {
    addHead(QStringLiteral("check"), colours.of(engine::Generation::Gen1),
            tr("Names of %1 come from files").arg(countedText(m_fromFiles, tr("module"))),
            tr("The dump does not hold them. Each file is proven to be the one that the process had loaded."));
  }
  if (!m_missing.empty() || !m_places.isEmpty()) addSearch();
  setVisible(!m_missing.empty() || m_fromFiles > 0);
}

void MissingNames::addHead(const QString& symbol, const QColor& colour, const QString& title, const QString& note) {
  auto* icon = new QLabel(m_body);
  icon->setPixmap(symbolPixmap(symbol, colour, qRound(fontMetrics().height() * 1.1), devicePixelRatioF()));
  auto* head = new QLabel(title, m_body);
  head->setObjectName(QStringLiteral("missingNamesTitle"));
  head->setTextFormat(Qt::PlainText);
  head->setWordWrap(true);
  head->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(head);
  words->addWidget(makeNote(note, m_body));
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(icon, 0, Qt::AlignTop);
  line->addLayout(words, 1);
  static_cast<QVBoxLayout*>(m_body->layout())->addLayout(line);
}

void MissingNames::addModules() {
  auto* names = new QVBoxLayout;
  names->setSpacing(2);
  const std::size_t shown = std::min(m_missing.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) {
    auto* name = new ElidedText(lineOf(m_missing[i]), m_body);
    name->setDetail(tipOf(m_missing[i]));
    names->addWidget(name);
  }
  if (m_missing.size() > shown) {
    QStringList others;
    for (std::size_t i = shown; i < std::min(m_missing.size(), shown + 40); ++i) others << lineOf(m_missing[i]);
    auto* rest = makeNote(tr("and %1 more").arg(countText(m_missing.size() - shown)), m_body);
    rest->setToolTip(others.join(QLatin1Char('\n')));
    names->addWidget(rest);
  }
  static_cast<QVBoxLayout*>(m_body->layout())->addLayout(names);
}

void MissingNames::addSearch() {
  auto* column = static_cast<QVBoxLayout*>(m_body->layout());
  if (!m_places.isEmpty()) {
    auto* looked = new ElidedText(tr("Looked in %1").arg(m_places.join(QStringLiteral(", "))), m_body);
    looked->setDetail(m_places.join(QLatin1Char('\n')));
    looked->setDimmed(true);
    column->addWidget(looked);
  }
  if (!m_missing.empty()) column->addWidget(makeNote(tr("Drop the folder that has these very files here."), m_body));
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  if (!m_missing.empty()) {
    auto* pick = new QPushButton(symbolIcon(QStringLiteral("open")), tr("Look in a folder…"), m_body);
    pick->setObjectName(QStringLiteral("missingNamesFolder"));
    connect(pick, &QPushButton::clicked, this, &MissingNames::pickFolder);
    line->addWidget(pick);
  }
  if (!m_places.isEmpty()) {
    auto* forget = new QPushButton(tr("No longer look there"), m_body);
    forget->setObjectName(QStringLiteral("missingNamesForget"));
    connect(forget, &QPushButton::clicked, this, &MissingNames::forgetWanted);
    line->addWidget(forget);
  }
  line->addStretch(1);
  column->addLayout(line);
}

void MissingNames::pickFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Look for the program's files in a folder"));
  if (!folder.isEmpty()) Q_EMIT folderPicked(folder);
}

void MissingNames::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_body && event->type() == QEvent::PaletteChange) build();
}

void MissingNames::setHovered(bool isHovered) {
  m_isHovered = isHovered;
  update();
}

void MissingNames::dragEnterEvent(QDragEnterEvent* event) {
  if (m_missing.empty() || draggedFolder(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  setHovered(true);
}

void MissingNames::dragLeaveEvent(QDragLeaveEvent*) {
  setHovered(false);
}

void MissingNames::dropEvent(QDropEvent* event) {
  setHovered(false);
  const QString folder = draggedFolder(event->mimeData());
  if (folder.isEmpty()) return;
  event->acceptProposedAction();
  Q_EMIT folderPicked(folder);
}

// A dashed line says that something can be dropped here; a whole one, that it will be taken.
void MissingNames::paintEvent(QPaintEvent*) {
  if (m_missing.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = m_isHovered ? palette().color(QPalette::Highlight) : palette().color(QPalette::Mid);
  painter.setPen(QPen(colour, m_isHovered ? 2 : 1, m_isHovered ? Qt::SolidLine : Qt::DashLine));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
}

}  // namespace heapscape::gui
