// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Linearizability.Verdict;
import io.quorate.history.OrderSearch.SequentialModel;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The histories whose verdicts are known from Porcupine's tests: put, get and append of texts. */
class PorcupineHistoriesTest {
  private static final Pattern LINE =
      Pattern.compile(
          "\\{:process (\\d+), :type :(\\w+), :f :(\\w+), :key \"(.*)\", :value (?:nil|\"(.*)\")}");

  /**
   * A text of each value; an append is recorded as a delete in a transaction, the text's number.
   */
  private record Texts(List<String> texts) implements SequentialModel<String> {
    @Override
    public String initial() {
      return "";
    }

    @Override
    public boolean allows(String state, RecordedRequest request) {
      return !request.isRead() || state.equals(text(request));
    }

    @Override
    public String after(String state, RecordedRequest request) {
      return switch (request.action()) {
        case PUT -> text(request);
        case DELETE -> state + text(request);
        default -> state;
      };
    }

    private String text(RecordedRequest request) {
      return texts.get((int) request.txn());
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
    Texts texts = new Texts(new ArrayList<>());
    List<Verdict> verdicts =
        read(name, texts).stream()
            .collect(Collectors.groupingBy(RecordedRequest::key))
            .values()
            .stream()
            .map(each -> new OrderSearch<>(texts, each).search(states -> states >= 100_000))
            .toList();

    if (isLinearizable) {
      assertThat(verdicts).containsOnly(Verdict.LINEARIZABLE);
    } else {
      assertThat(verdicts).contains(Verdict.NOT_LINEARIZABLE);
    }
  }

  /** Returns the requests; the number of a line is its time. */
  private static Collection<RecordedRequest> read(String name, Texts texts) throws IOException {
    Map<Integer, RecordedRequest> open = new HashMap<>();
    List<RecordedRequest> requests = new ArrayList<>();
    for (String line : lines(name)) {
      Matcher parts = LINE.matcher(line);
      assertThat(parts.matches()).as(line).isTrue();
      int process = Integer.parseInt(parts.group(1));
      long number = texts.texts.size();
      texts.texts.add(parts.group(5) == null ? "" : parts.group(5));
      Action action =
          switch (parts.group(3)) {
            case "get" -> Action.GET;
            case "put" -> Action.PUT;
            default -> Action.DELETE;
          };
      boolean isInvocation = parts.group(2).equals("invoke");
      long invoked = isInvocation ? number : open.remove(process).invokedNanos();
      RecordedRequest request =
          new RecordedRequest(
              process,
              action,
              Long.parseLong(parts.group(4)),
              action == Action.PUT ? 1 : 0,
              0,
              0,
              invoked,
              isInvocation ? RecordedRequest.NEVER : number,
              isInvocation ? Outcome.UNKNOWN : Outcome.OK,
              number);
      if (isInvocation) {
        open.put(process, request);
      } else {
        requests.add(request);
      }
    }
    open.values().stream().filter(each -> !each.isRead()).forEach(requests::add);
    return requests;
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
