// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
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
@Command(
    name = "publish",
    description = {
      "Copies complete runs into a directory that is committed to Git.",
      "Each run, or matrix of runs, gets a directory with its page, README.md, a few plots and all "
          + "files that the report reads, without logs.",
      "Names and paths of the machine are left out; what else the files reveal is listed.",
      "Runs that are incomplete or damaged are named, and nothing is written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate publish results/quick/20261121T075146Z --to results/lab-vm/2026-11-21",
      "  ./quorate publish --check results/lab-vm/2026-11-21",
      "  ./quorate report results/lab-vm/2026-11-21/quick       render it again"
    })
final class PublishCommand extends QuorateCommand implements Callable<Integer> {
  private static final int WRONG = 1;

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN_DIR",
      description = "Runs, or matrices of runs: results/<scenario>/<run>.")
  private List<Path> directories = List.of();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "Directory of the published runs: results/<machine>/<date>.")
  private Optional<Path> target = Optional.empty();

  @Option(
      names = "--scaled",
      description = "Also publish runs of a part of the requests (--scale); their pages say so.")
  private boolean scaled;

  @Option(
      names = "--check",
      paramLabel = "DIR",
      description =
          "Instead of RUN_DIR: check the published runs in results/<machine>/<date>, and write "
              + "nothing.")
  private Optional<Path> checked = Optional.empty();

  @Override
  public Integer call() {
    if (directories.isEmpty() == checked.isEmpty() || checked.isPresent() == target.isPresent()) {
      throw wrongUsage("pass either RUN_DIR and --to, or --check");
    }
    return checked.isPresent() ? check(new PublishedRuns(checked.get())) : publish();
  }

  private int check(PublishedRuns runs) {
    List<String> problems = runs.problems();
    problems.forEach(each -> err().println(VisibleText.of(each)));
    err().flush();
    out()
        .println(
            problems.isEmpty()
                ? NumberFormats.count(runs.all().size(), "published result") + " checked: complete"
                : NumberFormats.count(problems.size(), "problem"));
    out().flush();
    return problems.isEmpty() ? 0 : WRONG;
  }

  private int publish() {
    PublishedRuns published = PublishedRuns.at(target.orElseThrow());
    Problems problems = new Problems();
    Set<String> names = new HashSet<>();
    SortedMap<Path, Publication> publications = new TreeMap<>();
    for (Path each : directories) {
      problems
          .attempt(() -> Publication.read(each, scaled))
          .ifPresent(
              source -> {
                if (!names.add(source.name() + "/" + source.origin())) {
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
    List<Publication.Draft> drafts = new ArrayList<>();
    publications.forEach(
        (path, source) -> problems.attempt(() -> source.at(path)).ifPresent(drafts::add));
    problems.throwIfAny();
    drafts.forEach(each -> each.files().write());
    drafts.forEach(
        each -> print(each, Objects.requireNonNull(publications.get(each.target())).revealed()));
    published.writeIndex();
    out().println("index: " + VisibleText.of(published.index().toString()));
    out().flush();
    return 0;
  }

  private void print(Publication.Draft draft, List<String> revealed) {
    Published written = Published.at(draft.target());
    Map<String, Long> kinds = new TreeMap<>();
    written
        .sizes()
        .forEach(
            (name, bytes) ->
                kinds.merge(
                    name.startsWith("plots/") ? "plots" : name.replaceFirst(".*/", ""),
                    bytes,
                    Long::sum));
    out().println("published: " + VisibleText.of(draft.target().toString()));
    out()
        .println(
            "  %s without the page; %s"
                .formatted(
                    NumberFormats.humanizedBytes(written.bytesWithoutPage()),
                    kinds.entrySet().stream()
                        .map(
                            each ->
                                each.getKey() + " " + NumberFormats.humanizedBytes(each.getValue()))
                        .collect(Collectors.joining(", "))));
    Publication.Intervals intervals = draft.intervals();
    if (intervals.latencies() > 1) {
      out().println("  latency.hlog: intervals of " + intervals.latencies() + " s");
    }
    if (intervals.servers() > 1) {
      out().println("  metrics of servers: every " + intervals.servers() + " s");
    }
    if (intervals.machines() > 1) {
      out().println("  samples of machines: every " + intervals.machines() + " s");
    }
    revealed.forEach(each -> out().println("  reveals " + VisibleText.of(each)));
    out().flush();
    if (written.bytesWithoutPage() > written.maxBytes()) {
      err()
          .println(
              "warning: %s has more than %s without the page: publish a shorter run"
                  .formatted(
                      VisibleText.of(draft.target().toString()),
                      NumberFormats.humanizedBytes(written.maxBytes())));
      err().flush();
    }
  }
}
