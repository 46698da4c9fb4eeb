// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.RunDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate publish} command: copies runs into a directory that is committed to Git. */
@Command(
    name = "publish",
    description = {
      "Copies complete runs into a directory that is committed to Git.",
      "Each run gets a directory with its page, README.md, a few plots and all files that the "
          + "report reads, without logs.",
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
      description = "Runs: results/<scenario>/<run>. A matrix stands for its runs.")
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

  /** A run with the name of its directory, and its own name. */
  private record Source(ExperimentRun run, String scenario, String name) {}

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
                ? NumberFormats.count(runs.runs().size(), "published run") + " checked: complete"
                : NumberFormats.count(problems.size(), "problem"));
    out().flush();
    return problems.isEmpty() ? 0 : WRONG;
  }

  private int publish() {
    PublishedRuns published = PublishedRuns.at(target.orElseThrow());
    Problems problems = new Problems();
    Map<RunDirectory, Publication> publications = new TreeMap<>(PublishCommand::byPath);
    for (Source source : sources(problems)) {
      RunDirectory directory = published.next(source.scenario(), publications.keySet());
      published
          .find(source.scenario(), source.name())
          .ifPresent(
              same ->
                  problems.add(source.run().directory() + ": is published already, in " + same));
      problems
          .attempt(() -> Publication.of(source.run(), source.name(), directory))
          .ifPresent(each -> publications.put(directory, each));
    }
    problems.throwIfAny();
    publications.values().forEach(each -> each.files().write());
    publications.forEach(this::print);
    published.writeIndex();
    out().println("index: " + VisibleText.of(published.index().toString()));
    out().flush();
    return 0;
  }

  private static int byPath(RunDirectory one, RunDirectory other) {
    return one.path().compareTo(other.path());
  }

  private List<Source> sources(Problems problems) {
    List<Source> sources = new ArrayList<>();
    for (Path each : directories) {
      if (MatrixDirectory.isAt(each)) {
        problems.attempt(() -> cells(new MatrixDirectory(each))).ifPresent(sources::addAll);
      } else {
        problems
            .attempt(() -> ExperimentRun.read(each))
            .map(run -> new Source(run, scenario(run), run.directory().id()))
            .ifPresent(sources::add);
      }
    }
    Set<String> names = new HashSet<>();
    for (Source each : sources) {
      if (!names.add(each.scenario() + "/" + each.name())) {
        problems.add(each.run().directory() + ": is passed twice");
      }
      Publication.problems(each.run())
          .forEach(why -> problems.add(each.run().directory() + ": " + why));
      if (Publication.isScaled(each.run()) && !scaled) {
        problems.add(
            each.run().directory()
                + ": sent a part of the requests only (--scale). Pass --scaled to publish it");
      }
    }
    problems.throwIfAny();
    return sources;
  }

  private static List<Source> cells(MatrixDirectory matrix) {
    MatrixManifest manifest = matrix.readManifest();
    List<Source> sources = new ArrayList<>();
    for (MatrixManifest.Cell cell : manifest.cells()) {
      for (int repeat = 1; repeat <= manifest.repeats(); repeat++) {
        List<RunDirectory> attempts = matrix.attempts(cell.id(), repeat);
        if (attempts.isEmpty()) {
          throw new QuorateException(
              "%s: run %d of cell %s is missing".formatted(matrix.path(), repeat, cell.id()));
        }
        RunDirectory last = attempts.get(attempts.size() - 1);
        sources.add(
            new Source(
                ExperimentRun.read(last.path()),
                manifest.name() + "-" + cell.id(),
                "%s-%s-%s".formatted(matrix.path().getFileName(), cell.id(), last.id())));
      }
    }
    return sources;
  }

  private static String scenario(ExperimentRun run) {
    String name =
        run.databases().isEmpty()
            ? "imported"
            : run.databases().get(0).manifest().scenario().name();
    return run.isSearch() ? name + "-capacity" : name;
  }

  private void print(RunDirectory directory, Publication publication) {
    PublishedRun run = new PublishedRun(directory);
    Map<String, Long> kinds = new TreeMap<>();
    run.sizes()
        .forEach(
            (name, bytes) ->
                kinds.merge(
                    name.startsWith("plots/") ? "plots" : name.replaceFirst(".*/", ""),
                    bytes,
                    Long::sum));
    out().println("published: " + VisibleText.of(directory.path().toString()));
    out()
        .println(
            "  %s without the page; %s"
                .formatted(
                    NumberFormats.humanizedBytes(run.bytesWithoutPage()),
                    String.join(
                        ", ",
                        kinds.entrySet().stream()
                            .map(
                                each ->
                                    each.getKey()
                                        + " "
                                        + NumberFormats.humanizedBytes(each.getValue()))
                            .toList())));
    Publication.Intervals intervals = publication.intervals();
    if (intervals.latencies() > 1) {
      out().println("  latency.hlog: intervals of " + intervals.latencies() + " s");
    }
    if (intervals.servers() > 1) {
      out().println("  metrics of servers: every " + intervals.servers() + " s");
    }
    if (intervals.machines() > 1) {
      out().println("  samples of machines: every " + intervals.machines() + " s");
    }
    publication.revealed().forEach(each -> out().println("  reveals " + VisibleText.of(each)));
    out().flush();
    long most = PublishedRun.maxBytes(directory.databases().size());
    if (run.bytesWithoutPage() > most) {
      err()
          .println(
              "warning: %s has more than %s without the page: publish a shorter run"
                  .formatted(
                      VisibleText.of(directory.path().toString()),
                      NumberFormats.humanizedBytes(most)));
      err().flush();
    }
  }
}
