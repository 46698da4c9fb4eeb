// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects remarks about missing measurements, each once, at most {@value #LIMIT}. Safe for several
 * threads.
 */
final class SamplingWarnings {
  private static final int LIMIT = 100;
  private static final int MAX_CHARACTERS = 1_000;

  private final Set<String> texts = new LinkedHashSet<>();

  synchronized void add(String text) {
    if (texts.size() < LIMIT) {
      texts.add(text.substring(0, Math.min(text.length(), MAX_CHARACTERS)));
    }
  }

  synchronized List<String> all() {
    return List.copyOf(texts);
  }
}
