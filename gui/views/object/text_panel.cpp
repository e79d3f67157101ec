// SPDX-License-Identifier: MIT
#include "views/object/text_panel.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "base/unseen_characters.h"
#include "widgets/filter_line.h"
#include "widgets/find_actions.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr std::size_t kMoreBy = 10;

}  // namespace

QString stringFacts(const engine::StringDetails& string) {
  QStringList facts{string.length == 1 ? QStringLiteral("1 character")
                                       : countedText(string.length, QStringLiteral("character"))};
  facts << QStringLiteral("length at %1, characters from %2").arg(string.lengthOffset).arg(string.charactersOffset)
        << QStringLiteral("terminator %1").arg(exactBytesText(string.terminatorBytes))
        << (string.alignmentBytes == 0 ? QStringLiteral("no alignment")
                                       : QStringLiteral("alignment %1").arg(exactBytesText(string.alignmentBytes)));
  return facts.join(QStringLiteral(" · "));
}

TextPanel::TextPanel(QWidget* parent)
    : QWidget(parent),
      m_facts(new ElidedText(this)),
      m_damage(new ElidedText(this)),
      m_search(new QLineEdit(this)),
      m_text(new QPlainTextEdit(this)),
      m_more(new QPushButton(this)) {
  m_facts->setObjectName(QStringLiteral("stringFacts"));
  m_facts->setWraps();
  m_damage->setWraps();
  m_damage->setWarning(true);
  m_search->setObjectName(QStringLiteral("stringSearch"));
  m_search->setPlaceholderText(QStringLiteral("Find in the text"));
  m_search->setAccessibleName(QStringLiteral("Find in the text"));
  setUpFilter(m_search);
  m_search->setFixedWidth(fontMetrics().averageCharWidth() * 32);
  m_text->setObjectName(QStringLiteral("stringText"));
  m_text->setAccessibleName(QStringLiteral("Characters"));
  m_text->setReadOnly(true);
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setFont(fixedFont(font()));
  m_text->document()->setDocumentMargin(12);
  m_more->setToolTip(QStringLiteral("Reads more of the string"));

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_facts, 1);
  line->addWidget(m_damage, 1);
  line->addWidget(m_more);
  line->addWidget(m_search);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_text, 1);
  setFocusProxy(m_text);

  connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
  addFindActions(this, [this](int step) { find(step > 0); });
  connect(m_more, &QPushButton::clicked, this, [this] { Q_EMIT moreWanted(m_shown * kMoreBy); });
}

void TextPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_search->clear();
  if (!page || !page->object.string) return m_text->clear();
  const engine::StringDetails& string = *page->object.string;
  m_shown = string.shown;
  m_facts->setText(stringFacts(string));
  m_damage->setText(fromEngine(string.damage));
  m_damage->setVisible(!string.damage.empty());
  m_more->setVisible(string.shown < string.length);
  m_more->setText(QStringLiteral("First %1 shown: show more").arg(countText(string.shown)));
  // Unlike a name a text keeps its lines and tabs.
  m_text->setPlainText(QString::fromStdString(engine::withEscapes(string.text, "\n\t")));
}

void TextPanel::find(bool forward) {
  const QString wanted = m_search->text();
  if (wanted.isEmpty()) return;
  const QTextDocument::FindFlags flags = forward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
  if (m_text->find(wanted, flags)) return;
  m_text->moveCursor(forward ? QTextCursor::Start : QTextCursor::End);
  m_text->find(wanted, flags);
}

}  // namespace heapscape::gui
