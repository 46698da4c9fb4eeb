// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.format.NumberFormats;
import io.quorate.store.Access;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The servers of a store.
 *
 * @param version version that they report; empty before they were asked, and if they do not report
 *     it
 * @param members {@code host:port} of every member, in their order
 * @param leader address of the member that led at the start, if one reported it
 * @param secured protection of requests; empty if there is none
 * @param hosting how the servers were provided; empty before they started
 * @param agents agents that ran the members, in their order; empty if there were none
 * @param keys keys of the run in an existing cluster; empty for servers of the run
 * @param programSha256 SHA-256 of the user's own program ({@code etcd@mine}); empty for others
 * @param nonVoters addresses of those members that have no vote, if requests go to them
 */
public record ServerInfo(
    Optional<String> version,
    List<String> members,
    @JsonProperty("leaderAtStart") Optional<String> leader,
    Optional<Secured> secured,
    Optional<Hosting> hosting,
    List<Agent> agents,
    Optional<RunKeys> keys,
    Optional<String> programSha256,
    Optional<List<String>> nonVoters) {
  static final ServerInfo UNKNOWN =
      new ServerInfo(
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public ServerInfo {
    members = List.copyOf(members);
    nonVoters = nonVoters.map(List::copyOf);
    agents = List.copyOf(agents);
    if (!agents.isEmpty() && agents.size() != members.size()) {
      throw new IllegalArgumentException(
          "agents: found %d, expected one for each of the %d members"
              .formatted(agents.size(), members.size()));
    }
  }

  ServerInfo with(RunKeys known) {
    return new ServerInfo(
        version,
        members,
        leader,
        secured,
        hosting,
        agents,
        Optional.of(known),
        programSha256,
        nonVoters);
  }

  /**
   * An agent and its machine.
   *
   * @param address {@code host:port} where it listens
   * @param suite version of Quorate on its machine
   * @param clockAheadMicros how far its clock was ahead of the load generator's at the start
   */
  public record Agent(
      String address,
      Optional<String> host,
      String os,
      String kernel,
      int cores,
      OptionalLong memoryBytes,
      String suite,
      long clockAheadMicros) {}

  /**
   * The keys that a run has in an existing cluster.
   *
   * @param prefix common prefix of all keys; in ZooKeeper the path of the node above them
   * @param state whether they were removed
   * @param removal the command of the store's own tool that removes them; empty if there is none
   */
  public record RunKeys(String prefix, State state, Optional<String> removal) {
    /** The states of the keys. */
    public enum State {
      /** The run uses them, or was killed before it could remove them. */
      WRITTEN,
      /** They were removed. */
      REMOVED,
      /** They were kept, as requested. */
      KEPT,
      /** They could not be removed. */
      LEFT
    }

    /** Returns these keys in another state. */
    public RunKeys with(State other) {
      return new RunKeys(prefix, other, removal);
    }

    /** Returns whether some were perhaps not removed, although they were not to be kept. */
    public boolean mayBeLeft() {
      return state == State.WRITTEN || state == State.LEFT;
    }

    public String text() {
      String command = removal.map(each -> "; remove them with: " + each).orElse("");
      return switch (state) {
        case REMOVED -> "keys below %s were removed".formatted(prefix);
        case KEPT -> "keys below %s were kept%s".formatted(prefix, command);
        case LEFT, WRITTEN -> "keys below %s may be left%s".formatted(prefix, command);
      };
    }
  }

  /** The ways in which servers were provided. */
  public enum Hosting {
    /** Servers that the load generator started on its own machine. */
    LOCAL,
    /** Servers that were running already. */
    GIVEN,
    /** Servers that agents started on their machines. */
    AGENTS
  }

  /**
   * The protection of requests.
   *
   * @param security protocol, such as {@code tls}
   * @param authentication credentials of clients, such as {@code certificate}
   */
  public record Secured(String security, List<String> authentication) {
    public Secured {
      authentication = List.copyOf(authentication);
    }

    /** Returns the kind of the login, such as {@code password}; empty if there is none. */
    public Optional<String> login() {
      return authentication.stream().filter(kind -> !kind.equals(Access.CERTIFICATE)).findFirst();
    }

    /** Returns the protection by this access; empty if there is none. */
    public static Optional<Secured> of(Access access) {
      return access.equals(Access.PLAIN)
          ? Optional.empty()
          : Optional.of(new Secured(access.security().id(), access.authentication()));
    }
  }

  /** Returns the number of the member that led at the start, from 1; 0 if that is not known. */
  public int leaderNumber() {
    return 1 + leader.map(members::indexOf).orElse(-1);
  }

  /** Returns the number of members in words, such as {@code 4 members, 1 without a vote}. */
  public String count() {
    String all = NumberFormats.count(members.size(), "member");
    return nonVoters.map(each -> all + ", " + each.size() + " without a vote").orElse(all);
  }

  /** Returns whether it is known that the servers were provided in this way. */
  public boolean are(Hosting way) {
    return hosting.filter(way::equals).isPresent();
  }

  /**
   * Returns the machine of each member: the name that its agent reports, otherwise the host of its
   * address. Equal names mean the same machine.
   */
  public List<String> machines() {
    return IntStream.range(0, members.size()).mapToObj(this::machine).toList();
  }

  private String machine(int member) {
    return agents.stream()
        .skip(member)
        .findFirst()
        .flatMap(Agent::host)
        .orElseGet(() -> members.get(member).replaceFirst(":[0-9]+$", ""));
  }
}
