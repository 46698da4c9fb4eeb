// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import com.google.protobuf.ByteString;
import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.agent.AgentSecrets;
import io.quorate.agent.Protocol;
import io.quorate.agent.server.FileStreamer.FollowedFile;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.Control;
import io.quorate.agent.wire.Done;
import io.quorate.agent.wire.Measured;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Planned;
import io.quorate.agent.wire.ProcessState;
import io.quorate.agent.wire.Record;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Sample;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Started;
import io.quorate.cluster.LocalMember;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.Signal;
import io.quorate.host.HostRecording;
import io.quorate.install.DirectoryTree;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import io.quorate.stores.Stores;
import io.quorate.tls.RequestedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The member that an agent runs for a load generator, and the data sent about it. One thread calls
 * the steps, another one {@link #report()}.
 */
final class AgentMember {
  private static final Duration SEND_LIMIT = Duration.ofSeconds(30);
  private static final Duration LAST_SEND_LIMIT = Duration.ofSeconds(2);
  private static final int MAX_STEPS = 10_000;

  private final AgentSettings settings;
  private final Path directory;
  private final Hosts hosts;
  private final IntSupplier clients;
  private final FileStreamer outbox;
  private Optional<LocalMember> member = Optional.empty();

  /** The key of a member that speaks TLS; empty for plain text. */
  private Optional<RequestedKey> key = Optional.empty();

  private Optional<HostRecording> recording = Optional.empty();
  private List<FollowedFile> logs = List.of();

  /** What the last plan asks for; null before the first one. */
  private @Nullable MemberRequest asked;

  private boolean started;
  private int samples;

  /**
   * The addresses of the two ends of the connection.
   *
   * @param own address at which the servers are to listen
   */
  record Hosts(String own, String loadGenerator) {}

  AgentMember(
      AgentSettings settings,
      Path directory,
      Hosts hosts,
      IntSupplier clients,
      ReplyStream replies) {
    this.settings = settings;
    this.directory = directory;
    this.hosts = hosts;
    this.clients = clients;
    this.outbox = new FileStreamer(replies, settings.console());
  }

  Reply plan(Plan plan) {
    stop();
    MemberRequest asked = MemberRequest.of(plan);
    this.asked = asked;
    LocalMember planned =
        LocalMember.plan(
            asked.store(),
            asked.index(),
            hosts.own(),
            directory,
            settings.cluster().withServers(asked.settings()));
    synchronized (this) {
      member = Optional.of(planned);
      logs =
          LocalMember.logFiles(asked.store(), asked.index()).stream().map(this::followed).toList();
    }
    follow();
    key = asked.secured() ? Optional.of(new RequestedKey()) : Optional.empty();
    Planned.Builder answer =
        Planned.newBuilder()
            .setAddress(
                Address.newBuilder()
                    .setHost(planned.address().host())
                    .addAllPorts(planned.address().ports()));
    key.ifPresent(made -> answer.setCertificateRequest(ByteString.copyFrom(made.request())));
    return Reply.newBuilder().setPlanned(answer).build();
  }

  /** Sends the files of the next recording from their beginning, and continues with the logs. */
  private synchronized void follow() {
    HostFiles host = new HostFiles(new DatabaseDirectory(directory));
    List<FollowedFile> all = new ArrayList<>();
    for (Path file :
        List.of(
            host.server(asked().index()), host.serverSteps(asked().index()), host.internals())) {
      // files of an earlier recording
      FileAction.require(file + ": cannot be removed", () -> Files.deleteIfExists(file));
      all.add(followed(directory.relativize(file).toString()));
    }
    all.addAll(logs);
    outbox.follow(all);
  }

  private MemberRequest asked() {
    return Objects.requireNonNull(asked);
  }

  private FollowedFile followed(String name) {
    return new FollowedFile(name, directory.resolve(name), Protocol.MAX_FILE_BYTES);
  }

  Reply start(Start start) {
    LocalMember planned = planned();
    if (start.getMembersCount() != asked().members()) {
      throw new QuorateException(
          "found %s addresses, expected %s".formatted(start.getMembersCount(), asked().members()));
    }
    List<MemberAddress> addresses;
    try {
      addresses =
          start.getMembersList().stream()
              .map(each -> new MemberAddress(each.getHost(), each.getPortsList()))
              .toList();
    } catch (IllegalArgumentException wrong) {
      throw new QuorateException(String.valueOf(wrong.getMessage()), wrong);
    }
    if (start.hasSecrets() != key.isPresent()) {
      throw new QuorateException(
          start.hasSecrets()
              ? "found secrets for a member in plain text"
              : "found no secrets for a member that speaks TLS");
    }
    planned.start(addresses, key.map(made -> AgentSecrets.read(start.getSecrets(), made)));
    synchronized (this) {
      started = true;
    }
    String version = planned.version();
    settings
        .console()
        .accept(
            "%s %s runs, for clients at %s"
                .formatted(planned.member().name(), version, planned.member().endpoint()));
    return Reply.newBuilder()
        .setStarted(
            Started.newBuilder()
                .setVersion(version)
                .addAllPorts(
                    planned.member().servers().stream()
                        .map(server -> server.endpoint().port())
                        .toList()))
        .build();
  }

  private LocalMember planned() {
    return member.orElseThrow(() -> new QuorateException("no member was planned"));
  }

  private LocalMember running() {
    if (!started) {
      throw new QuorateException("no member was started");
    }
    return planned();
  }

  Reply record(Record record) {
    LocalMember running = running();
    if (recording.isPresent()) {
      throw new QuorateException("the member is measured already");
    }
    long ahead = record.getClockAheadNanos();
    // both are small enough for the difference once the first is known to be
    if (!Protocol.isTime(Math.abs(ahead))
        || !Protocol.isTime(Protocol.unixNanos(settings.clock()) - ahead)) {
      throw new QuorateException("found a clock that is %s ns ahead".formatted(ahead));
    }
    follow();
    Clock clock = Clock.offset(settings.clock(), Duration.ofNanos(-ahead));
    HostRecording begun =
        HostRecording.ofMember(
            asked().store(),
            running.member(),
            hosts.loadGenerator(),
            clients,
            new DatabaseDirectory(directory),
            running.access(),
            clock);
    synchronized (this) {
      recording = Optional.of(begun);
    }
    samples = 0;
    return done();
  }

  /** Takes a sample at the beginning or end of a step; each comes once, in order. */
  Reply sample(Sample sample) {
    int step = sample.getStep();
    int number = 2 * step + (sample.getIsEnd() ? 1 : 0);
    if (step < 1 || step > MAX_STEPS || number <= samples) {
      throw new QuorateException(
          "found step %s, expected one of 1 to %s that comes after the last one"
              .formatted(step, MAX_STEPS));
    }
    HostRecording now =
        recording.orElseThrow(() -> new QuorateException("the member is not measured"));
    samples = number;
    now.sample(step, sample.getIsEnd() ? StepBoundary.END : StepBoundary.BEGIN);
    return done();
  }

  Reply stopRecording() {
    if (recording.isPresent()) {
      recording.get().close();
      sendAll();
      synchronized (this) {
        recording = Optional.empty();
      }
    }
    return done();
  }

  Reply measure() {
    running();
    Measured.Builder measured = Measured.newBuilder();
    recording
        .orElseThrow(() -> new QuorateException("the member is not measured"))
        .dataBytes(running().member())
        .ifPresent(measured::setBytes);
    return Reply.newBuilder().setMeasured(measured).build();
  }

  /** Sends a signal to the member's process, or starts it again; returns the state afterwards. */
  Reply control(Control control) {
    LocalMember running = running();
    MemberControl process = running.control();
    switch (control.getAction()) {
      case ASK -> {}
      case KILL -> process.send(running.member(), Signal.KILL);
      case TERMINATE -> process.send(running.member(), Signal.TERMINATE);
      case PAUSE -> process.send(running.member(), Signal.PAUSE);
      case RESUME -> process.send(running.member(), Signal.RESUME);
      case RESTART -> {
        if (!process.hasEnded(running.member())) {
          throw new QuorateException("the member runs, and cannot be started again");
        }
        process.restart(running.member());
      }
      case UNRECOGNIZED ->
          throw new QuorateException("found an action that this version of Quorate does not know");
    }
    return Reply.newBuilder()
        .setProcessState(
            ProcessState.newBuilder()
                .setAlive(!process.hasEnded(running.member()))
                .setPaused(process.isPaused(running.member())))
        .build();
  }

  /** Stops the member, removes its data, and sends the rest of its log. */
  Reply stop() {
    recording.ifPresent(HostRecording::close);
    member.ifPresent(LocalMember::close);
    if (started) {
      settings.console().accept("%s-%s is stopped".formatted(asked().store(), asked().index()));
    }
    sendAll();
    synchronized (this) {
      recording = Optional.empty();
      member = Optional.empty();
      key = Optional.empty();
      outbox.follow(List.of());
      started = false;
    }
    // another member in the same run begins without the files of this one
    new DirectoryTree(directory).clear();
    return done();
  }

  /** Sends new data, as far as there is room, and reports if the member has ended. */
  synchronized void report() {
    outbox.sendNew();
    recording.ifPresent(now -> now.remarks().forEach(outbox::remark));
    if (started) {
      member.orElseThrow().failures().forEach(outbox::ended);
    }
  }

  /** Sends all remaining data, waiting for room if necessary. */
  void sendAll() {
    sendAll(SEND_LIMIT);
  }

  private synchronized void sendAll(Duration limit) {
    recording.ifPresent(now -> now.remarks().forEach(outbox::remark));
    outbox.sendRest(limit);
  }

  private static Reply done() {
    return Reply.newBuilder().setDone(Done.getDefaultInstance()).build();
  }

  /** Stops everything, sends as much data as possible, and removes all files. */
  void end() {
    try {
      recording.ifPresent(HostRecording::close);
    } finally {
      member.ifPresent(LocalMember::close);
      sendAll(LAST_SEND_LIMIT);
      new DirectoryTree(directory).remove();
    }
  }

  /**
   * The validated request of a load generator to run a member.
   *
   * @param index index of the member, from 1
   */
  record MemberRequest(
      Store store, int index, int members, boolean secured, ServerSettings settings) {
    private static final int MAX_MEMBERS = 5;

    static MemberRequest of(Plan plan) {
      Store store =
          Stores.byId(plan.getStore())
              .filter(Store::hasServers)
              .orElseThrow(
                  () ->
                      new QuorateException(
                          "found the database "
                              + Protocol.word(plan.getStore())
                              + ", which this agent does not know"));
      if (plan.getMembers() < 1
          || plan.getMembers() > MAX_MEMBERS
          || plan.getIndex() < 1
          || plan.getIndex() > plan.getMembers()) {
        throw new QuorateException(
            "found member %s of %s, expected one of at most %s"
                .formatted(plan.getIndex(), plan.getMembers(), MAX_MEMBERS));
      }
      if (plan.getSecured() && store.obstacleToTls().isPresent()) {
        throw new QuorateException(
            "%s cannot be secured: %s".formatted(store, store.obstacleToTls().get()));
      }
      return new MemberRequest(
          store, plan.getIndex(), plan.getMembers(), plan.getSecured(), settings(store, plan));
    }

    private static ServerSettings settings(Store store, Plan plan) {
      Map<String, Long> values = new LinkedHashMap<>();
      plan.getSettingsList().forEach(each -> values.put(each.getId(), each.getValue()));
      return Stores.servers(store).choose(values);
    }
  }
}
