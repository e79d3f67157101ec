// SPDX-License-Identifier: MIT
// nodes FILE.gcdump: what dotnet-gcdump itself reads in a .gcdump file, a line for each node: type, module, size, address,
// numbers of the nodes that it refers to.
using Graphs;

var graph = new GCHeapDump(args[0]).MemoryGraph;
Node node = graph.AllocNodeStorage();
NodeType type = graph.AllocTypeNodeStorage();
for (NodeIndex i = 0; i < graph.NodeIndexLimit; i++)
{
    graph.GetNode(i, node);
    node.GetType(type);
    var children = new List<int>();
    for (NodeIndex child = node.GetFirstChildIndex(); child != NodeIndex.Invalid; child = node.GetNextChildIndex())
        children.Add((int)child);
    Console.WriteLine(string.Join('\t', type.Name, type.ModuleName, node.Size, $"{graph.GetAddress(i):x}", string.Join(' ', children)));
}
