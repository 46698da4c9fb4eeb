// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayControlTest {
  private static final List<Hop> HOPS = Hop.both(1, 2);

  @TempDir private Path directory;

  @Test
  void orders_have_numbers_and_each_waits_for_its_report() {
    RelayControl control = new RelayControl(directory);
    assertThat(control.nextOrder()).isEmpty();
    CompletableFuture<RelayReport> cut =
        CompletableFuture.supplyAsync(() -> control.begin(NetworkEffect.HOLD, HOPS));
    assertThat(next(control)).isEqualTo(new RelayOrder(1, Optional.of(NetworkEffect.HOLD), HOPS));
    assertThat(control.nextOrder()).isEmpty();
    control.write(new RelayReport(1, 4, 0));
    assertThat(cut.join()).isEqualTo(new RelayReport(1, 4, 0));

    CompletableFuture<RelayReport> end =
        CompletableFuture.supplyAsync(() -> new RelayControl(directory).restore(HOPS));
    assertThat(next(control)).isEqualTo(new RelayOrder(2, Optional.empty(), HOPS));
    control.write(new RelayReport(2, 3, 500));
    assertThat(end.join()).isEqualTo(new RelayReport(2, 3, 500));
  }

  private static RelayOrder next(RelayControl control) {
    while (true) {
      Optional<RelayOrder> order = control.nextOrder();
      if (order.isPresent()) {
        return order.get();
      }
      Thread.onSpinWait();
    }
  }
}
