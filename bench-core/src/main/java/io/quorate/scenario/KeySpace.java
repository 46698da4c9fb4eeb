// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.Named;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The keys of a scenario.
 *
 * @param sizeBytes the length of every key
 * @param count how many different keys there are
 * @param prepared whether all keys are written before the first request. They are if requests read
 *     or remove keys, or if the unscaled scenario has fewer keys than requests, which then update.
 *     Otherwise each request creates a key
 * @param hotSet popular keys, used only with {@link Order#HOTSPOT}
 * @param first the number of the first key; above 0 if other shards have the keys before it
 * @param prefix common prefix of every key, included in its size, ending with a slash; empty if
 *     keys consist of their number only
 * @param ttl time after which the store removes a key, from its last write on; empty if it never
 *     does
 * @param resources parts of the keys, one after the other, with the requests of each; empty if all
 *     keys are alike
 */
public record KeySpace(
    int sizeBytes,
    Order order,
    long count,
    boolean prepared,
    HotSet hotSet,
    long first,
    String prefix,
    Optional<Duration> ttl,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<Resource> resources) {
  /** Default hot set: a fifth of the keys gets four fifths of the requests. */
  public static final HotSet USUAL_HOT_SET = new HotSet(20, 80);

  /** The key space of requests that have no keys. */
  public static final KeySpace NONE = new KeySpace(0, Order.SEQUENTIAL, 1, true, USUAL_HOT_SET);

  public KeySpace {
    if (count < 1 || first < 0) {
      throw new IllegalArgumentException("a key space needs count >= 1, first >= 0");
    }
  }

  /** Creates a key space that begins with key 0; keys consist of their number. */
  public KeySpace(int sizeBytes, Order order, long count, boolean prepared, HotSet hotSet) {
    this(sizeBytes, order, count, prepared, hotSet, 0, "");
  }

  /** Creates a key space whose keys never end by themselves. */
  public KeySpace(
      int sizeBytes,
      Order order,
      long count,
      boolean prepared,
      HotSet hotSet,
      long first,
      String prefix) {
    this(sizeBytes, order, count, prepared, hotSet, first, prefix, Optional.empty(), List.of());
  }

  /** Returns the same keys, which end by themselves after a time, if one is given. */
  public KeySpace ending(Optional<Duration> after) {
    return new KeySpace(sizeBytes, order, count, prepared, hotSet, first, prefix, after, resources);
  }

  KeySpace below(String itsPrefix) {
    return new KeySpace(
        sizeBytes, order, count, prepared, hotSet, first, itsPrefix, ttl, resources);
  }

  /** Returns the same keys, counted from key 0 in every shard. */
  public KeySpace fromTheFirst() {
    return new KeySpace(sizeBytes, order, count, prepared, hotSet, 0, prefix, ttl, resources);
  }

  /** Returns the resource with a name; empty if there is none. */
  public Optional<Resource> of(String name) {
    return resources.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns the prefixes of separate watches: one, or those of the watched resources. */
  public List<String> watchedPrefixes() {
    return resources.isEmpty()
        ? List.of(prefix)
        : resources.stream()
            .filter(Resource::watched)
            .flatMap(each -> IntStream.range(0, each.prefixes()).mapToObj(each::prefix))
            .map(each -> prefix + each)
            .toList();
  }

  /** Returns the same keys, which consist of resources. */
  public KeySpace of(List<Resource> parts) {
    return new KeySpace(
        sizeBytes, order, count, prepared, hotSet, first, prefix, ttl, List.copyOf(parts));
  }

  /** Returns after which time they end, as the end of a description; empty if they never do. */
  public String ends() {
    return ttl.map(time -> ", each ends after " + time.toSeconds() + " s").orElse("");
  }

  /** The way in which the key of each request is chosen. */
  public enum Order implements Named {
    /** Keys 0, 1, 2, ... and from the start again. */
    SEQUENTIAL,
    /** Every key once in an order drawn from the seed, and from the start again. */
    RANDOM,
    /** All keys with the same probability, drawn anew for each request. */
    UNIFORM,
    /**
     * Few keys very often, as YCSB draws them: the k-th most popular key in proportion to 1 / k to
     * the power of 0.99. The popular keys are scattered over the key space.
     */
    ZIPFIAN,
    /** As {@link #ZIPFIAN}, but the last written keys are the popular ones. */
    LATEST,
    /** A part of the keys gets most of the requests; see {@link HotSet}. */
    @JsonAlias("hot-set")
    HOTSPOT;

    /** Returns whether each key is used once before one is used again. */
    public boolean takesEachKeyOnce() {
      return this == SEQUENTIAL || this == RANDOM;
    }
  }

  /**
   * The keys that get most of the requests.
   *
   * @param keysPercent their part of the key space, 1 to 99
   * @param requestsPercent their part of the requests, 1 to 99
   */
  public record HotSet(int keysPercent, int requestsPercent) {
    public HotSet {
      if (Math.min(keysPercent, requestsPercent) < 1
          || Math.max(keysPercent, requestsPercent) > 99) {
        throw new IllegalArgumentException("a hot set needs percentages from 1 to 99");
      }
    }
  }
}
