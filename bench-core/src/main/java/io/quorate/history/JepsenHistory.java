// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.FileAction;
import io.quorate.FileFailure;
import io.quorate.VisibleText;
import io.quorate.format.StrictJson;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a history as Jepsen does, one file for each key, since Knossos checks one register:
 *
 * <pre>
 * java -jar elle-cli-0.1.9-standalone.jar --model cas-register jepsen/key-*.json
 * </pre>
 *
 * <p>A missing value is 0, which the first two events write, because Knossos lets a read of {@code
 * null} pass. A delete writes 0, and a compare-and-set whose expected value was left out writes.
 * Stale gets and gets without an answer are left out. A process of Jepsen has one request at a
 * time, and none after an unknown outcome, when a client continues as another process.
 */
public final class JepsenHistory {
  private JepsenHistory() {}

  private record Event(
      int index, String type, int process, String f, Optional<Object> value, long time) {}

  /** One end of a request. */
  private record Moment(RecordedRequest request, int process, boolean isEnd) {
    private long nanos() {
      return isEnd ? request.completedNanos() : request.invokedNanos();
    }

    private Event event(int index) {
      boolean isCas =
          request.action() == Action.COMPARE_AND_SET && request.expected() != RecordedRequest.ANY;
      Object value =
          isCas
              ? List.of(request.expected(), request.written())
              : (Object) (request.isRead() ? request.read() : request.written());
      return new Event(
          index,
          isEnd ? type() : "invoke",
          process,
          isCas ? "cas" : request.isRead() ? "read" : "write",
          Optional.of(value).filter(each -> isEnd || !request.isRead()),
          nanos());
    }

    private String type() {
      return request.isOk() ? "ok" : request.isOpen() ? "info" : "fail";
    }
  }

  /**
   * Writes {@code key-N.json} for each key.
   *
   * @param directory directory, which is created if it does not exist
   * @throws io.quorate.QuorateException if a file cannot be written
   */
  public static void write(Path directory, Collection<RecordedRequest> history) {
    FileAction.require(
        VisibleText.of(directory.toString()) + ": cannot be created",
        () -> Files.createDirectories(directory));
    UniqueValues.byKey(history)
        .forEach(
            (key, requests) -> write(directory.resolve("key-" + key + ".json"), moments(requests)));
  }

  private static void write(Path file, List<Moment> moments) {
    try (Writer out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < moments.size(); i++) {
        out.write((i == 0 ? "[" : ",\n") + StrictJson.line(moments.get(i).event(i)).strip());
      }
      out.write("]\n");
    } catch (IOException impossible) {
      throw FileFailure.exception(
          VisibleText.of(file.toString()) + ": cannot be written", impossible);
    }
  }

  /** Returns the moments by time, after the write of 0 by a process with the next number. */
  private static List<Moment> moments(List<RecordedRequest> requests) {
    int clients = 1 + requests.stream().mapToInt(RecordedRequest::client).max().orElse(0);
    Map<Integer, Moment> lastOfClient = new HashMap<>();
    List<Moment> moments = new ArrayList<>();
    requests.stream()
        .filter(each -> !each.isRead() || each.isLinearizableRead())
        .sorted(Comparator.comparingLong(RecordedRequest::invokedNanos))
        .forEach(
            each -> {
              Moment last = lastOfClient.get(each.client());
              int process = last == null ? each.client() : last.process;
              boolean isBusy =
                  last != null && (last.request.isOpen() || last.nanos() >= each.invokedNanos());
              process += isBusy ? clients + 1 : 0;
              Moment end = new Moment(each, process, true);
              lastOfClient.put(each.client(), end);
              moments.add(new Moment(each, process, false));
              moments.add(end);
            });
    moments.removeIf(each -> each.nanos() == RecordedRequest.NEVER);
    moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
    RecordedRequest first =
        new RecordedRequest(clients, Action.DELETE, 0, 0, 0, 0, 0, 0, Outcome.OK, 0);
    moments.addAll(0, List.of(new Moment(first, clients, false), new Moment(first, clients, true)));
    return moments;
  }
}
