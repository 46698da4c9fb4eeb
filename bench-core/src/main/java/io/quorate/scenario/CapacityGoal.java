// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.ByteSize;
import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A search for the capacity of each database, instead of the load of a scenario.
 *
 * @param limits limits that the load has to keep, at least one
 * @param preloadBytes bytes of preloaded keys and values, in addition to the scenario's, with which
 *     the search is repeated, ascending; empty for none
 * @param unit what sends the requests, in whose number the capacity is also stated; empty for none
 * @param watch watchers of all trials, whose events are not recorded; empty for none
 */
public record CapacityGoal(
    List<ServiceLevel> limits,
    Search search,
    Load load,
    List<Long> preloadBytes,
    Optional<Unit> unit,
    Optional<WatchLoad> watch) {
  /**
   * A thing that sends requests, such as a node of a Kubernetes cluster.
   *
   * @param name its name in the singular
   * @param every time between two requests of one
   * @param parts what each of them has, such as {@code each with 30 Pods}; empty if that is not
   *     said
   */
  public record Unit(
      String name,
      Duration every,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
          String parts) {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Creates a unit of which only the requests are known. */
    public Unit(String name, Duration every) {
      this(name, every, "");
    }

    /** Returns the nodes of a Kubernetes cluster; empty if the requests have none. */
    public static Optional<Unit> of(Scenario scenario) {
      KeySpace keys = scenario.requests().keys();
      OptionalLong rate = scenario.databases().get(0).steps().get(0).model().rate();
      Optional<Long> nodes = keys.of("nodes").map(Resource::keys);
      if (nodes.isEmpty() || rate.isEmpty()) {
        return Optional.empty();
      }
      long pods =
          keys.of("pods").map(Resource::keys).orElse(0L)
              + scenario.requests().mix().objects().map(OperationMix.Objects::count).orElse(0);
      return Optional.of(
          new Unit(
              "node",
              Duration.ofNanos(nodes.get() * NANOS_PER_SECOND / rate.getAsLong()),
              "each with %s (with the data of %s; no start of an API server)"
                  .formatted(
                      NumberFormats.count(pods / nodes.get(), "Pod"),
                      NumberFormats.count(nodes.get(), "node"))));
    }

    /** Returns a number of them, with what each has: {@code 13,800 nodes, each with 30 Pods,}. */
    public String text(long requestsPerSecond) {
      String count = NumberFormats.count(count(requestsPerSecond), name);
      return parts.isEmpty() ? count : count + ", " + parts + ",";
    }

    /** Returns how many of them send a number of requests per second, rounded. */
    public long count(long requestsPerSecond) {
      return Math.round(requestsPerSecond * (every.toNanos() / (double) NANOS_PER_SECOND));
    }
  }

  /** The kinds of searches, by their precision. */
  public enum Search implements Named {
    /** A precision of 5%, in about 12 minutes. */
    FULL,
    /** A precision of 10%, in about 3 minutes. */
    QUICK
  }

  /** The kinds of load whose largest value within the limits is searched. */
  public enum Load implements Named {
    /** The most requests per second, sent on schedule. */
    RATE,
    /** The most clients of a closed loop. */
    CLIENTS
  }

  /** Reads sizes of stores, such as {@code 100MB}. */
  public static final class PreloadSizes {
    /** Description of a size. */
    public static final String SIZE = "a size from 1MB to 100GB, such as 100MB or 1GB";

    public static final String ASCENDING = "1 to 10 sizes, each above the one before";

    private static final int MAX_COUNT = 10;

    private static final long MIN_BYTES = 1_000_000;
    private static final long MAX_BYTES = 100_000_000_000L;

    private PreloadSizes() {}

    /** Returns the bytes of a size; empty if it is none, or out of bounds. */
    public static Optional<Long> bytes(String text) {
      return ByteSize.parse(text).filter(bytes -> bytes >= MIN_BYTES && bytes <= MAX_BYTES);
    }

    /** Reads ascending sizes that are separated by commas. */
    public static List<Long> parse(String text) {
      List<Long> sizes = new ArrayList<>();
      for (String each : text.split(",", -1)) {
        sizes.add(bytes(each.strip()).orElseThrow(() -> wrong(each.strip(), SIZE)));
      }
      if (!isAscending(sizes)) {
        throw wrong(text, ASCENDING);
      }
      return sizes;
    }

    private static QuorateException wrong(String found, String expected) {
      return new QuorateException(
          "capacity.preload: found %s, expected %s".formatted(VisibleText.quoted(found), expected));
    }

    /** Returns whether there are not too many sizes, each above the previous one. */
    public static boolean isAscending(List<Long> sizes) {
      return sizes.size() <= MAX_COUNT && sizes.equals(sizes.stream().distinct().sorted().toList());
    }
  }
}
