// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.ByteSize;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.ClientKind;
import io.quorate.store.ReadConsistency;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The load of a run.
 *
 * @param onFailure what connections did when their member failed
 * @param valueBytes length of every value, or the mean of several lengths, see {@link #values()}
 * @param valueSizes sizes of values; empty if all values have the same size
 * @param coldStart true if the load generator was not warmed up by time; empty otherwise
 * @param realTime whether the load generator had real-time priority; empty if it was not requested
 */
public record LoadInfo(
    OperationMix mix,
    ReadConsistency consistency,
    Routing routing,
    Duration requestTimeout,
    long seed,
    int keyBytes,
    int valueBytes,
    List<Step> steps,
    ClientName client,
    KeySpace keys,
    Optional<Boolean> realTime,
    ConnectionBinding onFailure,
    Optional<ValueSizes> valueSizes,
    Optional<Boolean> coldStart) {
  public LoadInfo {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("steps: found [], expected one step or more");
    }
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new IllegalArgumentException(
          "requestTimeout: found " + requestTimeout + ", expected more than 0");
    }
  }

  /**
   * The client of a store.
   *
   * @param name name, such as {@code http2}
   */
  public record ClientName(String name, @JsonProperty("default") boolean isDefault) {}

  static LoadInfo of(Scenario scenario, StoreLoad load, ClientKind client) {
    return new LoadInfo(
        scenario.requests().mix(),
        scenario.requests().consistency(),
        scenario.requests().routing(),
        scenario.requests().timeout(),
        scenario.requests().seed(),
        scenario.requests().keys().sizeBytes(),
        scenario.requests().values().meanBytes(),
        load.steps(),
        new ClientName(client.id(), load.database().isDefaultClient(client)),
        scenario.requests().keys(),
        Optional.empty(),
        scenario.requests().onFailure(),
        Optional.of(scenario.requests().values()).filter(sizes -> !sizes.isFixed()),
        Optional.of(true).filter(any -> scenario.requests().coldStart()));
  }

  public LoadInfo withRealTime(boolean granted) {
    return new LoadInfo(
        mix,
        consistency,
        routing,
        requestTimeout,
        seed,
        keyBytes,
        valueBytes,
        steps,
        client,
        keys,
        Optional.of(granted),
        onFailure,
        valueSizes,
        coldStart);
  }

  /** Returns the operations in words; those of each phase or group if they have separate ones. */
  public String operations() {
    String each =
        steps.stream()
            .flatMap(step -> step.parts().stream())
            .flatMap(part -> part.shares().stream())
            .map(OperationMix::text)
            .distinct()
            .collect(Collectors.joining("; "));
    return each.isEmpty() ? mix.toString() : each;
  }

  /** Returns {@code 256 B keys, 1 KiB values}; empty if the operations use no keys. */
  public Optional<String> sizes() {
    return Optional.of(
            "%s keys, %s values%s"
                .formatted(
                    size(keyBytes), size(valueBytes), values().isFixed() ? "" : " on average"))
        .filter(any -> mix.usesKeys());
  }

  private static String size(int bytes) {
    String text = ByteSize.text(bytes);
    return Character.isDigit(text.charAt(text.length() - 1))
        ? NumberFormats.commas(bytes) + " B"
        : text.replaceFirst("(?=[A-Za-z])", " ");
  }

  /** Returns the sizes of the values. */
  public ValueSizes values() {
    return valueSizes.orElseGet(() -> ValueSizes.fixed(valueBytes));
  }

  /** Returns whether the load generator had real-time priority, in words. */
  public String realTimeText() {
    return realTime.map(granted -> granted ? "granted" : "refused by the system").orElse("none");
  }

  /**
   * Returns whether some step ends by time, so that fewer requests than the maximum are not an
   * error.
   */
  public boolean endsByTime() {
    return steps.stream().anyMatch(Step::endsByTime);
  }

  public long requests() {
    return steps.stream().mapToLong(Step::requests).sum();
  }
}
