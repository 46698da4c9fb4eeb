// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static java.util.stream.Collectors.joining;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Maintenance;
import io.quorate.store.Store;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import io.quorate.tls.TlsProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks the members of a cluster for their state: each known server of each member.
 *
 * @param endpoints returns the known endpoints of a member's servers, first the one for clients
 */
public record MemberProtocol(
    Store database, Access access, Function<Member, List<Endpoint>> endpoints) {
  private static final String SPEAKS_TLS =
      "it speaks TLS: name the certificate of its authority with --tls-ca FILE";

  /** Time limit of {@link #forgetHistory}: a member may have millions of values to remove. */
  private static final Duration HISTORY_LIMIT = Duration.ofSeconds(60);

  private static final Duration LEADER_TIMEOUT = Duration.ofMillis(500);

  public MemberProtocol(Store database, Access access) {
    this(database, access, MemberProtocol::ownEndpoints);
  }

  /** Returns the protocol of the servers that clients connect to. */
  private ServerProtocol servers() {
    return kinds().get(0).protocol();
  }

  private List<ServerKind> kinds() {
    return Stores.servers(database).kinds();
  }

  /**
   * Asks all servers of a member.
   *
   * @return their combined state. The version comes from the server that clients connect to. If
   *     that server does not report one, it comes from the server behind it, with its name, such as
   *     {@code etcd-3.7.3}
   * @throws IOException if one of them does not answer
   */
  public ServerProtocol.State ask(Member member) throws IOException {
    List<Endpoint> servers = endpoints.apply(member);
    String version = "";
    boolean ready = true;
    boolean leads = false;
    long applied = 0;
    boolean votes = true;
    List<String> said = new ArrayList<>();
    for (int part = 0; part < servers.size(); part++) {
      ServerKind kind = kinds().get(part);
      ServerProtocol.State state =
          kind.protocol().ask(servers.get(part), access, ServerProtocol.TIMEOUT);
      if (version.isEmpty() && !state.version().isEmpty()) {
        version = part == 0 ? state.version() : kind.id() + "-" + state.version();
      }
      ready &= state.ready();
      leads |= state.leads();
      applied = Math.max(applied, state.applied());
      votes &= state.votes();
      said.add(state.said());
    }
    return new ServerProtocol.State(version, ready, leads, String.join(", ", said), applied, votes);
  }

  /** Returns the member that reports that it leads; empty if none does. */
  Optional<Member> leader(List<Member> members) {
    return members.stream().filter(this::leads).findFirst();
  }

  private boolean leads(Member member) {
    return isLeading(member, ServerProtocol.TIMEOUT);
  }

  /** Returns whether a member answers within half a second that it leads. */
  public boolean isLeading(Member member) {
    return isLeading(member, LEADER_TIMEOUT);
  }

  /** Returns whether a member answers, and has a leader. */
  public boolean isServing(Member member) {
    return FileAction.attempt(() -> ask(member).ready()).orElse(false);
  }

  /** Returns whether a member answers that it has no vote. */
  public boolean isNonVoter(Member member) {
    return FileAction.attempt(() -> !ask(member).votes()).orElse(false);
  }

  /** Returns the position in the log of the last change that a member applied; 0 if unknown. */
  public long applied(Member member) {
    return FileAction.attempt(() -> ask(member).applied()).orElse(0L);
  }

  /** Returns how many snapshots a member has sent to others; 0 if unknown. */
  public long sentSnapshots(Member member) {
    List<Endpoint> servers = endpoints.apply(member);
    long sent = 0;
    for (int part = 0; part < servers.size(); part++) {
      try {
        sent +=
            kinds()
                .get(part)
                .protocol()
                .sentSnapshots(servers.get(part), access, ServerProtocol.TIMEOUT);
      } catch (IOException silent) {
        // so none is known
      }
    }
    return sent;
  }

  private boolean isLeading(Member member, Duration timeout) {
    List<Endpoint> servers = endpoints.apply(member);
    for (int part = 0; part < servers.size(); part++) {
      ServerProtocol protocol = kinds().get(part).protocol();
      try {
        if (protocol.tellsLeader() && protocol.ask(servers.get(part), access, timeout).leads()) {
          return true;
        }
      } catch (IOException silent) {
        // so it does not report that it leads
      }
    }
    return false;
  }

  /** Returns the first version that a member reports, or none; fails if no member answers. */
  public String version(List<Member> members) {
    Map<String, List<Endpoint>> refusals = new LinkedHashMap<>();
    boolean served = false;
    for (Member member : members) {
      try {
        ServerProtocol.State state = ask(member);
        if (!state.version().isEmpty()) {
          return state.version();
        }
        served |= state.ready();
        add(refusals, state.said(), member);
      } catch (IOException silent) {
        add(refusals, why(member.endpoint(), silent), member);
      }
    }
    if (served) {
      return "";
    }
    throw noAnswer(refusals);
  }

  private static void add(Map<String, List<Endpoint>> refusals, String why, Member member) {
    refusals.computeIfAbsent(why, any -> new ArrayList<>()).add(member.endpoint());
  }

  /** Returns the failure of all members, with each reason once. */
  private QuorateException noAnswer(Map<String, List<Endpoint>> refusals) {
    return new QuorateException(
        refusals.entrySet().stream()
            .map(
                each ->
                    each.getValue().stream().map(Endpoint::toString).collect(joining(", "))
                        + " ("
                        + each.getKey()
                        + ")")
            .collect(joining(", ", "no " + database.title() + " server answers: ", "")));
  }

  /** Returns the space of the database of the first member that reports it; empty if none does. */
  public Optional<ServerProtocol.Space> space(List<Member> members) {
    return members.stream()
        .map(each -> servers().space(each.endpoint(), access, ServerProtocol.TIMEOUT))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * Ends leases or sessions to which only keys with a prefix are attached, at the first member that
   * does.
   *
   * @return how many
   * @throws QuorateException if each member refuses or does not answer
   */
  public int endLeases(List<Member> members, String prefix) {
    List<String> refusals = new ArrayList<>();
    for (Member member : members) {
      try {
        return carryOut(
            member.name(),
            () -> servers().endLeases(member.endpoint(), access, prefix, HISTORY_LIMIT));
      } catch (QuorateException refused) {
        refusals.add(refused.getMessage());
      }
    }
    throw new QuorateException(String.join("; ", refusals));
  }

  /**
   * Removes the earlier values of keys, and waits until that is done.
   *
   * @param member member that makes all members remove them
   * @throws QuorateException if it does not in time
   */
  public void forgetHistory(Member member) {
    FileAction.require(
        "%s at %s keeps the history of its keys, and grows".formatted(database, member.endpoint()),
        () -> servers().forgetHistory(member.endpoint(), access, HISTORY_LIMIT));
  }

  /**
   * Asks the leader to hand its leadership over.
   *
   * @param begins runs just before the request
   * @throws QuorateException if it refuses or does not answer
   */
  public void transferLeadership(Member leader, Member successor, Runnable begins) {
    carryOut(
        leader,
        () ->
            servers()
                .transferLeadership(
                    leader.endpoint(),
                    successor.endpoint(),
                    access,
                    ServerProtocol.TIMEOUT,
                    begins));
  }

  /**
   * Lets a member do maintenance, and waits until it is done.
   *
   * @param begins runs just before the request
   * @throws QuorateException if it refuses, or does not answer in time
   */
  public ServerProtocol.MaintenanceResult maintain(
      Maintenance work, Member member, Duration timeout, Runnable begins) {
    return carryOut(
        member.name(), () -> servers().maintain(work, member.endpoint(), access, timeout, begins));
  }

  /**
   * Lets a member read the files of its certificate again.
   *
   * @throws QuorateException if it refuses or does not answer
   */
  public void reloadCertificate(Member member) {
    carryOut(
        member,
        () -> servers().reloadCertificate(member.endpoint(), access, ServerProtocol.TIMEOUT));
  }

  /** Returns the certificate, in PEM, that a member shows to a new connection; empty if none. */
  public Optional<String> certificate(Member member) {
    Endpoint endpoint = member.ownEndpoint();
    return access
        .tls()
        .flatMap(
            tls ->
                FileAction.attempt(
                    () ->
                        tls.certificate(endpoint.host(), endpoint.port(), ServerProtocol.TIMEOUT)));
  }

  /** Returns the answer of a server; fails with its name and what it answered instead. */
  static <T> T carryOut(String server, FileAction<T> request) {
    try {
      return request.run();
    } catch (IOException failure) {
      throw new QuorateException(
          server + " " + VisibleText.line(String.valueOf(failure.getMessage())), failure);
    }
  }

  private static void carryOut(Member member, FileAction.Step request) {
    carryOut(member.name(), FileAction.of(request));
  }

  /** Explains, without a full stop, why a server did not answer. */
  public String why(Endpoint server, IOException silent) {
    String host = server.host();
    Optional<String> problem =
        access.tls().isPresent()
            ? TlsProblem.of(silent, access.tls().get().hasIdentity())
                .or(
                    () ->
                        TlsProblem.ofConnection(
                            access.tls().get(), host, server.port(), ServerProtocol.TIMEOUT))
            : Optional.of(SPEAKS_TLS)
                .filter(any -> TlsProblem.speaksTls(host, server.port(), ServerProtocol.TIMEOUT));
    return problem.orElseGet(() -> VisibleText.line(String.valueOf(silent.getMessage())));
  }

  /** Fails with advice if clients may not read keys with a prefix, or if no member answers. */
  void requireAccess(List<Member> members, String prefix) {
    Map<String, List<Endpoint>> problems = new LinkedHashMap<>();
    for (Member member : members) {
      try {
        Optional<String> obstacle =
            servers().obstacle(member.endpoint(), access, prefix, ServerProtocol.TIMEOUT);
        if (obstacle.isEmpty()) {
          return;
        }
        throw new QuorateException(
            "%s at %s: %s".formatted(database, member.endpoint(), obstacle.get()));
      } catch (IOException silent) {
        add(problems, why(member.endpoint(), silent), member);
      }
    }
    if (access.equals(Access.PLAIN)) {
      return; // requests will show the reason
    }
    throw noAnswer(problems);
  }

  /** Returns the known endpoints of a member: only its own if Quorate did not start it. */
  private static List<Endpoint> ownEndpoints(Member member) {
    return member.servers().isEmpty()
        ? List.of(member.endpoint())
        : member.servers().stream().map(Member.Server::endpoint).toList();
  }
}
