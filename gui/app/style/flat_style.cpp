// SPDX-License-Identifier: MIT
#include "app/style/flat_style.h"

#include <QAbstractItemView>
#include <QDialog>
#include <QEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOption>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "app/style/flat_painter.h"
#include "bridge/literals.h"

namespace heapscape::gui {

namespace {

// Parts of a menu's item: check mark, icon, text, shortcut, arrow of a submenu.
constexpr int kLeft = 12;
constexpr int kRight = 28;
constexpr int kAboveAndBelow = 6;
constexpr int kGap = 8;
constexpr int kCheckSide = 16;
constexpr int kIconSide = 16;

// All items of a menu keep the room that one of them needs, so that their texts stand below each other.
int checkRoom(const QStyleOptionMenuItem& item) {
  return item.menuHasCheckableItems ? kCheckSide + kGap : 0;
}

int iconRoom(const QStyleOptionMenuItem& item) {
  return item.maxIconWidth > 0 ? kIconSide + kGap : 0;
}

QRect besideText(const QStyleOptionMenuItem& item, int left, int side) {
  return {item.rect.left() + left, item.rect.top() + (item.rect.height() - side) / 2, side, side};
}

void drawWords(const QStyleOptionMenuItem& item, const QStyle& style, const Tones& tones, QPainter& painter) {
  const bool isEnabled = item.state.testFlag(QStyle::State_Enabled);
  const QRect words = item.rect.adjusted(kLeft + checkRoom(item) + iconRoom(item), 0, -kRight, 0);
  const qsizetype tab = item.text.indexOf(QLatin1Char('\t'));
  const int mnemonic = style.styleHint(QStyle::SH_UnderlineShortcut) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
  constexpr int kForm = Qt::AlignVCenter | Qt::TextDontClip | Qt::TextSingleLine;
  painter.setFont(item.font);
  painter.setPen(QColor::fromRgb(isEnabled ? tones.text : tones.disabled));
  painter.drawText(words, kForm | mnemonic, item.text.left(tab));
  if (tab < 0) return;
  painter.setPen(QColor::fromRgb(isEnabled ? tones.dimmed : tones.disabled));
  painter.drawText(words, kForm | Qt::AlignRight, item.text.mid(tab + 1));
}

QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& contents) {
  if (item.menuItemType == QStyleOptionMenuItem::Separator) return {10, 9};
  const int shortcutGap = item.text.contains(QLatin1Char('\t')) ? 2 * kGap : 0;
  return {contents.width() + kLeft + kRight + checkRoom(item) + iconRoom(item) + shortcutGap,
          contents.height() + 2 * kAboveAndBelow};
}

void drawMenuItem(const QStyleOptionMenuItem& item, const QStyle& style, const Tones& tones, QPainter& painter) {
  const FlatPainter parts(tones, painter);
  if (item.menuItemType == QStyleOptionMenuItem::Separator) {
    parts.menuSeparator(item.rect);
    return;
  }
  const bool isEnabled = item.state.testFlag(QStyle::State_Enabled);
  painter.save();
  if (isEnabled) parts.menuGround(item);
  if (item.checkType != QStyleOptionMenuItem::NotCheckable) {
    QStyleOption box;
    box.rect = besideText(item, kLeft, kCheckSide);
    box.state = isEnabled ? QStyle::State_Enabled : QStyle::State_None;
    if (item.checked) box.state |= QStyle::State_On;
    parts.checkBox(box, item.checkType == QStyleOptionMenuItem::Exclusive);
  }
  item.icon.paint(&painter, besideText(item, kLeft + checkRoom(item), kIconSide), Qt::AlignCenter,
                  isEnabled ? QIcon::Normal : QIcon::Disabled);
  drawWords(item, style, tones, painter);
  if (item.menuItemType == QStyleOptionMenuItem::SubMenu) {
    QStyleOption arrow(item);
    arrow.rect = besideText(item, item.rect.width() - kRight + kGap, kIconSide / 2);
    style.drawPrimitive(QStyle::PE_IndicatorArrowRight, &arrow, &painter);
  }
  painter.restore();
}

constexpr QSize kButtonPadding(15, 6);
constexpr QSize kToolPadding(7, 5);
constexpr QSize kFieldPadding(9, 5);
constexpr QSize kMenuBarPadding(10, 5);
constexpr QSize kHeaderPadding(8, 6);
constexpr int kChoiceArrowWidth = 22;
constexpr int kToolArrowWidth = 12;
constexpr int kScrollHandleLength = 32;
constexpr int kTabSpace = 24;
constexpr int kTightTabSpace = 14;
constexpr int kFrameTime = 40;  // milliseconds

QSize padded(const QSize& contents, const QSize& padding) {
  return contents + 2 * padding;
}

QRect within(const QRect& rect, const QSize& padding) {
  return rect.adjusted(padding.width(), padding.height(), -padding.width(), -padding.height());
}

QSize atLeastAsHigh(const QSize& contents, double lines, const QStyleOption& option) {
  return {contents.width(), std::max(contents.height(), qRound(lines * option.fontMetrics.height()))};
}

template <class Option>
const Option& as(const QStyleOption* option) {
  return *qstyleoption_cast<const Option*>(option);
}

// Lists and pages stand on paper of their own colour; only a list that pops up needs an edge.
int frameWidth(const QWidget* widget) {
  if (qobject_cast<const QAbstractItemView*>(widget))
    return widget->isWindow() || widget->property("isPopup").toBool() ? 4 : 0;
  if (qobject_cast<const QScrollArea*>(widget) || qobject_cast<const QTabWidget*>(widget)) return 0;
  return qobject_cast<const QPlainTextEdit*>(widget) ? 5 : 1;
}

// What a tab's words take up, or will: its data is the longest that they become, as with a count that comes late.
int tabRoom(const QTabBar& tabs, int tab) {
  const QFontMetrics metrics = tabs.fontMetrics();
  return std::max(metrics.horizontalAdvance(tabs.tabText(tab)),
                  metrics.horizontalAdvance(tabs.tabData(tab).toString()));
}

bool areTabsRoomy(const QTabBar& tabs) {
  int roomy = 0;
  for (int tab = 0; tab < tabs.count(); ++tab) roomy += tabs.isTabVisible(tab) ? tabRoom(tabs, tab) + kTabSpace : 0;
  return roomy <= tabs.width();
}

// Beside the words of a tab, on both sides together: where not all tabs fit they move closer before one is cut.
int tabSpace(const QWidget* widget) {
  const auto* tabs = qobject_cast<const QTabBar*>(widget);
  return !tabs || areTabsRoomy(*tabs) ? kTabSpace : kTightTabSpace;
}

// Behind the words of a tab, for what they do not need yet: no other tab moves when it comes.
int tabReserve(const QStyleOptionTab& tab, const QWidget* widget) {
  const auto* tabs = qobject_cast<const QTabBar*>(widget);
  if (!tabs || tab.tabIndex < 0 || tab.tabIndex >= tabs->count() || !areTabsRoomy(*tabs)) return 0;
  return tabRoom(*tabs, tab.tabIndex) - tab.fontMetrics.horizontalAdvance(tabs->tabText(tab.tabIndex));
}

/// A word that is switched on and off by itself, unlike the choices of a group and the actions of the window's bars.
bool isToggle(const QWidget* widget) {
  const auto* button = qobject_cast<const QToolButton*>(widget);
  return button && button->isCheckable() && !button->group() && !button->autoExclusive() && !button->defaultAction() &&
         !button->text().isEmpty() && !button->property("isChoice").toBool();
}

bool opensMenu(const QStyleOptionToolButton& option) {
  return option.features.testFlag(QStyleOptionToolButton::HasMenu);
}

QRect scrollHandle(const QStyleOptionSlider& bar) {
  const bool isLying = bar.orientation == Qt::Horizontal;
  const int room = isLying ? bar.rect.width() : bar.rect.height();
  const qint64 range = static_cast<qint64>(bar.maximum) - bar.minimum;
  const qint64 share = range > 0 ? static_cast<qint64>(bar.pageStep) * room / (range + bar.pageStep) : room;
  const int length = static_cast<int>(std::clamp<qint64>(share, std::min(room, kScrollHandleLength), room));
  const int start =
      QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, room - length, bar.upsideDown);
  return isLying ? QRect(bar.rect.left() + start, bar.rect.top(), length, bar.rect.height())
                 : QRect(bar.rect.left(), bar.rect.top() + start, bar.rect.width(), length);
}

QRect scrollPart(const QStyleOptionSlider& bar, QStyle::SubControl part) {
  const QRect handle = scrollHandle(bar);
  const bool isLying = bar.orientation == Qt::Horizontal;
  QRect rest = bar.rect;
  switch (part) {
    case QStyle::SC_ScrollBarSlider:
      return handle;
    case QStyle::SC_ScrollBarGroove:
      return bar.rect;
    case QStyle::SC_ScrollBarSubPage:
      if (isLying) {
        rest.setRight(handle.left() - 1);
      } else {
        rest.setBottom(handle.top() - 1);
      }
      return rest;
    case QStyle::SC_ScrollBarAddPage:
      if (isLying) {
        rest.setLeft(handle.right() + 1);
      } else {
        rest.setTop(handle.bottom() + 1);
      }
      return rest;
    default:
      return {};
  }
}

// The list that opens below a field of choices.
bool isOfChoices(const QWidget* list) {
  return list && list->parentWidget() && list->parentWidget()->inherits("QComboBoxPrivateContainer");
}

QRect choiceArrow(const QRect& field) {
  return {field.right() + 1 - kChoiceArrowWidth, field.top(), kChoiceArrowWidth, field.height()};
}

}  // namespace

FlatStyle::FlatStyle(const Tones& tones) : QProxyStyle(u"Fusion"_s), m_tones(&tones) {}

QPalette FlatStyle::standardPalette() const {
  return paletteOf(*m_tones);
}

void FlatStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
    tabs->setDrawBase(false);
    tabs->setAttribute(Qt::WA_Hover);
  }
  // Its menu of scrolling commands would not survive a list that is replaced while it is open.
  if (qobject_cast<QScrollBar*>(widget)) widget->setContextMenuPolicy(Qt::PreventContextMenu);
  if (qobject_cast<QDialog*>(widget)) widget->installEventFilter(this);
}

// Where every line is to be seen, a dialog has an edge that the desktop may not give it: black lies on black there.
bool FlatStyle::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && m_tones->ring > 1) {
    if (auto* dialog = qobject_cast<QDialog*>(watched)) {
      QPainter painter(dialog);
      FlatPainter(*m_tones, painter).dialogEdge(dialog->rect());
    }
  }
  return QProxyStyle::eventFilter(watched, event);
}

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DefaultFrameWidth:
      return frameWidth(widget);
    case PM_SplitterWidth:
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuHMargin:
    case PM_MenuVMargin:
      return 4;
    case PM_ToolTipLabelFrameWidth:
      return 5;
    case PM_CheckBoxLabelSpacing:
      return 8;
    case PM_ScrollBarExtent:
      return 12;
    case PM_ScrollBarSliderMin:
      return kScrollHandleLength;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
      return 16;
    case PM_TabBarTabHSpace:
      return tabSpace(widget);
    case PM_TabBarTabVSpace:
      return 14;
    case PM_HeaderMargin:
      return kHeaderPadding.width();
    case PM_MenuBarPanelWidth:
    case PM_MenuBarItemSpacing:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_ScrollView_ScrollBarSpacing:
      return 0;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int FlatStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* answer) const {
  if (hint == SH_Widget_Animation_Duration && m_isStill) return 0;
  if (hint == SH_ComboBox_Popup) return 0;   // choices open below the field as a list, not over it as a menu
  if (hint == SH_Menu_Scrollable) return 1;  // rather than a second column of a menu that is higher than the screen
  return QProxyStyle::styleHint(hint, option, widget, answer);
}

QSize FlatStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                  const QWidget* widget) const {
  switch (type) {
    case CT_PushButton:
      return padded(atLeastAsHigh(contents, 1.2, *option), kButtonPadding) +
             QSize(as<QStyleOptionButton>(option).features.testFlag(QStyleOptionButton::HasMenu) ? kToolArrowWidth : 0,
                   0);
    case CT_ToolButton:
      return padded(contents, kToolPadding) +
             QSize(opensMenu(as<QStyleOptionToolButton>(option)) ? kToolArrowWidth : 0, 0);
    case CT_LineEdit:
      return padded(atLeastAsHigh(contents, 1.3, *option), kFieldPadding);
    case CT_ComboBox:
      return padded(atLeastAsHigh(contents, 1.3, *option), kFieldPadding) + QSize(kChoiceArrowWidth, 0);
    case CT_MenuBarItem:
      return padded(contents, kMenuBarPadding);
    case CT_MenuItem:
      return menuItemSize(as<QStyleOptionMenuItem>(option), contents);
    case CT_TabBarTab:
      return contents + QSize(tabReserve(as<QStyleOptionTab>(option), widget), 0);
    case CT_HeaderSection: {
      const auto& section = as<QStyleOptionHeader>(option);
      const int arrow = section.sortIndicator == QStyleOptionHeader::None ? 0 : section.fontMetrics.height();
      return padded(section.fontMetrics.size(0, section.text), kHeaderPadding) + QSize(arrow, 1);
    }
    case CT_ItemViewItem:
      return QProxyStyle::sizeFromContents(type, option, contents, widget) +
             QSize(0, isOfChoices(widget) ? 2 * kFieldPadding.height() : 0);
    case CT_ProgressBar:
      return {contents.width(), kProgressHeight};
    default:
      return QProxyStyle::sizeFromContents(type, option, contents, widget);
  }
}

QRect FlatStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  switch (element) {
    case SE_LineEditContents: {
      // A line without a frame begins where the other texts of its page do.
      const bool isFramed = as<QStyleOptionFrame>(option).lineWidth > 0;
      return within(option->rect, isFramed ? kFieldPadding : QSize(0, kFieldPadding.height()));
    }
    case SE_ProgressBarGroove:
    case SE_ProgressBarContents:
      return option->rect;
    default:
      return QProxyStyle::subElementRect(element, option, widget);
  }
}

QRect FlatStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                const QWidget* widget) const {
  if (control == CC_ScrollBar) return scrollPart(as<QStyleOptionSlider>(option), part);
  if (control == CC_ComboBox && part == SC_ComboBoxArrow) return choiceArrow(option->rect);
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
    return within(option->rect, kFieldPadding).adjusted(0, 0, kFieldPadding.width() - kChoiceArrowWidth, 0);
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  const FlatPainter parts(*m_tones, *painter);
  switch (element) {
    case PE_PanelButtonCommand:
      parts.button(as<QStyleOptionButton>(option));
      return;
    case PE_PanelButtonTool:
      parts.toolButton(*option);
      return;
    case PE_PanelLineEdit:
      if (as<QStyleOptionFrame>(option).lineWidth > 0) {
        parts.field(*option);
        return;
      }
      parts.fill(option->rect, m_tones->base);
      return;
    case PE_Frame:
      if (qobject_cast<const QPlainTextEdit*>(widget)) {
        parts.field(*option);
        return;
      }
      if (pixelMetric(PM_DefaultFrameWidth, option, widget) > 0) parts.popup(option->rect);
      return;
    case PE_PanelMenu:
      parts.fill(option->rect, m_tones->base);
      return;
    case PE_FrameMenu:
      parts.popup(option->rect);
      return;
    case PE_PanelTipLabel:
      parts.tip(option->rect);
      return;
    case PE_IndicatorCheckBox:
      parts.checkBox(*option);
      return;
    case PE_PanelScrollAreaCorner:
      parts.fill(option->rect, m_tones->base);
      return;
    case PE_FrameFocusRect:
      // Controls and lists show the focus by their edge or their current row.
      if (!qobject_cast<const QTabBar*>(widget)) return;
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      return;
    case PE_PanelItemViewItem:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      // The ground shows what is picked; where every line is to be seen, the current cell has one as well.
      if (m_tones->ring > 1 && option->state & State_HasFocus) parts.ring(option->rect);
      return;
    case PE_FrameLineEdit:
    case PE_FrameTabWidget:
    case PE_FrameTabBarBase:
    case PE_PanelMenuBar:
      return;
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void FlatStyle::drawTinted(ControlElement element, const QStyleOption* option, QRgb colour, QPainter* painter,
                           const QWidget* widget) const {
  const auto drawCopy = [&](auto copy) {
    // Which of them counts depends on the ground that the control stands on.
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
      copy.palette.setColor(QPalette::Active, role, QColor::fromRgb(colour));
      copy.palette.setColor(QPalette::Inactive, role, QColor::fromRgb(colour));
    }
    QProxyStyle::drawControl(element, &copy, painter, widget);
  };
  if (element == CE_PushButtonLabel) {
    drawCopy(QStyleOptionButton(as<QStyleOptionButton>(option)));
    return;
  }
  if (element == CE_TabBarTabLabel) {
    drawCopy(QStyleOptionTab(as<QStyleOptionTab>(option)));
    return;
  }
  drawCopy(QStyleOptionHeader(as<QStyleOptionHeader>(option)));
}

void FlatStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const {
  const FlatPainter parts(*m_tones, *painter);
  switch (element) {
    case CE_PushButtonLabel: {
      const bool isDefault = as<QStyleOptionButton>(option).features.testFlag(QStyleOptionButton::DefaultButton);
      drawTinted(element, option, isDefault ? m_tones->onAccent : m_tones->text, painter, widget);
      return;
    }
    case CE_HeaderSection:
      parts.headerSection(*option);
      return;
    case CE_HeaderEmptyArea:
      parts.fill(option->rect, m_tones->base);
      return;
    case CE_HeaderLabel: {
      // Qt takes the margin of the sides off above and below, too, where it would cut the letters.
      QStyleOptionHeader label(as<QStyleOptionHeader>(option));
      label.rect.adjust(0, -kHeaderPadding.width(), 0, kHeaderPadding.width());
      drawTinted(element, &label, m_tones->dimmed, painter, widget);
      return;
    }
    case CE_TabBarTabShape:
      parts.tab(*option);
      return;
    case CE_TabBarTabLabel: {
      const bool isClear = option->state & (State_Selected | State_MouseOver);
      QStyleOptionTab label(as<QStyleOptionTab>(option));
      label.rect.adjust(0, 0, -tabReserve(label, widget), 0);
      drawTinted(element, &label, isClear ? m_tones->text : m_tones->dimmed, painter, widget);
      return;
    }
    case CE_Splitter:
      parts.splitter(*option);
      return;
    case CE_ProgressBarGroove:
      parts.progressGroove(option->rect);
      return;
    case CE_ProgressBarContents: {
      const auto& bar = as<QStyleOptionProgressBar>(option);
      parts.progress(bar);
      // For a bar that is busy and shown; painting it asks for the next picture.
      if (auto* shown = const_cast<QWidget*>(widget); shown && bar.minimum == bar.maximum) {
        QTimer::singleShot(kFrameTime, shown, qOverload<>(&QWidget::update));
      }
      return;
    }
    case CE_ProgressBarLabel:
      return;
    case CE_MenuBarItem: {
      parts.menuBarItem(*option);
      const auto& item = as<QStyleOptionMenuItem>(option);
      const int mnemonic =
          styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
      drawItemText(painter, item.rect, Qt::AlignCenter | Qt::TextDontClip | Qt::TextSingleLine | mnemonic, item.palette,
                   item.state & State_Enabled, item.text, QPalette::ButtonText);
      return;
    }
    case CE_MenuBarEmptyArea:
      parts.fill(option->rect, m_tones->window);
      return;
    case CE_MenuItem:
      drawMenuItem(as<QStyleOptionMenuItem>(option), *this, *m_tones, *painter);
      return;
    default:
      QProxyStyle::drawControl(element, option, painter, widget);
  }
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                   const QWidget* widget) const {
  const FlatPainter parts(*m_tones, *painter);
  const bool isEnabled = option->state & State_Enabled;
  if (control == CC_ScrollBar) {
    const auto& bar = as<QStyleOptionSlider>(option);
    if (bar.minimum == bar.maximum) return;
    const bool isHovered = bar.state.testFlag(State_MouseOver) && bar.activeSubControls.testFlag(SC_ScrollBarSlider);
    parts.scrollHandle(scrollHandle(bar), isHovered);
  } else if (control == CC_ComboBox) {
    parts.field(*option);
    parts.chevronDown(choiceArrow(option->rect), isEnabled);
  } else if (control == CC_ToolButton) {
    QStyleOptionToolButton label(as<QStyleOptionToolButton>(option));
    isToggle(widget) ? parts.toggle(*option) : parts.toolButton(*option);
    // Those beside tabs are no wider than their arrow.
    label.rect =
        label.features.testFlag(QStyleOptionToolButton::Arrow) ? option->rect : within(option->rect, kToolPadding);
    if (opensMenu(label)) {
      label.rect.setRight(label.rect.right() - kToolArrowWidth);
      parts.chevronDown({label.rect.right() + 4, label.rect.top(), kToolArrowWidth, label.rect.height()}, isEnabled);
    }
    drawControl(CE_ToolButtonLabel, &label, painter, widget);
  } else {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
  }
}

}  // namespace heapscape::gui
