package io.quorate.store.zetcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.ServerState;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Opens a session through zetcd as a client of ZooKeeper does, and closes it again: for that, zetcd
 * must have written to etcd. It answers no other question: to the four-letter word {@code ruok} it
 * says {@code imok} even without etcd, to {@code srvr} nothing at all; so its version is unknown.
 *
 * <p>The messages are those of {@code zookeeper.jute}: ConnectRequest, ConnectResponse,
 * RequestHeader, each after its length in bytes.
 */
public final class ZetcdProtocol implements ServerProtocol {
  /** Timeout after which a session ends that could not be closed. */
  private static final int SESSION_TIMEOUT_MILLIS = 4_000;

  private static final int PASSWORD_BYTES = 16;
  private static final int CONNECT_REQUEST_BYTES = 28 + PASSWORD_BYTES;
  private static final int MIN_ANSWER_BYTES = 16;
  private static final int MAX_ANSWER_BYTES = 1_024;
  private static final int CLOSE_SESSION = -11;

  @Override
  public ServerState ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(endpoint.host(), endpoint.port()), (int) timeout.toMillis());
      socket.setSoTimeout((int) timeout.toMillis());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      open(socket.getOutputStream(), in);
      close(socket.getOutputStream(), in);
      return new ServerState("", true, false, "opens sessions");
    }
  }

  @Override
  public boolean tellsLeader() {
    return false;
  }

  private static void open(OutputStream out, DataInputStream in) throws IOException {
    out.write(
        ByteBuffer.allocate(Integer.BYTES + CONNECT_REQUEST_BYTES)
            .putInt(CONNECT_REQUEST_BYTES)
            .putInt(0) // version of the protocol
            .putLong(0) // last transaction seen
            .putInt(SESSION_TIMEOUT_MILLIS)
            .putLong(0) // a new session
            .putInt(PASSWORD_BYTES)
            .array());
    out.flush();
    ByteBuffer answer;
    try {
      answer = answer(in);
    } catch (EOFException closed) {
      throw new IOException("does not open a session", closed);
    }
    int version = answer.getInt();
    int timeoutMillis = answer.getInt();
    long session = answer.getLong();
    if (version != 0 || timeoutMillis <= 0 || session == 0) {
      throw new IOException("refuses to open a session");
    }
  }

  private static void close(OutputStream out, DataInputStream in) throws IOException {
    out.write(
        ByteBuffer.allocate(Integer.BYTES * 3)
            .putInt(Integer.BYTES * 2)
            .putInt(1) // the first request of the session
            .putInt(CLOSE_SESSION)
            .array());
    out.flush();
    try {
      answer(in);
    } catch (EOFException closed) {
      // zetcd may end the connection before it has sent the answer; the session is closed then
    }
  }

  private static ByteBuffer answer(DataInputStream in) throws IOException {
    int bytes = in.readInt();
    // "HTTP" would be a length, too
    if (bytes < MIN_ANSWER_BYTES || bytes > MAX_ANSWER_BYTES) {
      throw new IOException("does not answer like ZooKeeper");
    }
    byte[] content = new byte[bytes];
    in.readFully(content);
    return ByteBuffer.wrap(content);
  }
}
