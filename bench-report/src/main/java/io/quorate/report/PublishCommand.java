// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.OutputFiles;
import io.quorate.format.Problems;
import io.quorate.results.OpenRuns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate publish} command: copies runs into a directory that is committed to Git. */
@Command(name = "publish", resourceBundle = "io.quorate.report.commands")
public final class PublishCommand extends QuorateCommand implements Callable<Integer> {
  private static final int WRONG = 1;

  @Parameters(arity = "0..*", paramLabel = "RUN_DIR", descriptionKey = "run-dir")
  private List<Path> directories = List.of();

  @Option(names = "--to", paramLabel = "DIR")
  private Optional<Path> target = Optional.empty();

  @Option(names = "--scaled")
  private boolean scaled;

  @Option(names = "--check", paramLabel = "DIR")
  private Optional<Path> checked = Optional.empty();

  @Option(names = "--sign", paramLabel = "KEY_FILE")
  private Optional<Path> key = Optional.empty();

  @Option(names = "--verify", paramLabel = "SIGNERS_FILE")
  private Optional<Path> signers = Optional.empty();

  @Override
  public Integer call() {
    boolean writes = target.isPresent() && !(directories.isEmpty() && key.isEmpty());
    boolean checks = checked.isPresent() && directories.isEmpty() && key.isEmpty();
    if (writes == checks || checked.isPresent() == target.isPresent()) {
      throw wrongUsage("pass either RUN_DIR and --to, or --sign and --to, or --check");
    }
    if (signers.isPresent() && !checks) {
      throw wrongUsage("pass --verify with --check");
    }
    return OpenRuns.with(
        runs ->
            checked.isPresent() ? check(new PublishedRuns(checked.get()), runs) : publish(runs));
  }

  private int check(PublishedRuns published, OpenRuns runs) {
    List<String> problems = published.problems(runs, signers);
    problems.forEach(each -> err().println(VisibleText.of(each)));
    out()
        .println(
            problems.isEmpty()
                ? NumberFormats.count(published.directories().size(), "published result")
                    + " checked: complete"
                : NumberFormats.count(problems.size(), "problem"));
    return problems.isEmpty() ? 0 : WRONG;
  }

  private int publish(OpenRuns runs) {
    PublishedRuns published = PublishedRuns.at(target.orElseThrow());
    if (!directories.isEmpty()) {
      publish(published, runs);
    }
    key.ifPresent(each -> sign(published, each, runs));
    return 0;
  }

  private static void sign(PublishedRuns published, Path key, OpenRuns runs) {
    List<String> problems = new ArrayList<>(published.problems(runs));
    if (!problems.isEmpty()) {
      problems.add("--sign: nothing was signed");
    }
    QuorateException.throwIfAny(problems);
    published.sums().sign(key);
  }

  private void publish(PublishedRuns published, OpenRuns runs) {
    Problems problems = new Problems();
    published.changed().forEach(problems::add);
    Set<String> names = new HashSet<>();
    SortedMap<Path, Publication> publications = new TreeMap<>();
    for (Path each : directories) {
      problems
          .attempt(() -> Publication.read(runs.files(each), scaled))
          .ifPresent(
              source -> {
                if (!names.add(source.name() + "/" + source.archive().directory())) {
                  problems.add(source.source() + ": is passed twice");
                }
                published
                    .find(source)
                    .ifPresent(
                        same ->
                            problems.add(source.source() + ": is published already, in " + same));
                publications.put(published.next(source.name(), publications.keySet()), source);
              });
    }
    problems.throwIfAny();
    SortedMap<Path, OutputFiles> drafts = new TreeMap<>();
    publications.forEach(
        (path, source) ->
            problems.attempt(() -> source.at(path, runs)).ifPresent(it -> drafts.put(path, it)));
    problems.throwIfAny();
    drafts.values().forEach(OutputFiles::write);
    publications.forEach(
        (path, source) -> print(path, Objects.requireNonNull(drafts.get(path)), source.revealed()));
    List<OutputFiles> written = new ArrayList<>(drafts.values());
    written.addAll(published.renderRepeats(drafts.keySet(), runs));
    published.writeIndex(runs, written);
    List<PublishedRuns> indexes = new ArrayList<>(List.of(published));
    indexes.addAll(published.writeOthers(drafts.keySet(), runs));
    indexes.forEach(each -> out().println("index: " + VisibleText.of(each.index().toString())));
  }

  private void print(Path target, OutputFiles written, List<String> revealed) {
    Map<String, Long> sizes = new TreeMap<>();
    written.forEach(
        (file, content) ->
            sizes.merge(
                target.toAbsolutePath().normalize().relativize(file).getName(0).toString(),
                (long) content.length,
                Long::sum));
    out().println("published: " + VisibleText.of(target.toString()));
    ConsoleText.wrapped(
            sizes.entrySet().stream()
                .map(each -> each.getKey() + " " + NumberFormats.humanizedBytes(each.getValue()))
                .collect(Collectors.joining(", ", "  ", "")))
        .forEach(out()::println);
    revealed.forEach(each -> out().println("  reveals " + VisibleText.of(each)));
  }
}
