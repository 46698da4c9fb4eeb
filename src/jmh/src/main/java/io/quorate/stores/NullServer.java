// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import io.quorate.store.Endpoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/**
 * A server on this machine that stores nothing: it only separates one write from the next and
 * acknowledges each, so that the driver alone is measured. A thread for each connection; answers go
 * out when no further request is waiting.
 */
final class NullServer implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final NullProtocol protocol;
  private final ServerSocket listening;

  private NullServer(NullProtocol protocol, ServerSocket listening) {
    this.protocol = protocol;
    this.listening = listening;
  }

  static NullServer start(NullProtocol protocol) throws IOException {
    NullServer server =
        new NullServer(protocol, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    daemon("null-server", server::accept);
    return server;
  }

  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listening.getLocalPort());
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listening.accept();
        daemon("null-connection", () -> serve(connection));
      }
    } catch (IOException closed) {
      if (!listening.isClosed()) {
        throw new IllegalStateException(closed);
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(connection.getInputStream(), BUFFER_BYTES));
      DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(connection.getOutputStream(), BUFFER_BYTES));
      NullProtocol.Conversation conversation = protocol.begin(in, out);
      while (true) {
        conversation.answerNext();
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (EOFException | SocketException ended) {
      // the driver has closed the connection
      return;
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
