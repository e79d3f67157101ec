// SPDX-License-Identifier: MIT
namespace ClrMdGraph;

/// Immediate dominators by semi-NCA (Georgiadis 2005) with path compression. Reached objects are numbered from 1 in the
/// order of a depth-first search; 0 stands for all roots together.
sealed class DominatorTree
{
    public readonly int Reached;
    public readonly int[] NumberOf; // by object; 0 if it cannot be reached
    public readonly int[] ObjectOf; // by number
    public readonly int[] Dominator; // by number

    public DominatorTree(ReferenceGraph graph, int[] roots)
    {
        int objects = graph.Index.Count;
        NumberOf = new int[objects];
        ObjectOf = new int[objects + 1];
        Dominator = new int[objects + 1];
        Reached = Search(graph.Rows, graph.Targets.Items, roots);
        FindDominators(graph.Rows, graph.Targets.Items, roots);
    }

    // Leaves the parents in the search tree in Dominator.
    int Search(int[] rows, int[] targets, int[] roots)
    {
        int[] numberOf = NumberOf, objectOf = ObjectOf, parent = Dominator;
        var stack = new (int Object, int Edge)[1024];
        int reached = 0;
        foreach (int root in roots)
        {
            if (numberOf[root] != 0)
                continue;
            numberOf[root] = ++reached;
            objectOf[reached] = root;
            int depth = 0;
            stack[depth++] = (root, rows[root]);
            while (depth > 0)
            {
                ref var top = ref stack[depth - 1];
                int from = top.Object, edge = top.Edge, end = rows[from + 1];
                while (edge < end && numberOf[targets[edge]] != 0)
                    edge++;
                if (edge == end)
                {
                    depth--;
                    continue;
                }
                top.Edge = edge + 1;
                int found = targets[edge];
                numberOf[found] = ++reached;
                objectOf[reached] = found;
                parent[reached] = numberOf[from];
                if (depth == stack.Length)
                    Array.Resize(ref stack, depth * 2);
                stack[depth++] = (found, rows[found]);
            }
        }
        return reached;
    }

    void FindDominators(int[] rows, int[] targets, int[] roots)
    {
        var (starts, sources) = Reverse(rows, targets, roots);
        int[] dominator = Dominator, semi = new int[Reached + 1];
        var links = new Link[Reached + 1];
        for (int number = 0; number <= Reached; number++)
            links[number] = new Link { Ancestor = dominator[number], Label = number };
        var path = new int[1024];
        for (int w = Reached; w > 0; w--)
        {
            int best = dominator[w];
            for (int i = starts[w], end = starts[w + 1]; i < end; i++)
            {
                int v = sources[i];
                int candidate = v <= w ? v : Evaluate(links, v, w, ref path);
                if (candidate < best)
                    best = candidate;
            }
            semi[w] = best;
            links[w].Label = best;
        }
        for (int w = 1; w <= Reached; w++)
        {
            int candidate = dominator[w], bound = semi[w];
            while (candidate > bound)
                candidate = dominator[candidate];
            dominator[w] = candidate;
        }
    }

    struct Link
    {
        public int Ancestor, Label;
    }

    static int Evaluate(Link[] links, int v, int w, ref int[] path)
    {
        int length = 0;
        while (links[v].Ancestor > w)
        {
            if (length == path.Length)
                Array.Resize(ref path, length * 2);
            path[length++] = v;
            v = links[v].Ancestor;
        }
        int top = links[v].Ancestor, label = links[v].Label;
        while (length > 0)
        {
            ref Link link = ref links[path[--length]];
            if (link.Label < label)
                label = link.Label;
            else
                link.Label = label;
            link.Ancestor = top;
        }
        return label;
    }

    // Who refers to each number, by number; 0 to the roots.
    (int[] Starts, int[] Sources) Reverse(int[] rows, int[] targets, int[] roots)
    {
        int[] numberOf = NumberOf, objectOf = ObjectOf;
        var starts = new int[Reached + 3];
        foreach (int root in roots)
            starts[numberOf[root] + 2]++;
        for (int number = 1; number <= Reached; number++)
        {
            int from = objectOf[number];
            for (int edge = rows[from], end = rows[from + 1]; edge < end; edge++)
                starts[numberOf[targets[edge]] + 2]++;
        }
        for (int i = 1; i < starts.Length; i++)
            starts[i] += starts[i - 1];
        var sources = new int[starts[^1]];
        foreach (int root in roots)
            sources[starts[numberOf[root] + 1]++] = 0;
        for (int number = 1; number <= Reached; number++)
        {
            int from = objectOf[number];
            for (int edge = rows[from], end = rows[from + 1]; edge < end; edge++)
                sources[starts[numberOf[targets[edge]] + 1]++] = number;
        }
        return (starts, sources);
    }
}
