// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the sentences, tables and marks of a finished page with the values for programs, and
 * with each other. It knows all sentences: a new one is a problem until its pattern is known.
 */
abstract class SentenceCheck {
  final FirstScreen page;
  private final Map<Pattern, Consumer<MatchResult>> known = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private String place = "";

  SentenceCheck(FirstScreen page) {
    this.page = page;
    explains("[*‡§†¶] .*");
  }

  /** Compares tables and marks, which are no sentences. */
  abstract void values();

  /** Returns all contradictions and all unknown sentences. */
  final List<String> problems() {
    values();
    for (String each : page.sentences()) {
      at(each);
      boolean found = false;
      for (Map.Entry<Pattern, Consumer<MatchResult>> entry : known.entrySet()) {
        Matcher matcher = entry.getKey().matcher(each);
        if (matcher.matches()) {
          entry.getValue().accept(matcher);
          found = true;
          break;
        }
      }
      expect(found, "unknown sentence: add its pattern to " + getClass().getSimpleName());
    }
    return problems;
  }

  /** Sets what the next problems are about. */
  final void at(String sentence) {
    place = sentence;
  }

  final void know(String pattern, Consumer<MatchResult> check) {
    known.put(Pattern.compile(pattern), check);
  }

  /** Adds a sentence without values of its own. */
  final void explains(String pattern) {
    know(pattern, any -> {});
  }

  final void expect(boolean kept, String otherwise) {
    if (!kept) {
      problems.add(otherwise + ": " + place);
    }
  }
}
