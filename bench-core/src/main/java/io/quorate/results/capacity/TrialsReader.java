package io.quorate.results.capacity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.QuorateException;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Conclusion;
import io.quorate.capacity.Outcome;
import io.quorate.format.TextFile;
import io.quorate.results.DatabaseDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads the file {@code trials.jsonl}. */
public final class TrialsReader {
  private static final int LARGEST_BYTES = 1 << 22;

  /** Stage of trials that are made once the capacity is known. */
  public static final String CURVE = "curve";

  private final Path file;
  private final List<SearchRecord> searches = new ArrayList<>();

  private TrialsReader(Path file) {
    this.file = file;
  }

  /**
   * Reads the searches of a database. A last line that is not complete is left out, as the load
   * generator may have been killed while it wrote it.
   *
   * @return none if there is no such file
   * @throws QuorateException if it cannot be read, with the first line that is wrong
   */
  public static List<SearchRecord> read(DatabaseDirectory directory) {
    Path file = TrialsJournal.file(directory);
    if (Files.notExists(file)) {
      return List.of();
    }
    String text = TextFile.read(file, LARGEST_BYTES, "one of a search");
    List<String> lines = text.lines().toList();
    int complete = text.endsWith("\n") ? lines.size() : lines.size() - 1;
    TrialsReader reader = new TrialsReader(file);
    if (complete < 1) {
      throw reader.wrong(1, "found no complete line");
    }
    for (int i = 0; i < complete; i++) {
      reader.take(i + 1, lines.get(i));
    }
    return reader.searches;
  }

  private void take(int line, String text) {
    JsonNode node = node(line, text);
    if (node.has("formatVersion") || searches.isEmpty()) {
      searches.add(
          new SearchRecord(
              header(line, node), List.of(), Optional.empty(), List.of(), Optional.empty()));
      return;
    }
    SearchRecord last = searches.remove(searches.size() - 1);
    searches.add(with(last, line, node));
  }

  private SearchRecord with(SearchRecord search, int line, JsonNode node) {
    List<TrialRow> trials = new ArrayList<>(search.trials());
    List<TrialRow> curve = new ArrayList<>(search.curve());
    Optional<Conclusion> conclusion = search.conclusion();
    Optional<Recovery> recovery = search.recovery();
    if (node.has(TrialsJournal.OUTCOME)) {
      conclusion = Optional.of(conclusion(line, node));
    } else if (node.has(TrialsJournal.OVERLOAD)) {
      recovery = Optional.of(recovery(node));
    } else {
      (node.path("stage").asText().equals(CURVE) ? curve : trials).add(trial(line, node));
    }
    return new SearchRecord(search.header(), trials, conclusion, curve, recovery);
  }

  private SearchRecord.Header header(int line, JsonNode from) {
    if (from.path("formatVersion").asInt() != 1 || !from.path("start").canConvertToLong()) {
      throw wrong(line, "found another line, expected formatVersion 1, limits and start");
    }
    List<String> limits = new ArrayList<>();
    from.path("limits").forEach(limit -> limits.add(limit.asText()));
    Map<String, String> plan = new LinkedHashMap<>();
    from.path("plan")
        .properties()
        .forEach(part -> plan.put(part.getKey(), part.getValue().asText()));
    return new SearchRecord.Header(
        from.path("scenario").asText(),
        limits,
        from.path("search").asText(),
        from.path("start").asLong(),
        from.path("load").asText(SearchRecord.RATE),
        from.path("preloadBytes").asLong(),
        plan);
  }

  private Conclusion conclusion(int line, JsonNode from) {
    String name = from.path(TrialsJournal.OUTCOME).asText();
    Outcome outcome =
        Arrays.stream(Outcome.values())
            .filter(each -> TrialsJournal.name(each).equals(name))
            .findFirst()
            .orElseThrow(() -> wrong(line, "found an unknown outcome"));
    return new Conclusion(
        outcome, bound(from, "holds"), bound(from, "fails"), from.path("trials").asInt());
  }

  private static Optional<Bound> bound(JsonNode from, String name) {
    JsonNode bound = from.path(name);
    return bound.isObject()
        ? Optional.of(
            new Bound(
                bound.path("load").asLong(),
                bound.path("passed").asInt(),
                bound.path("trials").asInt()))
        : Optional.empty();
  }

  private static Recovery recovery(JsonNode from) {
    return new Recovery(
        from.path(TrialsJournal.OVERLOAD).asLong(),
        from.path("overloadSeconds").asInt(),
        from.path("load").asLong(),
        from.path("watchedSeconds").asInt(),
        whole(from, "recoveredAfterSeconds"));
  }

  private TrialRow trial(int line, JsonNode from) {
    if (!from.path("trial").isInt()
        || !from.path("load").canConvertToLong()
        || !from.path("verdict").isTextual()
        || !from.path("violatingPart").isNumber()) {
      throw wrong(line, "found no trial, expected its number, load, verdict and parts");
    }
    return new TrialRow(
        from.path("trial").asInt(),
        from.path("stage").asText(),
        from.path("load").asLong(),
        from.path("wholeSeconds").asDouble(),
        from.path("measuredSeconds").asInt(),
        from.path("verdict").asText(),
        from.has("remark") ? Optional.of(from.path("remark").asText()) : Optional.empty(),
        number(from, "usedPart"),
        from.path("violatingPart").asDouble(),
        from.path("intendedPerSecond").asDouble(),
        from.path("succeededPerSecond").asDouble(),
        latencies(from),
        from.path("failed").asLong(),
        from.path("shed").asLong(),
        nanos(from, "lagP99Nanos"),
        from.path("loadGeneratorCores").asDouble(),
        number(from, "serverCores"),
        number(from, "machineBusy"),
        servers(from),
        whole(from, "step"));
  }

  private static TrialLatencies latencies(JsonNode from) {
    return new TrialLatencies(
        nanos(from, "p50Nanos"),
        nanos(from, "p99Nanos"),
        from.has("p99LowNanos") && from.has("p99HighNanos")
            ? Optional.of(
                new PercentileInterval(
                    from.path("p99LowNanos").asLong(), from.path("p99HighNanos").asLong()))
            : Optional.empty(),
        nanos(from, "p99.9Nanos"));
  }

  private static ServerActivity servers(JsonNode from) {
    Map<String, Double> waits = new LinkedHashMap<>();
    from.path("waitsMillis")
        .properties()
        .forEach(wait -> waits.put(wait.getKey(), wait.getValue().asDouble()));
    return new ServerActivity(
        number(from, "busiestServerCores"),
        number(from, "diskBusy"),
        number(from, "networkBusy"),
        waits,
        whole(from, "standstills"));
  }

  private static OptionalInt whole(JsonNode from, String name) {
    return from.has(name) ? OptionalInt.of(from.path(name).asInt()) : OptionalInt.empty();
  }

  private static OptionalLong nanos(JsonNode from, String name) {
    return from.has(name) ? OptionalLong.of(from.path(name).asLong()) : OptionalLong.empty();
  }

  private static OptionalDouble number(JsonNode from, String name) {
    return from.has(name) ? OptionalDouble.of(from.path(name).asDouble()) : OptionalDouble.empty();
  }

  private JsonNode node(int line, String text) {
    try {
      return TrialsJournal.MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw wrong(line, "found no complete JSON, expected an object");
    }
  }

  private QuorateException wrong(int line, String what) {
    return new QuorateException(file + ":" + line + ": " + what);
  }
}
