// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.page.Page;
import io.quorate.report.page.PageTemplate;
import io.quorate.results.Errata;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All runs in a directory of results, the newest first: when they began, how they ended, and their
 * most important values, which come from their {@code result.json}.
 *
 * @param results the directory of all results
 */
public record RunList(Path results, List<Entry> entries) {
  /** Marks an index that this class wrote and may replace. */
  private static final String GENERATOR = "<meta name=\"generator\" content=\"Quorate list\">";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final long MAX_BYTES = 64L << 20;
  private static final int MAX_HEAD = 4096;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A run.
   *
   * @param name its path below the results, {@code <scenario>/<run>}
   * @param start when it began; {@link Instant#EPOCH} if that is not known
   * @param page whether it has a page
   */
  public record Entry(
      String name,
      Path path,
      Instant start,
      String title,
      boolean page,
      List<DatabaseEntry> databases) {
    /** Returns when the run began, in UTC, to the minute. */
    public String time() {
      return start.equals(Instant.EPOCH) ? "unknown" : TIME.format(start);
    }

    /** Returns the status of all databases, or each status once. */
    public String status() {
      return databases.stream()
          .map(DatabaseEntry::status)
          .distinct()
          .collect(Collectors.joining(", "));
    }
  }

  /** A database of a run, with its values as texts; they are empty if they are not known. */
  public record DatabaseEntry(
      String tag, String status, String throughput, String p50, String p99, String errors) {
    /** Creates the entry of a database of {@code result.json}; a search has no other values. */
    static DatabaseEntry of(String tag, String status, JsonNode database) {
      JsonNode search = database.path("capacity").path(0);
      if (!search.isMissingNode()) {
        JsonNode holds = search.path("holds");
        String unit = search.path("of").asText().equals("rate") ? "/s held" : " clients held";
        String held =
            holds.path("passed").asInt() > 0
                    && !search.path("outcome").asText().equals("unstable")
                    && !search.has("disturbance")
                ? number(holds.path("load"), unit)
                : "no verdict";
        return new DatabaseEntry(VisibleText.of(tag), VisibleText.of(status), held, "", "", "");
      }
      JsonNode figures = database.path("figures");
      JsonNode latency = figures.path("latencyMs");
      return new DatabaseEntry(
          VisibleText.of(tag),
          VisibleText.of(status),
          number(figures.path("requestsPerSecondAverage"), "/s"),
          number(latency.path("p50"), " ms"),
          number(latency.path("p99"), " ms"),
          number(figures.path("requestsFailed"), ""));
    }

    static DatabaseEntry of(String tag, String status) {
      return new DatabaseEntry(VisibleText.of(tag), status, "", "", "", "");
    }
  }

  /** Reads the runs; what cannot be read is named as a run of that status. */
  public static RunList read(Path results) {
    return OpenRuns.with(runs -> read(results, runs));
  }

  private static RunList read(Path results, OpenRuns runs) {
    Path root = results.toAbsolutePath().normalize();
    List<Entry> entries = new ArrayList<>();
    for (Path scenario : PublishedRuns.directories(root)) {
      for (Path run : PublishedRuns.directories(scenario)) {
        entry(root, run, runs, entries);
      }
    }
    entries.sort(Comparator.comparing(Entry::start).thenComparing(Entry::name).reversed());
    return new RunList(root, List.copyOf(entries));
  }

  /** Returns the runs whose name or title contains a word, in any case. */
  public RunList with(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return new RunList(
        results,
        entries.stream()
            .filter(each -> (each.name + " " + each.title).toLowerCase(Locale.ROOT).contains(lower))
            .toList());
  }

  private static void entry(Path root, Path run, OpenRuns runs, List<Entry> entries) {
    String name = VisibleText.of(root.relativize(run).toString());
    RunDirectory directory = new RunDirectory(run);
    boolean page = Files.isRegularFile(directory.page(), LinkOption.NOFOLLOW_LINKS);
    try {
      if (OpenRuns.isPublished(run) && published(name, directory, page, entries)) {
        return;
      }
      Path files = runs.files(run);
      if (MatrixDirectory.isAt(files)) {
        MatrixManifest matrix = new MatrixDirectory(files).readManifest();
        String what = NumberFormats.count(matrix.cells().size(), "cell");
        entries.add(
            new Entry(
                name,
                run,
                matrix.start(),
                VisibleText.of(matrix.title()),
                page,
                List.of(DatabaseEntry.of(what, "matrix"))));
      } else {
        Entry entry = ofRun(name, directory, new RunDirectory(files), page);
        if (!entry.databases.isEmpty()) {
          entries.add(entry);
        }
      }
    } catch (QuorateException | IOException | DateTimeParseException unreadable) {
      entries.add(
          new Entry(
              name,
              run,
              Instant.EPOCH,
              VisibleText.of(runs.named(String.valueOf(unreadable.getMessage()))),
              page,
              List.of(DatabaseEntry.of("", "unreadable"))));
    }
  }

  /**
   * Adds a published run or matrix from the file with its results, as unpacking takes long.
   *
   * @return whether there is such a file
   */
  private static boolean published(String name, RunDirectory run, boolean page, List<Entry> entries)
      throws IOException {
    JsonNode matrix = json(new MatrixDirectory(run.path()).resultJson());
    JsonNode result = json(run.resultJson());
    if (matrix.isMissingNode() && result.isMissingNode()) {
      return false;
    }
    List<DatabaseEntry> databases = new ArrayList<>();
    boolean withdrawn = Errata.withdrawal(run.path()).isPresent();
    if (result.isMissingNode()) {
      String cells = NumberFormats.count(matrix.path("cells").size(), "cell");
      databases.add(DatabaseEntry.of(cells, withdrawn ? "withdrawn" : "matrix"));
    }
    String start = matrix.path("start").asText();
    for (JsonNode each : result.path("databases")) {
      start = start.isEmpty() ? each.path("start").asText() : start;
      String status = withdrawn ? "withdrawn" : each.path("status").asText();
      databases.add(DatabaseEntry.of(each.path("tag").asText(), status, each));
    }
    String title =
        (result.isMissingNode() ? matrix : result.path("scenario")).path("title").asText();
    entries.add(
        new Entry(
            name,
            run.path(),
            start.isEmpty() ? Instant.EPOCH : Instant.parse(start).truncatedTo(ChronoUnit.SECONDS),
            VisibleText.of(title),
            page,
            databases));
    return true;
  }

  private static JsonNode json(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return MissingNode.getInstance();
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new QuorateException(file + ": is too large");
    }
    return JSON.readTree(file.toFile());
  }

  private static Entry ofRun(String name, RunDirectory run, RunDirectory files, boolean page)
      throws IOException {
    JsonNode result = json(run.resultJson());
    Map<String, JsonNode> byId = new HashMap<>();
    result.path("databases").forEach(each -> byId.put(each.path("id").asText(), each));
    List<DatabaseEntry> databases = new ArrayList<>();
    List<Manifest> manifests =
        files.databases().stream().map(each -> Manifest.read(each.manifest())).toList();
    for (Manifest manifest : manifests) {
      JsonNode database = byId.getOrDefault(manifest.store().id(), MissingNode.getInstance());
      databases.add(DatabaseEntry.of(manifest.store().tag(), manifest.statusText(), database));
    }
    for (JsonNode imported : result.path("imports")) {
      databases.add(DatabaseEntry.of(imported.path("tag").asText(), "imported"));
    }
    Optional<Manifest> first = manifests.stream().min(Comparator.comparing(Manifest::start));
    return new Entry(
        name,
        run.path(),
        first.map(each -> each.start().truncatedTo(ChronoUnit.SECONDS)).orElse(Instant.EPOCH),
        first.map(each -> VisibleText.of(each.scenario().title())).orElse(""),
        page,
        databases);
  }

  private static String number(JsonNode value, String unit) {
    if (!value.isNumber()) {
      return "";
    }
    double number = value.asDouble();
    return (unit.equals(" ms") ? NumberFormats.threeDigits(number) : NumberFormats.rate(number))
        + unit;
  }

  /** Returns the script that sorts the table of the page. */
  public Page.Scripts scripts() {
    return Page.Scripts.of(List.of());
  }

  /** Returns the lines of the list: a line for each run, and one for each of its databases. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Entry entry : entries) {
      String first = "%s  %-11s %s".formatted(entry.time(), entry.status(), entry.name());
      String title = "  " + entry.title();
      if (ConsoleText.width(first + title) <= ConsoleText.WIDTH) {
        lines.add((first + title).stripTrailing());
      } else {
        lines.add(first);
        lines.addAll(ConsoleText.wrapped(title));
      }
      for (DatabaseEntry each : entry.databases) {
        if (!each.tag.isEmpty()) {
          String values =
              "  %-24s %12s  p50 %10s  p99 %10s  %s errors"
                  .formatted(
                      each.tag,
                      orDash(each.throughput),
                      orDash(each.p50),
                      orDash(each.p99),
                      orDash(each.errors));
          String few = "  %-24s %12s".formatted(each.tag, each.throughput).stripTrailing();
          lines.add(each.p50.isEmpty() && each.errors.isEmpty() ? few : values);
        }
      }
    }
    return lines;
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  /**
   * Writes {@code index.html}, which links to the pages of all runs, unless the file has another
   * author.
   */
  public void writeIndex() {
    Path index = results.resolve("index.html");
    try {
      if (Files.exists(index, LinkOption.NOFOLLOW_LINKS)
          && !(Files.isRegularFile(index, LinkOption.NOFOLLOW_LINKS) && isOurs(index))) {
        return;
      }
    } catch (IOException unreadable) {
      return;
    }
    AtomicFile.write(index, PageTemplate.html("runs.html.ftl", this));
  }

  private static boolean isOurs(Path index) throws IOException {
    try (var in = Files.newInputStream(index)) {
      return new String(in.readNBytes(MAX_HEAD), java.nio.charset.StandardCharsets.UTF_8)
          .contains(GENERATOR);
    }
  }
}
