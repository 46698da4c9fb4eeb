// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.keeper;

import io.quorate.store.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in for ClickHouse Keeper, which cannot be had from where the tests run: it answers the
 * four-letter words as {@code src/Coordination/FourLetterCommand.cpp} of ClickHouse does, and
 * passes everything else to a server of ZooKeeper.
 */
public final class KeeperDouble implements AutoCloseable {
  /** The version that a server of 24.2 printed. */
  private static final String VERSION =
      "v24.2.1.2248-testing-891689a41506d00aa169548f5b4a8774351242c4";

  /** The answer to srvr, of ServerStatCommand. */
  public static final String SRVR =
      """
      ClickHouse Keeper version: %s
      Latency min/avg/max: 0/1/193
      Received: 68
      Sent: 69
      Connections: 1
      Outstanding: 0
      Zxid: 0x5be
      Mode: leader
      Node count: 10
      """
          .formatted(VERSION);

  /** The answer to mntr, of MonitorCommand. */
  public static final String MNTR =
      """
      zk_version\t%s
      zk_avg_latency\t1
      zk_max_latency\t193
      zk_min_latency\t0
      zk_packets_received\t68
      zk_packets_sent\t69
      zk_num_alive_connections\t1
      zk_outstanding_requests\t0
      zk_server_state\tleader
      zk_znode_count\t10
      zk_watch_count\t1
      zk_ephemerals_count\t0
      zk_approximate_data_size\t723
      zk_key_arena_size\t0
      zk_latest_snapshot_size\t0
      zk_open_file_descriptor_count\t34
      zk_max_file_descriptor_count\t500000
      zk_followers\t2
      zk_synced_followers\t2
      """
          .formatted(VERSION);

  private static final Map<String, String> ANSWERS = Map.of("srvr", SRVR, "mntr", MNTR);

  private final Endpoint zooKeeper;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  public KeeperDouble(Endpoint zooKeeper) throws IOException {
    this.zooKeeper = zooKeeper;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listener.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket each : sockets) {
      each.close();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        sockets.add(client);
        start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] first = client.getInputStream().readNBytes(4);
      String answer = ANSWERS.get(new String(first, StandardCharsets.US_ASCII));
      if (answer != null) {
        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        return;
      }
      try (Socket server = new Socket(zooKeeper.host(), zooKeeper.port())) {
        sockets.add(server);
        server.getOutputStream().write(first);
        start(() -> pass(server, client));
        pass(client, server);
      }
    } catch (IOException cut) {
      // so the client connects again
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException cut) {
      // the end of one direction is the end of both
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "keeper-double");
    thread.setDaemon(true);
    thread.start();
  }
}
