// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import com.google.protobuf.ByteString;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Measure;
import io.quorate.agent.wire.Record;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Sample;
import io.quorate.agent.wire.StopRecording;
import io.quorate.host.RemoteMetrics;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Receives the host metrics that agents measure for their members. Rows and internals arrive piece
 * by piece; the rest is requested.
 */
final class AgentMetrics implements RemoteMetrics, AutoCloseable {
  private static final Duration STEP_LIMIT = Duration.ofSeconds(30);

  /** Time limit of a sample, for which the load waits. */
  private static final Duration SAMPLE_LIMIT = Duration.ofSeconds(10);

  private final AgentGroup group;
  private final AgentClocks clocks;
  private final Map<Path, ReceivedFile> files = new HashMap<>();
  private final List<String> remarks = new ArrayList<>();
  private boolean measured;

  AgentMetrics(AgentGroup group, AgentClocks clocks) {
    this.group = group;
    this.clocks = clocks;
    remarks.addAll(clocks.corrections());
  }

  @Override
  public void start(IntSupplier present, HostFiles into) {
    group.tell(present);
    measured = true;
    ReceivedFile internals = file(into.internals());
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < group.connections().size(); i++) {
      AgentConnection agent = group.connections().get(i);
      ReceivedFile rows = file(into.server(i + 1));
      agent.expect(
          into.server(i + 1).getFileName().toString(),
          piece -> rows.append(piece, Protocol.MAX_FILE_BYTES));
      Path steps = into.serverSteps(i + 1);
      agent.expect(
          steps.getFileName().toString(),
          piece -> file(steps).append(piece, Protocol.MAX_FILE_BYTES));
      LinesAfterFirst lines = new LinesAfterFirst(i == 0);
      agent.expect(
          into.internals().getFileName().toString(),
          piece ->
              internals.append(
                  lines.of(piece), Protocol.MAX_FILE_BYTES * group.connections().size()));
      Record.Builder record = Record.newBuilder().setClockAheadNanos(clocks.correctionNanos(i));
      requests.add(Request.newBuilder().setRecord(record).build());
    }
    remark(group.problems(group.all(requests, STEP_LIMIT, "has not begun to measure")));
  }

  @Override
  public Runnable sample(int step, StepBoundary boundary) {
    Request request =
        Request.newBuilder()
            .setSample(Sample.newBuilder().setStep(step).setIsEnd(boundary == StepBoundary.END))
            .build();
    List<CompletableFuture<Reply>> answers =
        group.connections().stream().map(agent -> agent.ask(request)).toList();
    String otherwise =
        "has not measured its member at the %s of step %s".formatted(boundary.id(), step);
    return () -> remark(group.problems(group.await(answers, SAMPLE_LIMIT, otherwise)));
  }

  /** Merges files of several agents into one, with the header of the first. */
  private static final class LinesAfterFirst {
    private boolean headerSeen;
    private long bytes;

    LinesAfterFirst(boolean withHeader) {
      this.headerSeen = withHeader;
    }

    ByteString of(ByteString piece) {
      // counted per agent, so that too much data is blamed on the agent that sent it
      bytes += piece.size();
      if (bytes > Protocol.MAX_FILE_BYTES) {
        throw new QuorateException(
            "it sent more than " + Protocol.MAX_FILE_BYTES + " bytes of one file");
      }
      if (headerSeen) {
        return piece;
      }
      headerSeen = true;
      int end = 0;
      while (end < piece.size() && piece.byteAt(end) != '\n') {
        end++;
      }
      return piece.substring(Math.min(piece.size(), end + 1));
    }
  }

  /** Creates the file when needed: a load that ends before its first step has no rows of steps. */
  private synchronized ReceivedFile file(Path path) {
    return files.computeIfAbsent(path, ReceivedFile::create);
  }

  synchronized void remark(List<String> texts) {
    remarks.addAll(texts);
  }

  @Override
  public Optional<Long> dataBytes(int index) {
    AgentConnection agent = group.connections().get(index - 1);
    Request measure = Request.newBuilder().setMeasure(Measure.getDefaultInstance()).build();
    try {
      Reply reply =
          agent.await(agent.ask(measure), STEP_LIMIT, "has not measured the data of its member");
      return reply.getMeasured().hasBytes() && reply.getMeasured().getBytes() >= 0
          ? Optional.of(reply.getMeasured().getBytes())
          : Optional.empty();
    } catch (QuorateException lost) {
      remark(List.of(String.valueOf(lost.getMessage())));
      return Optional.empty();
    }
  }

  @Override
  public void stop() {
    if (measured) {
      measured = false;
      Request stop =
          Request.newBuilder().setStopRecording(StopRecording.getDefaultInstance()).build();
      remark(group.problems(group.all(stop, STEP_LIMIT, "has not sent all that it measured")));
      remark(clocks.movements());
    }
  }

  @Override
  public synchronized List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    group.connections().forEach(agent -> all.addAll(agent.remarks()));
    return all.stream().distinct().collect(Collectors.toList());
  }

  @Override
  public synchronized void close() {
    files.values().forEach(ReceivedFile::close);
    files.clear();
  }
}
