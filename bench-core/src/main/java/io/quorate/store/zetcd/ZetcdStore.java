// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zetcd;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.etcd.EtcdShimServers;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import io.quorate.store.zookeeper.NodeLayout;
import io.quorate.store.zookeeper.ZooKeeperDriver;
import io.quorate.store.zookeeper.ZooKeeperServers;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** zetcd: ZooKeeper's protocol in front of etcd. */
public final class ZetcdStore {
  public static final Program ZETCD =
      new Program(
          "zetcd",
          "0.0.5",
          Program.Licence.APACHE,
          "Usage of \\S*zetcd:",
          List.of(new Program.GoPackage("zetcd", "github.com/coreos/zetcd/cmd/zetcd")),
          Optional.empty());

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          ZooKeeperDriver.OPERATIONS.stream()
              .filter(each -> each != Operation.TXN)
              .collect(Collectors.toSet()),
          Capabilities.RangeReads.NONE,
          0,
          ZooKeeperDriver.reasons(
              "a session of zetcd",
              "ZooKeeper's protocol",
              Map.of(
                  Operation.RANGE,
                  "zetcd lists the children of a node, and has no read of several values by"
                      + " prefix",
                  Operation.TXN,
                  "zetcd writes several keys of etcd for each node and breaks the session of a"
                      + " transaction that becomes too long for etcd",
                  Operation.COMPACT,
                  "ZooKeeper's protocol has no compaction")));

  private static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.LATEST,
          WatchSupport.Delivery.NONE,
          "zetcd has the one-shot watches of ZooKeeper 3.4 only, each of one node");

  public static final Store STORE =
      new Store(
          "zetcd",
          "zetcd",
          ZooKeeperDriver.kinds("zetcd", NodeLayout.Directories::new, CAPABILITIES, WATCHES),
          CAPABILITIES,
          WATCHES,
          any -> ReadGuarantee.LINEARIZABLE,
          Optional.empty(),
          Optional.of("zetcd listens in plain text only"),
          Login.Kind.NONE);
  public static final StoreServers SERVERS =
      new EtcdShimServers(
          STORE,
          ZETCD,
          each -> ServerKind.of(each, ZetcdStore::launcher, new Protocol(), new ServerLog.Glog()),
          ZooKeeperServers.SERVERS,
          () -> 0xcc79a7);

  private ZetcdStore() {}

  /**
   * Runs it in front of one endpoint of etcd. With several it answers some requests with "required
   * revision is a future revision" and ends. An option prevents log files in the directory for
   * temporary files.
   */
  private static ServerLauncher launcher(Path executable) {
    return (server, peers) ->
        List.of(
            executable.toString(),
            "--logtostderr",
            "--zkaddr",
            server.endpoint().toString(),
            "--endpoints",
            server.behind().orElseThrow().toString());
  }

  /**
   * Opens a session through zetcd as a client of ZooKeeper does, and closes it again; zetcd has to
   * write to etcd for that. Other queries are useless: it answers {@code imok} to the four-letter
   * word {@code ruok} even without etcd, and nothing to {@code srvr}. So its version is unknown.
   *
   * <p>The messages are defined in {@code zookeeper.jute}: ConnectRequest, ConnectResponse,
   * RequestHeader, each after its length in bytes.
   */
  private static final class Protocol implements ServerProtocol {
    /** Timeout of a session that could not be closed. */
    private static final int SESSION_TIMEOUT_MILLIS = 4_000;

    private static final int PASSWORD_BYTES = 16;
    private static final int CONNECT_REQUEST_BYTES = 28 + PASSWORD_BYTES;
    private static final int MIN_ANSWER_BYTES = 16;
    private static final int MAX_ANSWER_BYTES = 1_024;
    private static final int CLOSE_SESSION = -11;

    @Override
    public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(endpoint.host(), endpoint.port()), (int) timeout.toMillis());
        socket.setSoTimeout((int) timeout.toMillis());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        open(socket.getOutputStream(), in);
        close(socket.getOutputStream(), in);
        return new State("", true, false, "opens sessions");
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
      // "HTTP" would also be a length
      if (bytes < MIN_ANSWER_BYTES || bytes > MAX_ANSWER_BYTES) {
        throw new IOException("does not answer like ZooKeeper");
      }
      byte[] content = new byte[bytes];
      in.readFully(content);
      return ByteBuffer.wrap(content);
    }
  }
}
