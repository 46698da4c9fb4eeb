// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Family;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.report.page.Reproduction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reasons why a comparison says less than it seems to, each with a hint. */
enum ComparisonWarning {
  /** A side has fewer runs than a decision needs. */
  TOO_FEW_RUNS {
    @Override
    Optional<String> about(SeriesPair pair) {
      int before = pair.before().runs().size();
      int after = pair.after().runs().size();
      return Math.min(before, after) >= Sample.MIN_RUNS
          ? Optional.empty()
          : Optional.of(
              "%s in the baseline and %s in the candidate: differences of up to %s%% count as ties; larger ones may still be noise. An interval and a gate need %s of each.%s"
                  .formatted(
                      runs(before),
                      runs(after),
                      Decision.TIE_PERCENT,
                      Sample.MIN_RUNS,
                      repetition(pair.after().runs().get(0))
                          .map(command -> " Repeat them with: " + command)
                          .orElse("")));
    }
  },
  /** Other processes used the machine of the load generator. */
  OTHER_PROCESSES {
    @Override
    Optional<String> about(SeriesPair pair) {
      List<RunValues> busy =
          all(pair)
              .filter(run -> run.othersCores().orElse(0) > OTHERS * run.manifest().host().cores())
              .toList();
      return busy.isEmpty()
          ? Optional.empty()
          : Optional.of(
              ("other processes used up to %s CPUs of the load generator's machine in %s. Stop"
                      + " them, and repeat these runs: %s.")
                  .formatted(
                      NumberFormats.fixed(
                          busy.stream().mapToDouble(r -> r.othersCores().orElse(0)).max().orElse(0),
                          1),
                      runs(busy.size()),
                      names(busy)));
    }
  },
  /** The first run of a side differs from all others of it. */
  COLD_START {
    @Override
    Optional<String> about(SeriesPair pair) {
      return Stream.of(pair.before(), pair.after())
          .filter(ComparisonWarning::isColdFirst)
          .map(
              side ->
                  ("the first run, %s, has another throughput than all later ones. Leave it out if"
                          + " the machine was cold, by moving it out of the directory.")
                      .formatted(names(side.runs().subList(0, 1))))
          .findFirst();
    }
  },
  /** The members were in other zones, or had other delays between them. */
  OTHER_ZONES {
    @Override
    Optional<String> about(SeriesPair pair) {
      Set<String> before = zones(pair.before());
      Set<String> after = zones(pair.after());
      return before.equals(after)
          ? Optional.empty()
          : Optional.of(
              "the zones differ: %s in the baseline, %s in the candidate. A change may come from the network, not from the database."
                  .formatted(String.join(" / ", before), String.join(" / ", after)));
    }
  },
  /** All runs of one side were before those of the other. */
  NOT_INTERLEAVED {
    @Override
    Optional<String> about(SeriesPair pair) {
      return pair.isInBlocks()
          ? Optional.of(
              "all runs of one side were before those of the other, so a change of the machine"
                  + " counts as a change of the database, and no gate fails. To exclude this, put"
                  + " both into one scenario and run it with '--repeats': their runs take turns."
                  + " '--ignore=order' lets the gate fail all the same.")
          : Optional.empty();
    }
  },
  /** The runs were repeated until the gate was decided, which only the gate allows for. */
  SEQUENTIAL {
    @Override
    Optional<String> about(SeriesPair pair) {
      return pair.before().runs().stream().anyMatch(run -> run.pair() > 0)
          ? Optional.of(
              "these pairs were repeated until the gate was decided. Only the gate's results allow"
                  + " for that: 95% intervals and verdicts of the table are for a fixed number of"
                  + " runs."
                  + (pair.leftOut().isEmpty() ? "" : " L" + pair.leftOut().substring(1) + "."))
          : Optional.empty();
    }
  },
  /** The throughput of the runs of a side varies by more than is usual. */
  NOISY {
    @Override
    Optional<String> about(SeriesPair pair) {
      double spread =
          Stream.of(pair.before(), pair.after())
              .mapToDouble(ComparisonWarning::spread)
              .max()
              .orElse(0);
      return spread > NOISE
          ? Optional.of(
              ("the throughput of the runs of one side varies by a standard deviation of %s%%. More"
                      + " runs, longer runs or a quieter machine give narrower intervals.")
                  .formatted(NumberFormats.fixed(100 * spread, 0)))
          : Optional.empty();
    }
  };

  private static final int GOOD_RUNS = 6;

  /** Part of the machine's CPUs above which other processes are named. */
  private static final double OTHERS = 0.1;

  /** Relative standard deviation above which the runs of a side are called noisy. */
  private static final double NOISE = 0.1;

  private static final int MAX_NAMED = 3;

  /** Returns the warning about a pair, with its hint; empty if there is no reason for it. */
  abstract Optional<String> about(SeriesPair pair);

  /** Returns all warnings about a comparison as sentences. */
  static List<String> of(Comparison comparison) {
    List<String> sentences = new ArrayList<>();
    Stream.of(comparison.baseline(), comparison.candidate())
        .flatMap(side -> side.leftOut().stream())
        .map(each -> "Left out: " + each.text())
        .distinct()
        .forEach(sentences::add);
    comparison.unpaired().map(each -> "Left out: " + each).forEach(sentences::add);
    for (SeriesPair pair : comparison.pairs()) {
      String name = comparison.pairs().size() == 1 ? "" : pair.name() + ": ";
      for (ComparisonWarning each : values()) {
        each.about(pair)
            .map(
                text ->
                    name.isEmpty()
                        ? text.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                            + text.substring(1)
                        : name + text)
            .ifPresent(sentences::add);
      }
    }
    return sentences;
  }

  /** Returns the command that repeats a run; empty for a part of a shared load. */
  private static Optional<String> repetition(RunValues run) {
    return Reproduction.repeated(
        Objects.requireNonNull(run.directory().getParent()),
        run.manifest().store().id(),
        GOOD_RUNS);
  }

  private static Stream<RunValues> all(SeriesPair pair) {
    return Stream.concat(pair.before().runs().stream(), pair.after().runs().stream()).distinct();
  }

  private static Set<String> zones(Series side) {
    return side.runs().stream()
        .map(run -> run.zones().isEmpty() ? "none" : VisibleText.of(run.zones()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static String runs(int count) {
    return NumberFormats.count(count, "run");
  }

  private static String names(List<RunValues> runs) {
    String more = runs.size() > MAX_NAMED ? " and " + (runs.size() - MAX_NAMED) + " more" : "";
    return runs.stream()
            .limit(MAX_NAMED)
            .map(run -> VisibleText.of(name(Objects.requireNonNull(run.directory().getParent()))))
            .collect(Collectors.joining(", "))
        + more;
  }

  /** Returns the last two names of the path of a run. */
  private static String name(Path run) {
    int names = run.getNameCount();
    return run.subpath(Math.max(0, names - 2), names).toString();
  }

  private static boolean isColdFirst(Series side) {
    double[] all = throughputs(side);
    return all.length >= Sample.MIN_RUNS
        && Family.decide(
                Change.of(
                    new Sample(Kind.RATE, all[0]),
                    new Sample(Kind.RATE, Arrays.copyOfRange(all, 1, all.length))),
                Limits.USUAL)
            .isDecided();
  }

  private static double[] throughputs(Series side) {
    return side.runs().stream().mapToDouble(Series::throughput).toArray();
  }

  private static double spread(Series side) {
    Sample all = new Sample(Kind.RATE, throughputs(side));
    return all.count() < 2 ? 0 : Change.of(all, all).deviation();
  }
}
