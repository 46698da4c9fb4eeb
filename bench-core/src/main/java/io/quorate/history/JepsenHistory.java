package io.quorate.history;

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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a history as Jepsen does, one file for each key, since Knossos checks one register:
 *
 * <pre>
 * java -jar elle-cli-0.1.9-standalone.jar --model cas-register jepsen/key-*.json
 * </pre>
 *
 * <p>A missing value is 0, which the first two events write, because Knossos lets a read of {@code
 * null} pass. A delete writes 0. Stale gets and gets without an answer are left out. A process of
 * Jepsen has one request at a time, and none after an unknown outcome, when a client continues as
 * another process.
 */
public final class JepsenHistory {
  /** Number of the process that writes 0; the processes of a client differ by one more. */
  private final int clients;

  private final Map<Integer, Integer> processOfClient = new HashMap<>();
  private final Set<Integer> busy = new HashSet<>();
  private final List<Event> events = new ArrayList<>();

  private record Event(
      int index, String type, int process, String f, Optional<Object> value, long time) {}

  private record Moment(RecordedRequest request, boolean isEnd, long nanos) {}

  private JepsenHistory(long key, List<RecordedRequest> requests) {
    clients = 1 + requests.stream().mapToInt(RecordedRequest::client).max().orElse(0);
    RecordedRequest first =
        new RecordedRequest(clients, Action.DELETE, key, 0, 0, 0, 0, 0, Outcome.OK, 0);
    add("invoke", clients, first, false);
    add("ok", clients, first, true);
    Map<RecordedRequest, Integer> processes = new IdentityHashMap<>();
    for (Moment each : moments(requests)) {
      if (each.isEnd) {
        end(each.request, processes.get(each.request));
      } else {
        processes.put(each.request, begin(each.request));
      }
    }
  }

  /**
   * Writes {@code key-N.json} for each key.
   *
   * @param directory existing directory
   * @throws io.quorate.QuorateException if a file cannot be written
   */
  public static void write(Path directory, Collection<RecordedRequest> history) {
    UniqueValues.byKey(history)
        .forEach(
            (key, requests) ->
                new JepsenHistory(key, requests).write(directory.resolve("key-" + key + ".json")));
  }

  private void write(Path file) {
    try (Writer out = Files.newBufferedWriter(file)) {
      for (Event each : events) {
        out.write((each.index == 0 ? "[" : ",\n") + StrictJson.line(each).strip());
      }
      out.write("]\n");
    } catch (IOException impossible) {
      throw FileFailure.exception(
          VisibleText.of(file.toString()) + ": cannot be written", impossible);
    }
  }

  private static List<Moment> moments(List<RecordedRequest> requests) {
    List<Moment> moments = new ArrayList<>();
    for (RecordedRequest each : requests) {
      if (!each.isRead() || each.isLinearizableRead()) {
        moments.add(new Moment(each, false, each.invokedNanos()));
        if (each.completedNanos() != RecordedRequest.NEVER) {
          moments.add(new Moment(each, true, each.completedNanos()));
        }
      }
    }
    moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
    return moments;
  }

  private int begin(RecordedRequest request) {
    int process = processOfClient.getOrDefault(request.client(), request.client());
    process += busy.contains(process) ? clients + 1 : 0;
    processOfClient.put(request.client(), process);
    busy.add(process);
    add("invoke", process, request, false);
    return process;
  }

  /** A process whose request may still be applied stays busy. */
  private void end(RecordedRequest request, int process) {
    if (request.outcome() == Outcome.UNKNOWN) {
      add("info", process, request, true);
    } else {
      busy.remove(process);
      add(request.isOk() ? "ok" : "fail", process, request, true);
    }
  }

  private void add(String type, int process, RecordedRequest request, boolean isEnd) {
    boolean isCas = request.action() == Action.COMPARE_AND_SET;
    String f = isCas ? "cas" : request.isRead() ? "read" : "write";
    Object value =
        isCas
            ? List.of(request.expected(), request.written())
            : (Object) (request.isRead() ? request.read() : request.written());
    Optional<Object> shown = Optional.of(value).filter(each -> isEnd || !request.isRead());
    long time = isEnd ? request.completedNanos() : request.invokedNanos();
    events.add(new Event(events.size(), type, process, f, shown, time));
  }
}
