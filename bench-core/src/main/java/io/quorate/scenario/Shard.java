// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of several load generators that generate the load of a scenario together. Each gets the same
 * share of divisible amounts; the first ones get one more each if there is a remainder.
 *
 * @param number number of the shard, from 1
 */
public record Shard(int number, int count) {
  /** The only load generator, which generates the whole load. */
  public static final Shard WHOLE = new Shard(1, 1);

  /** Largest number of shards: more load generators than a cluster of five members can serve. */
  public static final int MOST = 1000;

  private static final Pattern TEXT = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

  public Shard {
    if (number < 1 || count < number || count > MOST) {
      throw new IllegalArgumentException("shard " + number + " of " + count);
    }
  }

  /** Reads a text such as {@code 3/8}. */
  public static Shard parse(String text) {
    Matcher shard = TEXT.matcher(text.strip());
    if (shard.matches()) {
      int number = Integer.parseInt(shard.group(1));
      int count = Integer.parseInt(shard.group(2));
      if (number >= 1 && number <= count && count <= MOST) {
        return new Shard(number, count);
      }
    }
    throw new QuorateException(
        "shard: found %s, expected the number of this load generator and how many there are, at most %d: 1/8 to 8/8"
            .formatted(VisibleText.quoted(text), MOST));
  }

  public boolean isWhole() {
    return count == 1;
  }

  public long share(long total) {
    return total / count + (number <= total % count ? 1 : 0);
  }

  public int share(int total) {
    return (int) share((long) total);
  }

  /** Returns the sum of the shares of the shards before it. */
  public long before(long total) {
    return total / count * (number - 1) + Math.min(number - 1, total % count);
  }

  public String asOption() {
    return number + "/" + count;
  }

  @Override
  public String toString() {
    return "shard " + number + " of " + count;
  }

  /**
   * Converts the number of a shard's request to its number among the requests of all shards. A
   * shard sends every n-th request of each step. The operation and the scheduled send time follow
   * from that number, so that they are the same for any number of shards.
   *
   * @param own number of the first request of each step, of this shard; not to be changed
   * @param all these numbers of all shards together
   */
  public record RequestNumbers(Shard shard, long[] own, long[] all) {
    public static RequestNumbers of(Shard shard, List<Step> whole) {
      long[] own = new long[whole.size()];
      long[] all = new long[whole.size()];
      for (int i = 1; i < own.length; i++) {
        own[i] = own[i - 1] + shard.share(whole.get(i - 1).requests());
        all[i] = all[i - 1] + whole.get(i - 1).requests();
      }
      return new RequestNumbers(shard, own, all);
    }

    public static RequestNumbers of(Shard shard) {
      return new RequestNumbers(shard, new long[1], new long[1]);
    }

    public long of(long index) {
      if (shard.isWhole()) {
        return index;
      }
      int step = own.length - 1;
      while (index < own[step]) {
        step--;
      }
      return all[step] + (index - own[step]) * shard.count() + shard.number() - 1;
    }
  }
}
