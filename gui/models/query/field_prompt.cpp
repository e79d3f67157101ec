// SPDX-License-Identifier: MIT
#include "models/query/field_prompt.h"

#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QStringListModel>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/literals.h"
#include "query/completion.h"
#include "query/objects/object_schema.h"

namespace heapscape::gui {
namespace {

constexpr auto kMembersChannel = "members";
constexpr int kPromptLetters = 40;

}  // namespace

FieldPrompt::FieldPrompt(EngineBridge& bridge, QString typeText, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_bridge(bridge),
      m_typeText(std::move(typeText)),
      m_path(new QLineEdit(this)),
      m_offered(new QStringListModel(this)) {
  setObjectName(u"fieldPrompt"_s);
  setAttribute(Qt::WA_DeleteOnClose);
  setFrameShape(QFrame::StyledPanel);
  auto* title = new QLabel(u"A field of the objects, or a path of fields"_s, this);
  m_path->setObjectName(u"fieldPath"_s);
  m_path->setPlaceholderText(u"Customer.Name"_s);
  m_path->setAccessibleName(title->text());
  m_path->setMinimumWidth(fontMetrics().averageCharWidth() * kPromptLetters);
  auto* completer = new QCompleter(m_offered, this);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  m_path->setCompleter(completer);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 12);
  column->addWidget(title);
  column->addWidget(m_path);
  setFocusProxy(m_path);
  connect(m_path, &QLineEdit::textEdited, this, &FieldPrompt::offer);
  connect(m_path, &QLineEdit::returnPressed, this, &FieldPrompt::choose);
  offer();
}

void FieldPrompt::popUp(const QPoint& globalPosition) {
  adjustSize();
  QPoint position = globalPosition;
  if (const QScreen* screen = parentWidget()->screen()) {
    const QRect room = screen->availableGeometry();
    position.setX(std::clamp(position.x(), room.left(), std::max(room.left(), room.right() - width())));
    position.setY(std::clamp(position.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  }
  move(position);
  show();
  m_path->setFocus();
}

void FieldPrompt::offer() {
  const QString path = m_path->text().left(m_path->text().lastIndexOf(QLatin1Char('.')) + 1);
  if (m_isOffered && path == m_offeredFor) return;
  m_isOffered = true;
  m_offeredFor = path;
  m_bridge.ask(
      this, kMembersChannel,
      [path, typeText = m_typeText](const engine::Snapshot& snapshot, std::stop_token) {
        const engine::SnapshotCompletion names(snapshot, engine::objectSchema());
        QStringList members;
        for (const engine::Completion& member : names.membersOf(typeText.toStdString(), path.toStdString()))
          members << path + QString::fromStdString(member.text);
        members.sort(Qt::CaseInsensitive);
        return members;
      },
      [this](const QStringList& members) {
        m_offered->setStringList(members);
        if (!members.isEmpty() && !m_path->text().isEmpty()) m_path->completer()->complete();
      });
}

void FieldPrompt::choose() {
  const QString path = m_path->text().trimmed();
  if (path.isEmpty()) return;
  Q_EMIT chosen(path);
  close();
}

}  // namespace heapscape::gui
