// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QStyledItemDelegate>

namespace heapscape::gui {

/// As much of a passage as fits a width in pixels, around the first place where the word stands.
QString excerptAround(const QString& passage, const QString& word, const QFontMetrics& metrics, int width);

/// Lines of the list of chapters. While something is searched, a passage is shown from a little before what was found,
/// which is marked as it is in the text.
class PassageDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit PassageDelegate(QObject* parent = nullptr) : QStyledItemDelegate(parent) {}

  /// None: lines are chapters.
  void setWords(const QStringList& words) { m_words = words; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  QStringList m_words;
};

}  // namespace heapscape::gui
