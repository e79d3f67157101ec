// SPDX-License-Identifier: MIT
using System.Reflection;
using System.Reflection.Emit;

namespace Shop;

/// <summary>Types that exist in no file: emitted ones, permanent and collectible, and what is built over them.</summary>
static class Emitted
{
    public static object[] All()
    {
        var exhibits = new List<object>();
        foreach (var access in new[] { AssemblyBuilderAccess.Run, AssemblyBuilderAccess.RunAndCollect })
        {
            var module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Emitted" + access), access).DefineDynamicModule("main");
            var point = DefinePoint(module);
            var label = DefineLabel(module, point);
            object instance = Activator.CreateInstance(label)!;
            label.GetField("Text")!.SetValue(instance, "emitted");
            label.GetField("Shared")!.SetValue(null, "emitted static");
            exhibits.Add(instance);
            exhibits.Add(Activator.CreateInstance(point)!);
            exhibits.Add(Array.CreateInstance(label, 3));
            exhibits.Add(Array.CreateInstance(point, 2));
            exhibits.Add(Activator.CreateInstance(typeof(List<>).MakeGenericType(label))!);
            exhibits.Add(Activator.CreateInstance(typeof(Pair<,>).MakeGenericType(point, typeof(string)))!);
        }
        exhibits.Add(DynamicSquare().CreateDelegate<Func<int, int>>());
        return [.. exhibits];
    }

    static Type DefinePoint(ModuleBuilder module)
    {
        var type = module.DefineType("Emitted.Point", TypeAttributes.Public | TypeAttributes.SequentialLayout, typeof(ValueType));
        type.DefineField("X", typeof(byte), FieldAttributes.Public);
        type.DefineField("Y", typeof(long), FieldAttributes.Public);
        return type.CreateType();
    }

    static Type DefineLabel(ModuleBuilder module, Type point)
    {
        var type = module.DefineType("Emitted.Label", TypeAttributes.Public);
        type.DefineField("Text", typeof(string), FieldAttributes.Public);
        type.DefineField("At", point, FieldAttributes.Public);
        type.DefineField("Shared", typeof(string), FieldAttributes.Public | FieldAttributes.Static);
        return type.CreateType();
    }

    static DynamicMethod DynamicSquare()
    {
        var method = new DynamicMethod("Square", typeof(int), [typeof(int)]);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Mul);
        code.Emit(OpCodes.Ret);
        return method;
    }
}
