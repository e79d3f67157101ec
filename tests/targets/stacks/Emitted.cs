// SPDX-License-Identifier: MIT
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Stacks;

/// Methods that exist only at run time. While they run their stack alone may keep them.
static class Emitted
{
    public static void Plant()
    {
        Threads.Start("dynamic method", "Thread.Sleep", RunDynamicMethod, ["Stacks.Emitted.Hold", "dynamic", "Stacks.Emitted.RunDynamicMethod"],
                      ["argument of dynamic"]);
        Threads.Start("compiled expression", "Thread.Sleep", RunExpression, ["Stacks.Emitted.Hold", "Stacks.Emitted.RunExpression"],
                      ["argument of expression", "constant of expression"]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Mark Hold(Mark mark)
    {
        Threads.Rest();
        return mark;
    }

    static void RunDynamicMethod()
    {
        var method = new DynamicMethod("dynamic", typeof(Mark), [typeof(Mark)], typeof(Emitted).Module);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Call, typeof(Emitted).GetMethod(nameof(Hold))!);
        code.Emit(OpCodes.Pop);
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ret);
        method.CreateDelegate<Func<Mark, Mark>>()(new Mark("argument of dynamic"));
    }

    static void RunExpression()
    {
        var argument = Expression.Parameter(typeof(Mark));
        var constant = Expression.Constant(new Mark("constant of expression"));
        var hold = typeof(Emitted).GetMethod(nameof(Hold))!;
        var body = Expression.Block(Expression.Call(hold, argument), Expression.Call(hold, constant));
        Expression.Lambda<Func<Mark, Mark>>(body, argument).Compile()(new Mark("argument of expression"));
    }
}
