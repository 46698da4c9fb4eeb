// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.Ramp;
import java.time.Duration;
import java.util.Optional;

/** The change of a rate, as written in a file. */
final class RampSpec {
  private RampSpec() {}

  /** Reads a ramp; its first rate and its time are those of the load. */
  static Optional<Ramp> read(Section section) {
    Field<Long> to = section.rate("to");
    Field<Integer> stairs = section.count("stairs");
    Field<Integer> spikes = section.count("spikes");
    Field<Integer> percent = section.count("spike-percent");
    if (section.has("stairs") && section.has("spikes")) {
      section.report("spikes", "the key 'spikes' together with 'stairs'", "one of them");
    }
    if (section.has("spike-percent") && !section.has("spikes")) {
      section.report("spike-percent", "the key 'spike-percent' without 'spikes'", "it with spikes");
    }
    return to.value()
        .filter(any -> !stairs.wrong() && !spikes.wrong() && !percent.wrong())
        .map(
            rate ->
                new Ramp(
                    rate,
                    rate,
                    stairs.value().orElse(0),
                    spikes.value().orElse(0),
                    percent.effective(),
                    Duration.ofSeconds(1)));
  }
}
