package io.quorate.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sends back every byte that it gets, in threads of its own. */
final class Echo implements AutoCloseable {
  private final ServerSocket socket;

  private Echo(ServerSocket socket) {
    this.socket = socket;
  }

  /** Starts to listen. */
  static Echo start(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(address);
    Echo echo = new Echo(socket);
    run(echo::accept);
    return echo;
  }

  private static void run(Runnable task) {
    Thread thread = new Thread(task, "echo");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        run(() -> answer(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void answer(Socket connection) {
    byte[] bytes = new byte[1 << 16];
    try (connection) {
      connection.setTcpNoDelay(true);
      InputStream in = connection.getInputStream();
      OutputStream out = connection.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        out.write(bytes, 0, count);
      }
    } catch (IOException ended) {
      return;
    }
  }

  /** Listens no more. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
