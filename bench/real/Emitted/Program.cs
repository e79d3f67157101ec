// SPDX-License-Identifier: MIT
// Emits assemblies of many types, as serializers, mocks and rule engines do, and keeps an object and a list of each type.
// Usage: Emitted [ASSEMBLIES [TYPES]]
using System.Collections;
using System.Reflection;
using System.Reflection.Emit;

int assemblies = args.Length > 0 ? int.Parse(args[0]) : 1000, types = args.Length > 1 ? int.Parse(args[1]) : 70;
var kept = new List<object>();
for (int i = 0; i < assemblies; i++)
{
    var module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName($"Emitted{i}"), AssemblyBuilderAccess.Run).DefineDynamicModule("main");
    for (int j = 0; j < types; j++)
    {
        var builder = module.DefineType($"Rules.Of{i}.Rule{j}", TypeAttributes.Public);
        builder.DefineField("Name", typeof(string), FieldAttributes.Public);
        builder.DefineField("Weight", typeof(int), FieldAttributes.Public);
        builder.DefineField("Active", typeof(bool), FieldAttributes.Public);
        builder.DefineField("Next", typeof(object), FieldAttributes.Public);
        var type = builder.CreateType();
        object rule = Activator.CreateInstance(type)!;
        type.GetField("Name")!.SetValue(rule, $"rule {j % 7}");
        type.GetField("Next")!.SetValue(rule, kept.Count > 0 ? kept[^1] : null);
        kept.Add(rule);
        if (j % 7 == 0)
            kept.Add((IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(type))!);
    }
}
Console.WriteLine("ready");
Thread.Sleep(Timeout.Infinite);
GC.KeepAlive(kept);
