package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Figure;
import io.quorate.store.ServerInternals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks ZooKeeper with the four-letter word {@code srvr}, which every server answers in a few lines.
 * Not with {@code mntr}, which tells more: its answer has some lines for each child of the root
 * that was ever written, so with the keys of a run it grows to megabytes, and to make it takes the
 * server longer than the seconds between two questions.
 */
public final class ZooKeeperInternals implements ServerInternals {
  /** Names of the figures in {@code srvr}, with those of {@code mntr}. */
  private static final Map<String, String> FIGURES =
      Map.of(
          "received", "zk_packets_received",
          "sent", "zk_packets_sent",
          "connections", "zk_num_alive_connections",
          "outstanding", "zk_outstanding_requests",
          "node count", "zk_znode_count");

  private static final String LATENCY = "latency min/avg/max";
  private static final List<String> LATENCIES =
      List.of("zk_min_latency", "zk_avg_latency", "zk_max_latency");

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    Map<String, Double> figures = parsed(FourLetterWord.SRVR.ask(endpoint, access, limit));
    if (figures.isEmpty()) {
      throw new IOException("does not answer to srvr");
    }
    return figures;
  }

  public static Map<String, Double> parsed(String answer) {
    Map<String, Double> figures = new TreeMap<>();
    answer
        .lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> take(parts[0].toLowerCase(Locale.ROOT), parts[1].strip(), figures));
    return figures;
  }

  private static void take(String name, String text, Map<String, Double> figures) {
    if (name.equals(LATENCY)) {
      String[] values = text.split("/", -1);
      for (int i = 0; i < values.length && values.length == LATENCIES.size(); i++) {
        put(LATENCIES.get(i), values[i], figures);
      }
    } else if (FIGURES.containsKey(name)) {
      put(FIGURES.get(name), text, figures);
    }
  }

  private static void put(String name, String text, Map<String, Double> figures) {
    Figure.parse(text).ifPresent(value -> figures.put(name, value));
  }
}
