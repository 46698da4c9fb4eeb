package io.quorate.scenario;

import io.quorate.Named;

/**
 * The keys of a scenario.
 *
 * @param sizeBytes the length of every key
 * @param order how the key of each request is chosen
 * @param count how many different keys there are
 * @param prepared whether all of them are written before the first request: so if requests read or
 *     remove keys, and for writes with fewer keys than the unscaled scenario has requests, which
 *     then update; otherwise each request creates a key
 * @param hotSet of meaning for {@link Order#HOT_SET}
 * @param first the number of the first key; above 0 if others have those before it
 * @param prefix with which every key begins, counted in its size; empty if keys consist of their
 *     number only. It ends with a slash
 */
public record KeySpace(
    int sizeBytes,
    Order order,
    long count,
    boolean prepared,
    HotSet hotSet,
    long first,
    String prefix) {
  /** A fifth of the keys gets four fifths of the requests. */
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

  KeySpace below(String itsPrefix) {
    return new KeySpace(sizeBytes, order, count, prepared, hotSet, first, itsPrefix);
  }

  /** The way in which the key of each request is chosen. */
  public enum Order implements Named {
    /** Keys 0, 1, 2, ... and from the start again. */
    SEQUENTIAL,
    /** Every key once in an order drawn from the seed, and from the start again. */
    RANDOM,
    /** Each key as often as another one, drawn anew for each request. */
    UNIFORM,
    /**
     * Few keys very often, as YCSB draws them: the k-th most popular key in proportion to 1 / k to
     * the power of 0.99. The popular keys are scattered over the key space.
     */
    ZIPFIAN,
    /** As zipfian, but the keys that were written last are the popular ones. */
    LATEST,
    /** A part of the keys gets most of the requests; see {@link HotSet}. */
    HOT_SET;

    /** Returns whether each key comes once before one comes again. */
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
