// SPDX-License-Identifier: MIT
using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Museum;

/// <summary>What a collection holds, as anyone can see from outside: in the order in which it is enumerated.</summary>
static class CollectionAccount
{
    const int Few = 40;  // of larger collections only samples are told

    public static Account Of(string path, object content)
    {
        Type type = KindOf(content.GetType());
        Account account = new Account().Add("path", path).Add("type", Names.Of(content.GetType())).Add("kind", type.Name.Split('`')[0]);
        if (CapacityOf(content) is { } capacity) account.Add("capacity", capacity);
        return content switch
        {
            StringBuilder builder => account.Add("count", builder.Length).Add("text", builder.ToString()),
            Task task => AddTask(account, task, type),
            _ when type.Name == "Lazy`1" => AddLazy(account, content, type),
            _ => AddItems(account, content, type),
        };
    }

    /// <summary>The collection that the class is, or is derived from.</summary>
    static Type KindOf(Type type)
    {
        Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        return definition.IsVisible && definition.Namespace!.StartsWith("System") ? type : KindOf(type.BaseType!);
    }

    static Account AddItems(Account account, object content, Type type)
    {
        Type[] arguments = type.GetGenericArguments();
        var (keyType, valueType) = type.Name switch
        {
            "PriorityQueue`2" => (arguments[1], arguments[0]),
            "Hashtable" or "SortedList" => (typeof(object), typeof(object)),
            _ => arguments.Length switch { 2 => (arguments[0], arguments[1]), 1 => (null, arguments[0]), _ => ((Type?)null, typeof(object)) },
        };
        List<object?> items = Items(content, type).Cast<object?>().ToList();
        var told = new List<Account>();
        for (int i = 0; i < items.Count; i += items.Count <= Few || i < 10 || i >= items.Count - 10 ? 1 : items.Count / 20)
        {
            Account item = new Account().Add("index", i);
            if (keyType is not null) item.Add("key", Description.Of(Part(items[i]!, "Key", "Priority", "Item2"), keyType));
            object? value = keyType is null ? items[i] : Part(items[i]!, "Value", "Element", "Item1");
            told.Add(item.Add("value", Description.Of(value, valueType)));
        }
        if (keyType is not null) account.Add("keyType", Names.Of(keyType));
        return account.Add("valueType", Names.Of(valueType)).Add("count", items.Count).Add("items", told);
    }

    static IEnumerable Items(object content, Type type) => type.Name switch
    {
        "PriorityQueue`2" => (IEnumerable)type.GetProperty("UnorderedItems")!.GetValue(content)!,
        "Memory`1" or "ReadOnlyMemory`1" => (IEnumerable)type.GetMethod("ToArray")!.Invoke(content, null)!,
        "ImmutableArray`1" when (bool)type.GetProperty("IsDefault")!.GetValue(content)! => Array.Empty<object>(),
        _ => (IEnumerable)content,
    };

    static object? Part(object pair, params string[] names) =>
        names.Select(name => pair.GetType().GetProperty(name)?.GetValue(pair) ?? pair.GetType().GetField(name)?.GetValue(pair)).FirstOrDefault(part => part is not null);

    static object? CapacityOf(object content) => content switch
    {
        ConditionalWeakTable<Painting, string> or Task => null,
        StringBuilder builder => builder.Capacity,
        ArrayList list => list.Capacity,
        _ => content.GetType().GetProperty("Capacity")?.GetValue(content) ?? content.GetType().GetMethod("EnsureCapacity", [typeof(int)])?.Invoke(content, [0]),
    };

    static Account AddLazy(Account account, object lazy, Type type)
    {
        bool isMade = (bool)type.GetProperty("IsValueCreated")!.GetValue(lazy)!;
        bool isFaulted = (bool)type.GetProperty("IsValueFaulted", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(lazy)!;
        account.Add("state", isMade ? "created" : isFaulted ? "faulted" : "not created");
        return isMade ? account.Add("result", Description.Of(type.GetProperty("Value")!.GetValue(lazy), type.GetGenericArguments()[0])) : account;
    }

    static Account AddTask(Account account, Task task, Type type)
    {
        account.Add("status", task.Status.ToString());
        if (task.Exception is { } exception) account.Add("exception", Names.Of(exception.InnerException!.GetType()));
        if (task.Status != TaskStatus.RanToCompletion || !type.IsGenericType) return account;
        return account.Add("result", Description.Of(type.GetProperty("Result")!.GetValue(task), type.GetGenericArguments()[0]));
    }
}
