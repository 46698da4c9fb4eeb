// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.load.Connector;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A run with keys in a cluster.
 *
 * @param prefix beginning of its keys, such as {@code quorate/RUN/}
 * @param keys number of its keys, in ZooKeeper of its nodes
 * @param lastAlive time of its {@link RunMark}; empty without one, as in earlier versions
 */
public record LeftRun(String prefix, long keys, Optional<Instant> lastAlive) {
  private static final int PAGE = 1000;

  /**
   * Finds the runs with keys below a prefix, in the order of their names.
   *
   * @param root prefix of all runs, such as {@code quorate/}
   */
  public static List<LeftRun> find(Connector asked, Capabilities can, String root) {
    Connector connector = asked.withTimeout(KeyRemoval.REQUEST_TIMEOUT);
    Map<String, Long> counts = new TreeMap<>();
    if (!can.range().isByPrefix()) {
      connector.atAny(
          settings -> {
            counts.clear();
            connector.client().nodes(settings, root).forEach(key -> count(key, root, counts));
          });
    }
    List<LeftRun> runs = new ArrayList<>();
    RunMark.withConnection(
        connector,
        open -> {
          Request.Range page =
              new Request.Range(
                  root.getBytes(ISO_8859_1),
                  can.range().isLimited() ? PAGE : 0,
                  ReturnedValue.KEYS,
                  ReadConsistency.LINEARIZABLE);
          boolean more = can.range().isByPrefix();
          while (more
              && KeyRemoval.ask(open, page) instanceof Answer.Entries answer
              && !answer.entries().isEmpty()) {
            List<Answer.Entry> found = answer.entries();
            found.forEach(each -> count(new String(each.key(), ISO_8859_1), root, counts));
            page = page.behind(found.get(found.size() - 1).key(), answer.revision());
            more = can.range().isLimited();
          }
          counts.forEach(
              (name, count) -> {
                byte[] mark = (root + name).getBytes(ISO_8859_1);
                Answer read =
                    KeyRemoval.ask(open, new Request.Get(mark, ReadConsistency.LINEARIZABLE));
                Optional<Instant> alive =
                    read instanceof Answer.Found known
                        ? RunMark.time(known.value())
                        : Optional.empty();
                runs.add(new LeftRun(root + name + "/", count, alive));
              });
        });
    return List.copyOf(runs);
  }

  /** Adds a key to those of its run, if it has one; a mark only shows that there is a run. */
  static void count(String key, String root, Map<String, Long> counts) {
    String[] parts = key.substring(root.length()).split("/", 2);
    if (!parts[0].isEmpty()) {
      counts.merge(parts[0], parts.length > 1 ? 1L : 0L, Long::sum);
    }
  }

  /** Returns whether it was alive after a time, or may have been. */
  public boolean mayLive(Instant since) {
    return lastAlive.map(alive -> alive.isAfter(since)).orElse(true);
  }
}
