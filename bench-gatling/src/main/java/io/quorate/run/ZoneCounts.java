// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.results.ZoneTraffic;
import java.util.List;
import java.util.Map;

/** Records what is sent between zones in each step. */
final class ZoneCounts implements RunPart {
  private final RunContext run;
  private Map<String, Long> before = Map.of();

  ZoneCounts(RunContext run) {
    this.run = run;
  }

  @Override
  public void stepBegins(int step) {
    before = run.cluster().bytesBetweenZones();
  }

  @Override
  public void stepEnded(int step) {
    Map<String, Long> after;
    try {
      after = run.cluster().bytesBetweenZones();
    } catch (QuorateException ended) {
      // the relay has ended with the cluster, so nothing is known of the step
      return;
    }
    List<ZoneTraffic> traffic =
        after.entrySet().stream()
            .map(
                link ->
                    new ZoneTraffic(
                        step,
                        link.getKey(),
                        link.getValue() - before.getOrDefault(link.getKey(), 0L)))
            .toList();
    if (!traffic.isEmpty()) {
      ZoneTraffic.FILE.append(run.directory(), traffic);
    }
  }
}
