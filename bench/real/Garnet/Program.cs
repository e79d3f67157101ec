// SPDX-License-Identifier: MIT
// The cache server Garnet after some thousand commands of a client: strings, hashes, sorted sets and lists.
using System.Net.Sockets;
using System.Text;
using Garnet;

using var server = new GarnetServer(["--port", "16379", "--bind", "127.0.0.1", "--memory", "64m", "--index", "8m"]);
server.Start();
using (var client = new TcpClient("127.0.0.1", 16379))
{
    var stream = client.GetStream();
    var answer = new byte[1 << 16];
    void Send(params string[] words)
    {
        var command = new StringBuilder($"*{words.Length}\r\n");
        foreach (string word in words) { command.Append($"${word.Length}\r\n{word}\r\n"); }
        stream.Write(Encoding.ASCII.GetBytes(command.ToString()));
        if (stream.Read(answer) == 0 || answer[0] == '-') { throw new InvalidOperationException($"{words[0]}: {Encoding.ASCII.GetString(answer, 0, 80)}"); }
    }
    for (int i = 0; i < 5000; i++)
    {
        Send("SET", $"text:{i}", $"value {i}");
        Send("HSET", $"hash:{i % 500}", $"field{i / 500}", $"value {i}");
        Send("ZADD", $"board:{i % 100}", $"{i}", $"member {i}");
        Send("RPUSH", $"list:{i % 200}", $"item {i}");
        Send("GET", $"text:{i / 2}");
    }
}
Console.WriteLine("ready");
Thread.Sleep(Timeout.Infinite);
