package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.store.Access;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The servers of a store.
 *
 * @param version as they say; empty as long as they were not asked, and if they do not say
 * @param members {@code host:port} of every member, in their order
 * @param leader that of the members that led at the start, if one said so
 * @param secured what protects requests; empty if nothing does
 * @param hosting how the servers came to be; empty as long as there are none, and in runs of
 *     earlier versions
 * @param agents that ran the members, in their order; empty if there were none
 * @param keys of the run in an existing cluster; empty in servers of the run
 */
public record ServerFacts(
    Optional<String> version,
    List<String> members,
    @JsonProperty("leaderAtStart") Optional<String> leader,
    @JsonUnwrapped Optional<Secured> secured,
    Optional<Hosting> hosting,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AgentMachine> agents,
    Optional<RunKeys> keys) {
  /** Servers of which nothing is known yet. */
  static final ServerFacts UNKNOWN =
      new ServerFacts(
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  public ServerFacts {
    members = List.copyOf(members);
    agents = List.copyOf(agents);
  }

  /** Creates the facts of servers in which the run keeps no keys. */
  public ServerFacts(
      Optional<String> version,
      List<String> members,
      Optional<String> leader,
      Optional<Secured> secured,
      Optional<Hosting> hosting,
      List<AgentMachine> agents) {
    this(version, members, leader, secured, hosting, agents, Optional.empty());
  }

  /** Returns these facts with the keys of the run. */
  ServerFacts with(RunKeys known) {
    return new ServerFacts(version, members, leader, secured, hosting, agents, Optional.of(known));
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
   * @param security such as {@code tls}
   * @param authentication what clients show of themselves, such as {@code certificate}
   */
  public record Secured(String security, List<String> authentication) {
    public Secured {
      authentication = List.copyOf(authentication);
    }

    /** Returns the protection by this access; empty if there is none. */
    public static Optional<Secured> of(Access access) {
      return access.equals(Access.PLAIN)
          ? Optional.empty()
          : Optional.of(new Secured(access.security().id(), access.authentication()));
    }
  }

  /**
   * Returns the machine of each member: the name that its agent gives, else the host of its
   * address. Two of the same name are one machine.
   */
  public List<String> machines() {
    return IntStream.range(0, members.size()).mapToObj(this::machine).toList();
  }

  private String machine(int member) {
    return agents.stream()
        .skip(member)
        .findFirst()
        .flatMap(AgentMachine::host)
        .orElseGet(() -> members.get(member).replaceFirst(":[0-9]+$", ""));
  }
}
