package io.quorate.host;

import io.quorate.cluster.Member;
import io.quorate.format.CsvText;
import io.quorate.store.Access;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerInternals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Asks every server once a second for its own metrics, each on a separate thread, and writes {@code
 * UNIX-SECOND,MEMBER,METRIC,VALUE}. A second without an answer has no rows.
 */
final class InternalsRecorder implements AutoCloseable {
  private final Access access;
  private final SamplingWarnings remarks;
  private final GrowingCsv file;
  private final List<EverySecond> threads = new ArrayList<>();

  /** Starts to ask in each second, one member after the other. */
  InternalsRecorder(
      ServerInternals internals,
      List<Member> members,
      Access access,
      Path path,
      Clock clock,
      SamplingWarnings remarks) {
    this.access = access;
    this.remarks = remarks;
    this.file = new GrowingCsv(path, remarks, "UNIX-SECOND", "MEMBER", "METRIC", "VALUE");
    for (Member member : file.isOpen() ? members : List.<Member>of()) {
      threads.add(
          new EverySecond(
              "quorate-internals-" + member.index(),
              clock,
              // not at the same time as another one
              TimeUnit.SECONDS.toNanos(threads.size() + 1) / (members.size() + 1),
              second -> record(second, member, internals)));
    }
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
      file.write(rows);
    } catch (IOException silent) {
      remarks.add(
          member.name()
              + ": metrics of the server are missing for some seconds: "
              + silent.getMessage());
    } catch (RuntimeException unforeseen) {
      // the run continues whatever a server answers
      remarks.add(
          member.name() + ": metrics of the server are missing for some seconds: " + unforeseen);
    }
  }

  @Override
  public void close() {
    threads.forEach(EverySecond::close);
    file.close();
  }
}
