// SPDX-License-Identifier: MIT
#include "widgets/graph_layout/graph_layout.h"

#include <gvc.h>
#include <locale.h>

#include <array>
#include <memory>
#include <string>

// Export of the plug-in with the engine dot: linked to, it needs no list of plug-ins on the user's machine.
extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace heapscape::gui {

namespace {

constexpr double kPointsPerInch = 72;
// Edges that are moved so often in search of a better place; the last few per cent cost most of the time.
constexpr const char* kSimplexRounds = "4";

struct GraphCloser {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};
using Graph = std::unique_ptr<Agraph_t, GraphCloser>;

/// Graphviz reads and writes numbers as text; with the user's decimal comma it would lose their fractions.
class PlainNumbers {
 public:
  PlainNumbers() : m_plain(newlocale(LC_NUMERIC_MASK, "C", nullptr)), m_before(uselocale(m_plain)) {}
  ~PlainNumbers() {
    uselocale(m_before);
    freelocale(m_plain);
  }
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;

 private:
  locale_t m_plain, m_before;
};

int swallow(char*) {
  return 0;
}

/// Loads no plug-in but the one that is linked in.
GVC_t* makeContext() {
  static std::array<lt_symlist_t, 2> plugins{
      {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library}, {nullptr, nullptr}}};
  agseterrf(swallow);
  return gvContextPlugins(plugins.data(), 0);
}

GVC_t* context() {
  static const std::unique_ptr<GVC_t, int (*)(GVC_t*)> context(makeContext(), gvFreeContext);
  return context.get();
}

// cgraph takes names as char*, but only reads them.
char* text(const char* constant) {
  return const_cast<char*>(constant);
}

void set(void* part, const char* name, const std::string& value) {
  agset(part, text(name), text(value.c_str()));
}

void setAll(Agraph_t* graph, int kind, const char* name, const std::string& value) {
  agattr(graph, kind, text(name), text(value.c_str()));
}

std::string inches(double pixels) {
  return std::to_string(pixels / kPointsPerInch);
}

class GraphvizRun {
 public:
  explicit GraphvizRun(const LayoutRequest& request)
      : m_request(request), m_graph(agopen(text("references"), Agdirected, nullptr)) {
    setDefaults();
    for (std::size_t box = 0; box < request.boxes.size(); ++box) addBox(box);
    for (const LayoutArrow& arrow : request.arrows) addArrow(arrow);
  }

  std::optional<GraphLayout> run() {
    if (gvLayout(context(), m_graph.get(), "dot") != 0) return std::nullopt;
    GraphLayout variant = read();
    gvFreeLayout(context(), m_graph.get());
    return variant;
  }

 private:
  void setDefaults() {
    Agraph_t* graph = m_graph.get();
    setAll(graph, AGRAPH, "rankdir", "LR");
    setAll(graph, AGRAPH, "ranksep", inches(m_request.columnGap));
    setAll(graph, AGRAPH, "nodesep", inches(m_request.rowGap));
    setAll(graph, AGRAPH, "nslimit", kSimplexRounds);
    setAll(graph, AGNODE, "shape", "box");
    setAll(graph, AGNODE, "fixedsize", "true");
    setAll(graph, AGNODE, "label", "");
    setAll(graph, AGNODE, "width", "1");
    setAll(graph, AGNODE, "height", "1");
    setAll(graph, AGEDGE, "arrowhead", "none");
    setAll(graph, AGEDGE, "tailport", "e");
    setAll(graph, AGEDGE, "headport", "w");
    setAll(graph, AGEDGE, "constraint", "true");
  }

  void addBox(std::size_t box) {
    Agnode_t* node = agnode(m_graph.get(), text(std::to_string(box).c_str()), TRUE);
    set(node, "width", inches(m_request.boxes[box].width()));
    set(node, "height", inches(m_request.boxes[box].height()));
    m_nodes.push_back(node);
  }

  void addArrow(const LayoutArrow& arrow) {
    const std::string name = std::to_string(m_edges.size());
    Agedge_t* edge = agedge(m_graph.get(), m_nodes[arrow.from], m_nodes[arrow.to], text(name.c_str()), TRUE);
    if (!arrow.isRanked) set(edge, "constraint", "false");
    m_edges.push_back(edge);
  }

  GraphLayout read() const {
    GraphLayout variant;
    for (std::size_t box = 0; box < m_nodes.size(); ++box) {
      QRectF rect({}, m_request.boxes[box]);
      rect.moveCenter(pointOf(ND_coord(m_nodes[box])));
      variant.boxes.push_back(rect);
      variant.bounds |= rect;
    }
    for (Agedge_t* edge : m_edges) variant.arrows.push_back(curveOf(edge));
    for (const auto& arrow : variant.arrows) {
      for (const QPointF& point : arrow) variant.bounds |= QRectF(point, QSizeF(1, 1));
    }
    return variant;
  }

  /// Graphviz counts upwards.
  static QPointF pointOf(const pointf& point) { return {point.x, -point.y}; }

  /// A straight line where no curve was found.
  std::vector<QPointF> curveOf(Agedge_t* edge) const {
    std::vector<QPointF> curve;
    const splines* found = ED_spl(edge);
    for (int part = 0; found && part < found->size; ++part) {
      const bezier& piece = found->list[part];
      for (int point = part == 0 ? 0 : 1; point < piece.size; ++point) curve.push_back(pointOf(piece.list[point]));
    }
    if (curve.size() >= 4 && curve.size() % 3 == 1) return curve;
    const QPointF from = pointOf(ND_coord(agtail(edge))) + QPointF(ND_rw(agtail(edge)), 0);
    const QPointF to = pointOf(ND_coord(aghead(edge))) - QPointF(ND_lw(aghead(edge)), 0);
    return {from, from, to, to};
  }

  const LayoutRequest& m_request;
  Graph m_graph;
  std::vector<Agnode_t*> m_nodes;
  std::vector<Agedge_t*> m_edges;
};

}  // namespace

std::optional<GraphLayout> layOutGraph(const LayoutRequest& request) {
  if (request.boxes.empty()) return GraphLayout{};
  const PlainNumbers numbers;
  return GraphvizRun(request).run();
}

}  // namespace heapscape::gui
