// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a session reports. */
final class RecordedSession implements SessionListener {
  private final List<Long> renewals = new CopyOnWriteArrayList<>();
  private final List<String> losses = new CopyOnWriteArrayList<>();

  @Override
  public void renewed(long sentNanos, long nanos) {
    assertThat(sentNanos).isLessThanOrEqualTo(nanos);
    renewals.add(nanos);
  }

  @Override
  public void lost(String why) {
    losses.add(why);
  }

  List<Long> renewals() {
    return renewals;
  }

  List<String> losses() {
    return losses;
  }
}
