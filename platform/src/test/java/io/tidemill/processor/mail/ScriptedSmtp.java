package io.tidemill.processor.mail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// A mail server that answers as a test tells it: to commands that begin in a certain way.
final class ScriptedSmtp implements AutoCloseable {
  /// What is answered to nothing: the client waits.
  static final String SILENCE = "";

  /// What an answer to the data ends in when the connection breaks right behind it.
  static final String RESET = "!";

  private final ServerSocket server;
  private final Map<String, String> answers;
  final List<String> commands = new CopyOnWriteArrayList<>();
  final List<String> mails = new CopyOnWriteArrayList<>();

  /// @param answers by the beginning of a command, `.` for the end of the data
  ScriptedSmtp(Map<String, String> answers) throws IOException {
    this.answers = answers;
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "smtp://127.0.0.1:" + server.getLocalPort() + "?tls=none";
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var socket = server.accept();
        Thread.ofVirtual().start(() -> talk(socket));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void talk(Socket socket) {
    try (socket;
        var in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      var out = socket.getOutputStream();
      say(out, answers.getOrDefault("greeting", "220 scripted"));
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        commands.add(line);
        var answer = answer(line);
        say(out, answer);
        if (line.equals("DATA") && answer.startsWith("354")) {
          mails.add(data(in));
          var taken = answers.getOrDefault(".", "250 taken");
          var breaks = taken.endsWith(RESET);
          if (breaks) socket.setSoLinger(true, 0);
          say(out, taken);
          if (breaks) return;
        }
        if (line.equals("QUIT")) return;
      }
    } catch (IOException _) {
      // The client left.
    }
  }

  private String answer(String line) {
    for (var entry : answers.entrySet()) {
      if (line.startsWith(entry.getKey())) return entry.getValue();
    }
    return line.equals("DATA") ? "354 go on" : "250 fine";
  }

  private static String data(BufferedReader in) throws IOException {
    var mail = new StringBuilder();
    for (var line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
      mail.append(line).append('\n');
    }
    return mail.toString();
  }

  private static void say(OutputStream out, String answer) throws IOException {
    if (answer.isEmpty()) return;
    out.write((answer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
