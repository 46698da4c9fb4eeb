package io.quorate.results.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Conclusion;
import io.quorate.capacity.Outcome;
import io.quorate.results.DatabaseDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Writes the file {@code trials.jsonl}: for each search a line that says what is searched, then one
 * for each trial, written when it has ended, and one for the outcome; then the trials of the curve
 * and what came after an overload. So a search that was interrupted can go on after the last trial
 * that is there.
 */
public final class TrialsJournal {
  static final String OUTCOME = "outcome";
  static final String OVERLOAD = "overload";

  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private final Path file;

  private TrialsJournal(Path file) {
    this.file = file;
  }

  /** Returns the file in the directory of a database. */
  public static Path file(DatabaseDirectory directory) {
    return directory.path().resolve("trials.jsonl");
  }

  /**
   * Begins a journal, or goes on with another search in one.
   *
   * @throws QuorateException if it cannot be written
   */
  public static TrialsJournal begin(DatabaseDirectory directory, SearchRecord.Header header) {
    TrialsJournal journal = new TrialsJournal(file(directory));
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("formatVersion", 1);
    node.put("scenario", header.scenario());
    header.limits().forEach(node.putArray("limits")::add);
    node.put("search", header.search());
    node.put("start", header.start());
    if (!header.load().equals(SearchRecord.RATE)) {
      node.put("load", header.load());
    }
    if (header.preloadBytes() > 0) {
      node.put("preloadBytes", header.preloadBytes());
    }
    if (!header.plan().isEmpty()) {
      header.plan().forEach(node.putObject("plan")::put);
    }
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
    node.put("wholeSeconds", row.wholeSeconds());
    node.put("measuredSeconds", row.measuredSeconds());
    node.put("verdict", row.verdict());
    row.remark().ifPresent(text -> node.put("remark", text));
    row.usedPart().ifPresent(part -> node.put("usedPart", part));
    node.put("violatingPart", row.violatingPart());
    node.put("intendedPerSecond", row.intendedPerSecond());
    node.put("succeededPerSecond", row.succeededPerSecond());
    add(row.latencies(), node);
    node.put("failed", row.failed());
    node.put("shed", row.shed());
    row.lagP99Nanos().ifPresent(nanos -> node.put("lagP99Nanos", nanos));
    node.put("loadGeneratorCores", row.loadGeneratorCores());
    row.serverCores().ifPresent(cores -> node.put("serverCores", cores));
    row.machineBusy().ifPresent(part -> node.put("machineBusy", part));
    add(row.servers(), node);
    row.step().ifPresent(step -> node.put("step", step));
    append(node);
  }

  private static void add(TrialLatencies latencies, ObjectNode node) {
    latencies.p50Nanos().ifPresent(nanos -> node.put("p50Nanos", nanos));
    latencies.p99Nanos().ifPresent(nanos -> node.put("p99Nanos", nanos));
    latencies
        .p99Interval()
        .ifPresent(
            interval -> {
              node.put("p99LowNanos", interval.lowNanos());
              node.put("p99HighNanos", interval.highNanos());
            });
    latencies.p999Nanos().ifPresent(nanos -> node.put("p99.9Nanos", nanos));
  }

  private static void add(ServerActivity servers, ObjectNode node) {
    servers.busiestCores().ifPresent(cores -> node.put("busiestServerCores", cores));
    servers.diskBusy().ifPresent(part -> node.put("diskBusy", part));
    servers.networkBusy().ifPresent(part -> node.put("networkBusy", part));
    if (!servers.waitsMillis().isEmpty()) {
      ObjectNode waits = node.putObject("waitsMillis");
      servers.waitsMillis().forEach(waits::put);
    }
    servers.standstills().ifPresent(count -> node.put("standstills", count));
  }

  /**
   * Adds what came after an overload.
   *
   * @throws QuorateException if it cannot be written
   */
  public void add(Recovery recovery) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put(OVERLOAD, recovery.overload());
    node.put("overloadSeconds", recovery.overloadSeconds());
    node.put("load", recovery.load());
    node.put("watchedSeconds", recovery.watchedSeconds());
    recovery.seconds().ifPresent(seconds -> node.put("recoveredAfterSeconds", seconds));
    append(node);
  }

  /**
   * Adds how the search ended, the last line.
   *
   * @throws QuorateException if it cannot be written
   */
  public void add(Conclusion conclusion) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put(OUTCOME, name(conclusion.outcome()));
    conclusion.holds().ifPresent(bound -> add(node.putObject("holds"), bound));
    conclusion.fails().ifPresent(bound -> add(node.putObject("fails"), bound));
    node.put("trials", conclusion.trials());
    append(node);
  }

  /** Returns the name of an outcome, such as {@code none-fails}. */
  public static String name(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
}
