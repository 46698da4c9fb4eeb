package io.quorate.results.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The activity of the servers while a trial was measured, as far as it is known.
 *
 * @param diskBusy part of the time in which the disk of the members was busy, 0 to 1
 * @param networkBusy part of its speed that the busiest network interface used between the load
 *     generator and the members, 0 to 1
 * @param waitsMillis for how long members waited for something in 99% of the cases, the longest of
 *     all members, by what they waited for; what they do not report is missing
 * @param stalls snapshots that members began, from the beginning of the trial on
 */
public record ServerActivity(
    OptionalDouble busiestCores,
    OptionalDouble diskBusy,
    OptionalDouble networkBusy,
    Map<String, Double> waitsMillis,
    @JsonProperty("standstills") OptionalInt stalls) {
  public static final ServerActivity UNKNOWN =
      new ServerActivity(
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          Map.of(),
          OptionalInt.empty());

  public ServerActivity {
    waitsMillis = Collections.unmodifiableMap(new LinkedHashMap<>(waitsMillis));
  }
}
