// SPDX-License-Identifier: MIT
namespace ClrMdGraph;

/// A list whose array is open to hot loops.
sealed class Table<T>
{
    public T[] Items = new T[1 << 16];
    public int Count;

    public void Add(T item)
    {
        if (Count == Items.Length)
            Array.Resize(ref Items, Items.Length * 2);
        Items[Count++] = item;
    }
}
