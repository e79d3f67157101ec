// SPDX-License-Identifier: MIT
using System.Reflection;
using System.Runtime.Loader;

namespace Shop;

/// <summary>One assembly file in two load contexts: two types of the same name.</summary>
static class PluginHost
{
    static readonly string path = Path.Combine(AppContext.BaseDirectory, "plugin.dll");
    static AssemblyLoadContext? collectible;

    public static object[] All()
    {
        collectible = new AssemblyLoadContext("plugins", isCollectible: true);
        return [Start(AssemblyLoadContext.Default), Start(collectible)];
    }

    static object Start(AssemblyLoadContext context) =>
        context.LoadFromAssemblyPath(path).GetType("Plugin.Entry")!
            .GetMethod("Start", BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [Warehouse.AnyProduct])!;
}
