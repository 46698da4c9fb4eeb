package io.quorate.history;

import io.quorate.FileFailure;
import io.quorate.VisibleText;
import io.quorate.format.StrictJson;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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
 * Jepsen has one request at a time, and none after an unknown outcome: a client continues as
 * another process then, whose number is higher by the number of clients.
 */
public final class JepsenHistory {
  private static final String INVOKE = "invoke";

  private final int clients;
  private final Map<Integer, Integer> processes = new HashMap<>();
  private final Set<Integer> busy = new HashSet<>();
  private final List<Event> events = new ArrayList<>();

  private record Event(
      int index, String type, int process, String f, Optional<Object> value, long time) {}

  /** One end of a request; a request without a completion has only its beginning. */
  private record Moment(RecordedRequest request, boolean isEnd, long nanos, int order) {}

  private JepsenHistory(int clients) {
    this.clients = clients;
  }

  /**
   * Writes {@code key-N.json} for each key.
   *
   * @param directory existing directory
   * @throws io.quorate.QuorateException if a file cannot be written
   */
  public static void write(Path directory, Collection<RecordedRequest> history) {
    UniqueValues.byKey(history)
        .forEach((key, requests) -> writeKey(directory.resolve("key-" + key + ".json"), requests));
  }

  private static void writeKey(Path file, List<RecordedRequest> requests) {
    int clients = 1 + requests.stream().mapToInt(RecordedRequest::client).max().orElse(0);
    JepsenHistory history = new JepsenHistory(clients);
    history.add(INVOKE, clients, "write", RecordedRequest.ABSENT, 0);
    history.add("ok", clients, "write", RecordedRequest.ABSENT, 0);
    history.addAll(requests);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      String separator = "[";
      for (Event event : history.events) {
        out.write(separator + StrictJson.line(event).strip());
        separator = ",\n";
      }
      out.write("]\n");
    } catch (IOException impossible) {
      throw FileFailure.exception(
          VisibleText.of(file.toString()) + ": cannot be written", impossible);
    }
  }

  private void addAll(List<RecordedRequest> requests) {
    List<Moment> moments = new ArrayList<>();
    for (RecordedRequest each : requests) {
      boolean isRead = each.action() == Action.GET || each.action() == Action.STALE_GET;
      if (isRead && !each.isLinearizableRead()) {
        continue;
      }
      int order = moments.size();
      moments.add(new Moment(each, false, each.invokedNanos(), order));
      if (each.completedNanos() != RecordedRequest.NEVER) {
        moments.add(new Moment(each, true, each.completedNanos(), order));
      }
    }
    moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
    Map<Integer, Integer> processOf = new HashMap<>();
    for (Moment each : moments) {
      if (each.isEnd) {
        end(each.request, processOf.get(each.order));
      } else {
        processOf.put(each.order, begin(each.request));
      }
    }
  }

  private int begin(RecordedRequest request) {
    int process = processes.getOrDefault(request.client(), request.client());
    if (busy.contains(process)) {
      process += process < clients ? clients + 1 : clients;
    }
    processes.put(request.client(), process);
    busy.add(process);
    Object value = request.action() == Action.GET ? null : written(request);
    add(INVOKE, process, function(request), value, request.invokedNanos());
    return process;
  }

  /** A process whose request may still be applied stays busy. */
  private void end(RecordedRequest request, int process) {
    String type =
        switch (request.outcome()) {
          case OK -> "ok";
          case FAILED, MISMATCH -> "fail";
          case UNKNOWN -> "info";
        };
    if (request.outcome() != Outcome.UNKNOWN) {
      busy.remove(process);
    }
    Object value = request.action() == Action.GET ? (Object) request.read() : written(request);
    add(type, process, function(request), value, request.completedNanos());
  }

  private static String function(RecordedRequest request) {
    return switch (request.action()) {
      case GET, STALE_GET -> "read";
      case PUT, DELETE -> "write";
      case COMPARE_AND_SET -> "cas";
    };
  }

  private static Object written(RecordedRequest request) {
    return request.action() == Action.COMPARE_AND_SET
        ? List.of(request.expected(), request.written())
        : (Object) request.written();
  }

  private void add(String type, int process, String f, Object value, long time) {
    events.add(new Event(events.size(), type, process, f, Optional.ofNullable(value), time));
  }
}
