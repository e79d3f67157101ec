// SPDX-License-Identifier: MIT
using System.Reflection;

namespace Museum;

/// <summary>Names as the runtime's diagnostics write them: "System.Collections.Generic.List&lt;System.Int32&gt;+Enumerator".</summary>
static class Names
{
    public static string Of(Type type)
    {
        if (type.IsArray) return $"{Of(type.GetElementType()!)}[{(type.IsSZArray ? "" : type.GetArrayRank() == 1 ? "*" : new string(',', type.GetArrayRank() - 1))}]";
        if (type.IsPointer) return Of(type.GetElementType()!) + "*";
        if (type.IsGenericParameter) return type.Name;
        Type[] arguments = type.GetGenericArguments();
        int used = 0;
        return string.Join('+', Enclosing(type).Select(part => WithArguments(part, arguments, ref used)));
    }

    /// <summary>"Museum.Clerk.Stamp(System.Int32)".</summary>
    public static string Of(MethodBase method) =>
        $"{(method.DeclaringType is { } type ? Of(type) + "." : "")}{method.Name}{(method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(Of))}>" : "")}({string.Join(", ", method.GetParameters().Select(parameter => Of(parameter.ParameterType)))})";

    static IEnumerable<Type> Enclosing(Type type) => type.DeclaringType is { } outer ? Enclosing(outer).Append(type) : [type];

    static string WithArguments(Type part, Type[] arguments, ref int used)
    {
        string name = part.IsNested || part.Namespace is null ? part.Name : $"{part.Namespace}.{part.Name}";
        int tick = name.LastIndexOf('`');
        if (tick < 0) return name;
        int count = int.Parse(name[(tick + 1)..]);
        string own = string.Join(", ", arguments.Skip(used).Take(count).Select(Of));
        used += count;
        return $"{name[..tick]}<{own}>";
    }
}
