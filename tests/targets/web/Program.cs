// SPDX-License-Identifier: MIT
// Answers HTTP requests and sends them to itself; one request in each state, and there they stay.
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

var builder = WebApplication.CreateSlimBuilder();
builder.WebHost.UseKestrel(options =>
{
    options.Listen(IPAddress.Loopback, 0);
    options.Listen(IPAddress.Loopback, 0, listener => listener.Protocols = HttpProtocols.Http2);
});
var app = builder.Build();
var never = new TaskCompletionSource();
app.MapGet("/done", () => "done");
app.MapGet("/orders/{id}", async (int id) =>
{
    await never.Task;
    return id;
});
app.MapPost("/answers", async (HttpContext context) =>
{
    context.Response.StatusCode = 202;
    await context.Response.WriteAsync("half");
    await context.Response.Body.FlushAsync();
    await never.Task;
});
app.MapGet("/busy", () => Busy.Forever());
await app.StartAsync();
var (plain, second) = (app.Urls.First(), app.Urls.Last());

var client = new HttpClient();
await client.GetStringAsync(plain + "/done");
Task<HttpResponseMessage> Second() => client.SendAsync(new(HttpMethod.Get, second + "/orders/8")
    { Version = HttpVersion.Version20, VersionPolicy = HttpVersionPolicy.RequestVersionExact });
List<Task> sent = [client.GetAsync(plain + "/orders/7?full=true"), client.GetAsync(plain + "/busy"), Second()];
HttpRequestMessage post = new(HttpMethod.Post, plain + "/answers") { Content = new StringContent("x") };
var answer = await client.SendAsync(post, HttpCompletionOption.ResponseHeadersRead);
sent.Add(answer.Content.ReadAsStringAsync());

// A server that takes connections and says nothing, and a client that may have one connection to it.
TcpListener silent = new(IPAddress.Loopback, 0);
silent.Start();
HttpClient narrow = new(new SocketsHttpHandler { MaxConnectionsPerServer = 1 });
var address = "http://" + silent.LocalEndpoint;
sent.Add(narrow.GetAsync(address + "/silent/1"));
using (await silent.AcceptTcpClientAsync())
{
    sent.Add(narrow.DeleteAsync(address + "/silent/2"));
    Busy.Entered.Wait();
    await Task.Delay(3000);  // longer than Kestrel takes to look at its connections again
    Console.WriteLine("ready");
    await never.Task;
}
GC.KeepAlive(sent);

static class Busy
{
    public static readonly SemaphoreSlim Entered = new(0);

    public static void Forever()
    {
        Entered.Release();
        Thread.Sleep(Timeout.Infinite);
    }
}
