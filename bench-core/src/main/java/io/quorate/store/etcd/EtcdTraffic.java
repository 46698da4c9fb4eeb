// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one member of etcd reports at {@code /metrics} about the requests of its clients, since its
 * start. It contains no keys or values.
 *
 * @param values reported values; those that are missing are not reported
 */
public record EtcdTraffic(Map<Counter, Double> values) {
  private static final Pattern METHOD = Pattern.compile("[{,]grpc_method=\"([^\"]*)\"");
  private static final Pattern SERVICE = Pattern.compile("[{,]grpc_service=\"etcdserverpb\\.");
  private static final Pattern CODE = Pattern.compile("[{,]grpc_code=\"([^\"]*)\"");

  private static final String HANDLED = "grpc_server_handled_total";
  private static final String RECEIVED = "grpc_server_msg_received_total";
  private static final String SENT = "grpc_server_msg_sent_total";

  /** A reported value. Counters of requests include failed ones. */
  public enum Counter {
    RANGES(HANDLED, "Range"),
    PUTS(HANDLED, "Put"),
    DELETES(HANDLED, "DeleteRange"),
    TXNS(HANDLED, "Txn"),
    COMPACTIONS(HANDLED, "Compact"),
    LEASE_GRANTS(HANDLED, "LeaseGrant"),
    /**
     * Answers of streams, as each keeps one lease alive. Received messages include the end of a
     * stream.
     */
    LEASE_KEEPALIVES(SENT, "LeaseKeepAlive"),
    /** Failed requests of the kinds above. */
    FAILED("", ""),
    /** Puts of all clients, including those in transactions; the same on all members. */
    APPLIED_PUTS("etcd_mvcc_put_total", ""),
    /** Bytes of the keys and values of these puts. */
    APPLIED_PUT_BYTES("etcd_debugging_mvcc_total_put_size_in_bytes", ""),
    /** Ranges that arrived; {@link #RECEIVED_BYTES} counts these, answered or not. */
    RECEIVED_RANGES(RECEIVED, "Range"),
    RECEIVED_PUTS(RECEIVED, "Put"),
    /** Bytes of the messages of clients, without the frames of gRPC. */
    RECEIVED_BYTES("etcd_network_client_grpc_received_bytes_total", ""),
    SENT_BYTES("etcd_network_client_grpc_sent_bytes_total", ""),
    /** Events that were sent to watchers. */
    EVENTS("etcd_debugging_mvcc_events_total", ""),
    KEYS("etcd_debugging_mvcc_keys_total", ""),
    WATCHERS("etcd_debugging_mvcc_watcher_total", ""),
    WATCH_STREAMS("etcd_debugging_mvcc_watch_stream_total", ""),
    /** The other members of the cluster. */
    PEERS("etcd_network_active_peers", ""),
    REVISION("etcd_debugging_mvcc_current_revision", ""),
    COMPACTED_REVISION("etcd_debugging_mvcc_compact_revision", ""),
    GRANTED_LEASES("etcd_debugging_lease_granted_total", ""),
    REVOKED_LEASES("etcd_debugging_lease_revoked_total", ""),
    LEASE_SECONDS("etcd_debugging_lease_ttl_total_sum", ""),
    LEASES_WITH_SECONDS("etcd_debugging_lease_ttl_total_count", "");

    private final String metric;
    private final String method;

    Counter(String metric, String method) {
      this.metric = metric;
      this.method = method;
    }

    /** Returns the name of the metric, without the ending of a sum or a count. */
    public String metric() {
      return metric.replaceFirst("_(sum|count)$", "");
    }
  }

  public EtcdTraffic {
    values = Map.copyOf(values);
  }

  /**
   * Asks a member and waits for its answer.
   *
   * @throws IOException if it does not answer in time, or without the counters of requests; the
   *     message is safe to show
   */
  public static EtcdTraffic read(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    EtcdTraffic traffic =
        parsed(HttpResponseText.content(endpoint, access, "/metrics", Map.of(), limit));
    if (!traffic.values.containsKey(Counter.PUTS) || !traffic.values.containsKey(Counter.RANGES)) {
      throw new IOException(
          "answers GET /metrics without grpc_server_handled_total of etcd's requests");
    }
    return traffic;
  }

  static EtcdTraffic parsed(String metrics) {
    Map<Counter, Double> values = new EnumMap<>(Counter.class);
    metrics.lines().flatMap(Figure.Line::of).forEach(line -> take(line, values));
    return new EtcdTraffic(values);
  }

  private static void take(Figure.Line line, Map<Counter, Double> values) {
    boolean ofRequests = List.of(HANDLED, RECEIVED, SENT).contains(line.name());
    if (ofRequests && !SERVICE.matcher(line.labels()).find()) {
      return;
    }
    Matcher method = METHOD.matcher(line.labels());
    String its = ofRequests && method.find() ? method.group(1) : "";
    for (Counter each : Counter.values()) {
      if (each.metric.equals(line.name()) && each.method.equals(its)) {
        values.merge(each, line.value(), Double::sum);
        if (isFailure(line)) {
          values.merge(Counter.FAILED, line.value(), Double::sum);
        }
      }
    }
  }

  private static boolean isFailure(Figure.Line line) {
    Matcher code = CODE.matcher(line.labels());
    return code.find() && !code.group(1).equals("OK");
  }

  /** Returns a value; 0 if it is not reported. */
  public double of(Counter counter) {
    return values.getOrDefault(counter, 0.0);
  }
}
