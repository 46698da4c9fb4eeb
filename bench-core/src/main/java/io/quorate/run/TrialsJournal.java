package io.quorate.run;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Conclusion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The file {@code trials.jsonl}: a line for the search, then one for each trial, written when it
 * has ended. So a search that was interrupted can go on after the last trial that is there.
 */
public final class TrialsJournal {
  private static final String OUTCOME = "outcome";
  private static final int LARGEST_BYTES = 1 << 20;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private final Path file;

  private TrialsJournal(Path file) {
    this.file = file;
  }

  /**
   * The search that a journal is about.
   *
   * @param scenario its name
   * @param limits as asked for
   * @param search {@code full} or {@code quick}
   * @param start the first load that is tried, requests per second
   */
  public record Header(String scenario, List<String> limits, String search, long start) {
    public Header {
      limits = List.copyOf(limits);
    }
  }

  /** A journal as it was read. */
  public record Content(Header header, List<TrialRow> trials) {
    public Content {
      trials = List.copyOf(trials);
    }
  }

  /** Returns the file in the directory of a database. */
  public static Path file(DatabaseDirectory directory) {
    return directory.path().resolve("trials.jsonl");
  }

  /**
   * Begins a journal.
   *
   * @throws QuorateException if it cannot be written
   */
  public static TrialsJournal begin(DatabaseDirectory directory, Header header) {
    TrialsJournal journal = new TrialsJournal(file(directory));
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("formatVersion", 1);
    node.put("scenario", header.scenario());
    header.limits().forEach(node.putArray("limits")::add);
    node.put("search", header.search());
    node.put("start", header.start());
    journal.append(node);
    return journal;
  }

  /**
   * Adds a trial.
   *
   * @throws QuorateException if it cannot be written
   */
  public void add(TrialRow row) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("trial", row.number());
    node.put("stage", row.stage());
    node.put("load", row.load());
    node.put("measuredSeconds", row.measuredSeconds());
    node.put("verdict", row.verdict());
    row.remark().ifPresent(text -> node.put("remark", text));
    row.usedPart().ifPresent(part -> node.put("usedPart", part));
    node.put("violatingPart", row.violatingPart());
    node.put("intendedPerSecond", row.intendedPerSecond());
    node.put("succeededPerSecond", row.succeededPerSecond());
    row.p50Nanos().ifPresent(nanos -> node.put("p50Nanos", nanos));
    row.p99Nanos().ifPresent(nanos -> node.put("p99Nanos", nanos));
    row.p999Nanos().ifPresent(nanos -> node.put("p99.9Nanos", nanos));
    node.put("failed", row.failed());
    node.put("shed", row.shed());
    row.lagP99Nanos().ifPresent(nanos -> node.put("lagP99Nanos", nanos));
    node.put("loadGeneratorCores", row.loadGeneratorCores());
    row.serverCores().ifPresent(cores -> node.put("serverCores", cores));
    row.machineBusy().ifPresent(part -> node.put("machineBusy", part));
    append(node);
  }

  /**
   * Adds how the search ended, the last line.
   *
   * @throws QuorateException if it cannot be written
   */
  public void add(Conclusion conclusion) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put(OUTCOME, conclusion.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    conclusion.holds().ifPresent(bound -> add(node.putObject("holds"), bound));
    conclusion.fails().ifPresent(bound -> add(node.putObject("fails"), bound));
    node.put("trials", conclusion.trials());
    append(node);
  }

  private static void add(ObjectNode node, Bound bound) {
    node.put("load", bound.load());
    node.put("passed", bound.passed());
    node.put("trials", bound.trials());
  }

  private void append(ObjectNode node) {
    try {
      Files.write(
          file,
          (MAPPER.writeValueAsString(node) + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException impossible) {
      throw new QuorateException(
          file + ": cannot be written: " + FileFailure.reason(impossible), impossible);
    }
  }

  /**
   * Reads the journal of a search. A last line that is not complete is left out, as the load
   * generator may have been killed while it wrote it.
   *
   * @throws QuorateException if it cannot be read, with the first line that is wrong
   */
  public static Content read(DatabaseDirectory directory) {
    Path file = file(directory);
    String text = TextFile.read(file, LARGEST_BYTES, "one of a search");
    List<String> lines = text.lines().toList();
    int complete = text.endsWith("\n") ? lines.size() : lines.size() - 1;
    if (complete < 1) {
      throw wrong(file, 1, "found no complete line");
    }
    JsonNode first = node(file, 1, lines.get(0));
    if (first.path("formatVersion").asInt() != 1 || !first.path("start").canConvertToLong()) {
      throw wrong(file, 1, "found another line, expected formatVersion 1, limits and start");
    }
    List<String> limits = new ArrayList<>();
    first.path("limits").forEach(limit -> limits.add(limit.asText()));
    List<TrialRow> trials = new ArrayList<>();
    for (int i = 1; i < complete; i++) {
      JsonNode node = node(file, i + 1, lines.get(i));
      if (!node.has(OUTCOME)) {
        trials.add(trial(file, i + 1, node));
      }
    }
    return new Content(
        new Header(
            first.path("scenario").asText(),
            limits,
            first.path("search").asText(),
            first.path("start").asLong()),
        trials);
  }

  private static TrialRow trial(Path file, int line, JsonNode from) {
    if (!from.path("trial").isInt()
        || !from.path("load").canConvertToLong()
        || !from.path("verdict").isTextual()
        || !from.path("violatingPart").isNumber()) {
      throw wrong(file, line, "found no trial, expected its number, load, verdict and parts");
    }
    return new TrialRow(
        from.path("trial").asInt(),
        from.path("stage").asText(),
        from.path("load").asLong(),
        from.path("measuredSeconds").asInt(),
        from.path("verdict").asText(),
        from.has("remark") ? Optional.of(from.path("remark").asText()) : Optional.empty(),
        number(from, "usedPart"),
        from.path("violatingPart").asDouble(),
        from.path("intendedPerSecond").asDouble(),
        from.path("succeededPerSecond").asDouble(),
        nanos(from, "p50Nanos"),
        nanos(from, "p99Nanos"),
        nanos(from, "p99.9Nanos"),
        from.path("failed").asLong(),
        from.path("shed").asLong(),
        nanos(from, "lagP99Nanos"),
        from.path("loadGeneratorCores").asDouble(),
        number(from, "serverCores"),
        number(from, "machineBusy"));
  }

  private static OptionalLong nanos(JsonNode from, String name) {
    return from.has(name) ? OptionalLong.of(from.path(name).asLong()) : OptionalLong.empty();
  }

  private static OptionalDouble number(JsonNode from, String name) {
    return from.has(name) ? OptionalDouble.of(from.path(name).asDouble()) : OptionalDouble.empty();
  }

  private static JsonNode node(Path file, int line, String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw wrong(file, line, "found no complete JSON, expected an object");
    }
  }

  private static QuorateException wrong(Path file, int line, String what) {
    return new QuorateException(file + ":" + line + ": " + what);
  }
}
