package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.cluster.Member;
import io.quorate.format.CsvText;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerInternals;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Asks every server once a second for its own metrics, each on a thread of its own, and writes
 * {@code UNIX-SECOND,MEMBER,METRIC,VALUE}. A second without an answer has no rows.
 */
final class InternalsRecorder implements AutoCloseable {
  private static final String[] HEADER = {"UNIX-SECOND", "MEMBER", "METRIC", "VALUE"};

  private final Path path;
  private final Access access;
  private final SamplingWarnings remarks;
  private final Writer file;
  private final List<EverySecond> threads = new ArrayList<>();
  private boolean broken;

  private InternalsRecorder(Path path, Access access, SamplingWarnings remarks) throws IOException {
    this.path = path;
    this.access = access;
    this.remarks = remarks;
    this.file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    write(new CsvText().row(HEADER));
  }

  /**
   * Starts to ask in each second, one member after the other.
   *
   * @throws IOException if the file cannot be written
   */
  static InternalsRecorder start(
      Store database,
      List<Member> members,
      Access access,
      Path path,
      Clock clock,
      SamplingWarnings remarks)
      throws IOException {
    InternalsRecorder recorder = new InternalsRecorder(path, access, remarks);
    for (Member member : members) {
      Stores.servers(database)
          .internals()
          .ifPresent(
              internals ->
                  recorder.threads.add(
                      EverySecond.start(
                          "quorate-internals-" + member.index(),
                          clock,
                          offsetNanos(recorder.threads.size(), members.size()),
                          second -> recorder.record(second, member, internals))));
    }
    return recorder;
  }

  /** Returns when in a second a member is asked: not at the same time as another one. */
  private static long offsetNanos(int position, int members) {
    return TimeUnit.SECONDS.toNanos(position + 1) / (members + 1);
  }

  private void record(long second, Member member, ServerInternals internals) {
    try {
      Map<String, Double> figures =
          internals.ask(member.ownEndpoint(), access, ServerInternals.LIMIT);
      CsvText rows = new CsvText();
      figures.forEach(
          (metric, value) ->
              rows.row(
                  Long.toString(second),
                  Integer.toString(member.index()),
                  metric,
                  Figure.text(value)));
      write(rows);
    } catch (IOException silent) {
      remarks.add(member.name() + ": seconds without internals: " + silent.getMessage());
    } catch (RuntimeException unforeseen) {
      // whatever a server answers, the run goes on
      remarks.add(member.name() + ": seconds without internals: " + unforeseen);
    }
  }

  /** Writes complete rows of a member's second; flushed, so that they survive a kill. */
  private synchronized void write(CsvText rows) {
    if (broken) {
      return;
    }
    try {
      file.write(rows.toString());
      file.flush();
    } catch (IOException impossible) {
      broken = true;
      remarks.add(path + ": cannot be written: " + FileFailure.reason(impossible));
    }
  }

  @Override
  public void close() {
    threads.forEach(EverySecond::close);
    synchronized (this) {
      try {
        file.close();
      } catch (IOException impossible) {
        remarks.add(path + ": cannot be written: " + FileFailure.reason(impossible));
      }
    }
  }
}
