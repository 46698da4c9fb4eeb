// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.URL;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from a server how many requests it has received. */
final class ServerCounters {
  private static final int MILLIS = 10_000;
  private static final Pattern ETCD =
      Pattern.compile(
          "(?m)^grpc_server_started_total\\{grpc_method=\"(\\w+)\",grpc_service=\"etcdserverpb\\.(?:KV|Watch)\""
              + ".*} (\\d+)$");
  private static final Pattern ZOOKEEPER = Pattern.compile("(?m)^zk_packets_received\t(\\d+)$");
  private static final Pattern CONSUL = Pattern.compile("\"ModifyIndex\": ?(\\d+)");

  private ServerCounters() {}

  /** Returns the requests of etcd's services KV and Watch by method, since its start. */
  static Map<String, Long> ofEtcd(Endpoint server) {
    Map<String, Long> counts = new TreeMap<>();
    Matcher matcher = ETCD.matcher(http(server, "/metrics"));
    while (matcher.find()) {
      counts.put(matcher.group(1), Long.parseLong(matcher.group(2)));
    }
    return counts;
  }

  /** Returns the requests of all sessions since the start, with pings and this question. */
  static long ofZooKeeper(Endpoint server) {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.setSoTimeout(MILLIS);
      socket.getOutputStream().write("mntr".getBytes(US_ASCII));
      Matcher matcher =
          ZOOKEEPER.matcher(new String(socket.getInputStream().readAllBytes(), US_ASCII));
      if (!matcher.find()) {
        throw new AssertionError("mntr does not say how many packets were received");
      }
      return Long.parseLong(matcher.group(1));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  /**
   * Returns the place of the last write of a key in Consul's log. Other entries are rare. Requests
   * by kind, which would be better, are only in its metrics of ten seconds, which it cannot tell at
   * all while one of them is not a number ("json: unsupported value: NaN").
   */
  static long logIndexOfConsul(Endpoint server, String key) {
    Matcher matcher = CONSUL.matcher(http(server, "/v1/kv/" + key));
    if (!matcher.find()) {
      throw new AssertionError("no index of " + key);
    }
    return Long.parseLong(matcher.group(1));
  }

  /** The body of an answer. */
  static String http(Endpoint server, String path) {
    try {
      var connection =
          (HttpURLConnection)
              new URL("http", server.host(), server.port(), path).openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(MILLIS);
      connection.setReadTimeout(MILLIS);
      try (var answer = connection.getInputStream()) {
        return new String(answer.readAllBytes(), US_ASCII);
      } finally {
        connection.disconnect();
      }
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
