// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import io.quorate.results.requests.Golden;
import io.quorate.scenario.FaultPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A run with a killed leader whose files are made up, and its report. */
abstract class FaultyRun {
  static final String TAG = "etcd-v3.3.0-go1.9.3";
  static final long MS = 1_000_000;
  static final long KEY = 7;
  static final long CONTENDED = 100;

  @TempDir Path run;

  final StringWriter out = new StringWriter();

  /** Returns what was printed, with lines that were broken at blanks in one piece. */
  final String printed() {
    return out.toString().replaceAll("\n  (?=\\S)", " ");
  }

  private final List<RecordedRequest> requests = new ArrayList<>();
  DatabaseDirectory etcd;

  @BeforeEach
  void aKilledLeader() throws Exception {
    List<StepMeasurement> steps = Golden.steps(TAG);
    TestRuns.write(run, "etcd", TAG, 1, 5000, steps);
    long first = steps.get(0).seconds().get(0).unixSecond();
    etcd = new DatabaseDirectory(run.resolve("etcd"));
    FaultRecord.FILE.append(
        etcd,
        new FaultRecord(
            1,
            FaultPlan.Kind.parse("kill-leader").orElseThrow(),
            List.of("etcd-2"),
            TimeUnit.SECONDS.toNanos(first + 3),
            2_000 * MS,
            12_000 * MS,
            22_000 * MS,
            Optional.of("etcd-2"),
            Optional.of("etcd-1"),
            OptionalLong.of(3_200 * MS),
            OptionalLong.of(12_500 * MS),
            OptionalLong.of(12_700 * MS),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    put(41, 1_000);
    put(42, 3_500);
  }

  final void put(long value, long atMillis) {
    add(Action.PUT, KEY, value, 0, 0, atMillis, Outcome.OK);
  }

  final void get(long value, long atMillis) {
    add(Action.GET, KEY, 0, value, 0, atMillis, Outcome.OK);
  }

  final void compareAndSet(long expected, long value, long atMillis, Outcome outcome) {
    add(Action.COMPARE_AND_SET, CONTENDED, value, 0, expected, atMillis, outcome);
  }

  /** Adds a request that takes 1 ms. */
  final void add(
      Action action,
      long key,
      long written,
      long read,
      long expected,
      long atMillis,
      Outcome outcome) {
    requests.add(
        new RecordedRequest(
            requests.size() % 2,
            action,
            key,
            written,
            read,
            expected,
            atMillis * MS,
            (atMillis + 1) * MS,
            outcome,
            0));
  }

  final int report(String... options) {
    try (HistoryFile file = HistoryFile.create(FaultRecord.history(etcd))) {
      HistoryFile.Recorder recorder = file.recorder();
      requests.forEach(recorder::add);
      recorder.flush();
    }
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(run.toString());
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(arguments.toArray(String[]::new));
  }

  final void watched(int received) {
    watched(received, 2_500, 0);
  }

  final void watched(int received, long atMillis, int repeated) {
    WatchedWrite.FILE.append(
        etcd,
        List.of(
            new WatchedWrite(
                0,
                1,
                atMillis * MS,
                OptionalLong.of((atMillis + 10) * MS),
                true,
                10,
                received,
                10 - received,
                repeated,
                0,
                OptionalLong.of((atMillis + 2_010) * MS))));
  }

  final void session(long number, long renewedMillis, long abandonedMillis, long endedMillis) {
    SessionRecord.FILE.append(
        etcd,
        List.of(
            new SessionRecord(
                number,
                "123",
                "etcd-1",
                10_000 * MS,
                0,
                renewedMillis * MS,
                abandonedMillis == 0 ? OptionalLong.empty() : OptionalLong.of(abandonedMillis * MS),
                OptionalLong.empty(),
                endedMillis == 0 ? OptionalLong.empty() : OptionalLong.of(endedMillis * MS),
                abandonedMillis == 0 ? Optional.of("expired") : Optional.empty(),
                OptionalInt.empty(),
                renewedMillis * MS)));
  }
}
