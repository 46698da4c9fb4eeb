// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order in which the databases or cells of a repeated run take turns: {@code abba}, which
 * cancels a steady drift of the machine, {@code abab}, or {@code random}, which is shuffled for
 * each repeat.
 *
 * @param name one of the three
 * @param seed seed of {@code random}, 0 for the others
 */
public record RunOrder(String name, long seed) {
  static final String EXPECTED = "abba, abab, random or random:SEED";

  static final RunOrder ABBA = new RunOrder("abba", 0);

  private static final String RANDOM = "random";
  private static final Pattern FORM = Pattern.compile("(abba|abab)|random(?::([0-9]{1,18}))?");

  /** Parses an order; {@code random} alone gets a new seed. */
  static Optional<RunOrder> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    if (matcher.group(1) != null) {
      return Optional.of(new RunOrder(matcher.group(1), 0));
    }
    long seed =
        matcher.group(2) == null
            ? new SplittableRandom().nextLong(1_000_000_000)
            : Long.parseLong(matcher.group(2));
    return Optional.of(new RunOrder(RANDOM, seed));
  }

  /** Returns the cells of a repeat, from 1, in the order of their runs. */
  public <T> List<T> of(List<T> cells, int repeat) {
    List<T> ordered = new ArrayList<>(cells);
    if (name.equals(RANDOM)) {
      Random random = new Random(seed);
      for (int i = 1; i <= repeat; i++) { // seeds in a row begin alike, so there is one
        Collections.shuffle(ordered, random);
      }
    } else if (name.equals(ABBA.name) && repeat % 2 == 0) {
      Collections.reverse(ordered);
    }
    return List.copyOf(ordered);
  }

  @Override
  public String toString() {
    return name.equals(RANDOM) ? name + ":" + seed : name;
  }
}
