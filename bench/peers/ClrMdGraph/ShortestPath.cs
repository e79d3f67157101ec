// SPDX-License-Identifier: MIT
namespace ClrMdGraph;

static class ShortestPath
{
    /// From a root to an object, breadth first; to the farthest of all if the object is negative.
    public static int[] Find(ReferenceGraph graph, int[] roots, int target)
    {
        const int isRoot = -1;
        int[] rows = graph.Rows, targets = graph.Targets.Items;
        var finder = new int[graph.Index.Count]; // one more than the object it was found from
        var queue = new int[graph.Index.Count];
        int head = 0, tail = 0;
        foreach (int root in roots)
        {
            finder[root] = isRoot;
            queue[tail++] = root;
        }
        while (head < tail && (target < 0 || finder[target] == 0))
        {
            int from = queue[head++];
            for (int edge = rows[from], end = rows[from + 1]; edge < end; edge++)
            {
                int to = targets[edge];
                if (finder[to] != 0)
                    continue;
                finder[to] = from + 1;
                queue[tail++] = to;
            }
        }
        if (target < 0)
        {
            if (tail == 0)
                return [];
            target = queue[tail - 1];
        }
        if (finder[target] == 0)
            return [];
        var path = new List<int> { target };
        while (finder[path[^1]] != isRoot)
            path.Add(finder[path[^1]] - 1);
        path.Reverse();
        return [.. path];
    }
}
