// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.format.StateFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Orders for a relay in another process, through files in its directory. An order takes some
 * milliseconds. For one thread at a time.
 */
public record RelayControl(Path directory) {
  /** How often the relay looks for an order; more often, this would take a part of its CPU. */
  static final Duration ORDER_POLL = Duration.ofMillis(5);

  private static final Duration REPORT_POLL = Duration.ofMillis(1);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * Lets an effect begin on some hops, and waits until it has.
   *
   * @throws QuorateException if the relay does not report that within 10 s
   */
  public RelayReport begin(NetworkEffect effect, Collection<Hop> hops) {
    return give(Optional.of(effect), hops);
  }

  /**
   * Restores some hops: what was held is delivered, also new connections.
   *
   * @throws QuorateException if the relay does not report that within 10 s
   */
  public RelayReport restore(Collection<Hop> hops) {
    return give(Optional.empty(), hops);
  }

  private RelayReport give(Optional<NetworkEffect> effect, Collection<Hop> hops) {
    int number = report().map(RelayReport::number).orElse(0) + 1;
    orderFile().write(new RelayOrder(number, effect, List.copyOf(hops)));
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      Optional<RelayReport> report = report().filter(each -> each.number() == number);
      if (report.isPresent()) {
        return report.get();
      }
      if (System.nanoTime() > deadline) {
        throw new QuorateException(
            "the relay does not carry out an order within " + LIMIT.toSeconds() + " s");
      }
      Pause.of(REPORT_POLL, "the relay");
    }
  }

  private Optional<RelayReport> report() {
    return reportFile().read(RelayReport.class);
  }

  /** Takes the next order, once; empty if there is none. */
  Optional<RelayOrder> nextOrder() {
    if (!orderFile().exists()) {
      return Optional.empty();
    }
    Optional<RelayOrder> order = orderFile().read(RelayOrder.class);
    orderFile().delete();
    return order;
  }

  void write(RelayReport report) {
    reportFile().write(report);
  }

  private StateFile orderFile() {
    return new StateFile(directory.resolve("order.json"));
  }

  private StateFile reportFile() {
    return new StateFile(directory.resolve("report.json"));
  }
}
