package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Linearizability.Verdict;
import io.quorate.history.OrderSearch.SequentialModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The histories whose verdicts are known from Porcupine's tests. */
class PorcupineHistoriesTest {
  private static final Pattern LINE =
      Pattern.compile(
          "\\{:process (\\d+), :type :(\\w+), :f :(\\w+), :key \"(.*)\", :value (?:nil|\"(.*)\")}");

  /** Put, get or append of a text to one key; the text of a get is its result. */
  private record TextRequest(String function, String text, long invoked, long completed) {}

  private static final class TextModel implements SequentialModel<TextRequest, String> {
    @Override
    public String initial() {
      return "";
    }

    @Override
    public long invokedNanos(TextRequest request) {
      return request.invoked;
    }

    @Override
    public long completedNanos(TextRequest request) {
      return request.completed;
    }

    @Override
    public boolean allows(String state, TextRequest request) {
      return !request.function.equals("get") || request.text.equals(state);
    }

    @Override
    public String after(String state, TextRequest request) {
      return switch (request.function) {
        case "put" -> request.text;
        case "append" -> state + request.text;
        default -> state;
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "c01-ok, true",
    "c01-bad, false",
    "c10-ok, true",
    "c10-bad, false",
    "c50-ok, true",
    "c50-bad, false"
  })
  void the_verdict_is_that_of_porcupine(String name, boolean isLinearizable) throws IOException {
    List<Verdict> verdicts =
        read(name).values().stream()
            .map(
                calls ->
                    new OrderSearch<>(new TextModel(), calls)
                        .search(states -> states >= 100_000)
                        .verdict())
            .toList();

    if (isLinearizable) {
      assertThat(verdicts).containsOnly(Verdict.LINEARIZABLE);
    } else {
      assertThat(verdicts).contains(Verdict.NOT_LINEARIZABLE);
    }
  }

  /** Returns the calls by key; the number of a line is its time. */
  private static Map<String, List<TextRequest>> read(String name) throws IOException {
    record Invocation(String function, String key, String text, long line) {}
    Map<String, List<TextRequest>> calls = new HashMap<>();
    Map<String, Invocation> open = new HashMap<>();
    long number = 0;
    for (String line : lines(name)) {
      Matcher parts = LINE.matcher(line);
      assertThat(parts.matches()).as(line).isTrue();
      String text = parts.group(5) == null ? "" : parts.group(5);
      number++;
      if (parts.group(2).equals("invoke")) {
        open.put(parts.group(1), new Invocation(parts.group(3), parts.group(4), text, number));
      } else {
        Invocation begun = open.remove(parts.group(1));
        calls
            .computeIfAbsent(begun.key, key -> new ArrayList<>())
            .add(new TextRequest(begun.function, text, begun.line, number));
      }
    }
    open.values().stream()
        .filter(each -> !each.function.equals("get"))
        .forEach(
            each ->
                calls
                    .computeIfAbsent(each.key, key -> new ArrayList<>())
                    .add(new TextRequest(each.function, each.text, each.line, OrderSearch.OPEN)));
    return calls;
  }

  private static List<String> lines(String name) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                PorcupineHistoriesTest.class.getResourceAsStream("porcupine/" + name + ".txt"),
                StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }
}
