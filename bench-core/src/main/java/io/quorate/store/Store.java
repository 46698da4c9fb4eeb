package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Describes a store that can be measured: everything that the rest of Quorate asks about it. Each
 * store has one descriptor, in its own package, which {@code io.quorate.stores.Stores} lists.
 * Descriptors have no state and are compared by identity.
 */
public abstract class Store {
  private final String id;
  private final String title;
  private final Optional<Store> base;
  private final Optional<String> version;

  /**
   * Describes a store.
   *
   * @param id the name in scenarios, directories, tables and on the command line
   * @param title the name in prose
   */
  protected Store(String id, String title) {
    this.id = id;
    this.title = title;
    this.base = Optional.empty();
    this.version = Optional.empty();
  }

  /** Describes a version of a store. */
  protected Store(Store base, String version) {
    this.id = base.id + "@" + version;
    this.title = base.title + " " + version;
    this.base = Optional.of(base);
    this.version = Optional.of(version);
  }

  /** Returns the store that this is a version of; itself if it is in whichever version. */
  public final Store base() {
    return base.orElse(this);
  }

  /** Returns the version that its servers must have; empty for any. */
  public final Optional<String> version() {
    return version;
  }

  /**
   * Returns the versions that can be chosen, such as {@code etcd@3.5.35}; empty if there is no
   * choice.
   */
  public List<Store> versions() {
    return List.of();
  }

  /** Returns the name in scenarios, directories, tables and on the command line. */
  public final String id() {
    return id;
  }

  /** Returns the name in prose. */
  public final String title() {
    return title;
  }

  /** Returns the ways to talk to it, at least one; the first is the default. */
  public abstract List<ClientKind> clients();

  /**
   * Returns the capabilities of its clients: what requests they carry out. A scenario that asks for
   * more is refused when it is read.
   */
  public abstract Capabilities capabilities();

  /**
   * Returns the watches that its clients can start. A scenario that asks for more is refused when
   * it is read.
   */
  public WatchSupport watches() {
    return WatchSupport.none(title + " has no watches that Quorate uses");
  }

  /** Returns the guarantee of a read that asks for this consistency; may be unknown. */
  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return ReadGuarantee.UNKNOWN;
  }

  /**
   * Returns the round trips between members that its requests wait for at least; empty if they are
   * not known.
   */
  public Optional<RequestPaths> paths() {
    return Optional.empty();
  }

  /**
   * Returns the name of the figure of {@link #internals} that counts the seconds for which a server
   * has synced its log to disk: with {@code _sum} and {@code _count} behind it; empty if servers do
   * not tell it.
   */
  public Optional<String> logSyncFigure() {
    return Optional.empty();
  }

  /** Returns whether this is the default client. */
  public final boolean isDefaultClient(ClientKind client) {
    return client.id().equals(clients().get(0).id());
  }

  /**
   * Returns the kind of client of that name.
   *
   * @throws QuorateException if there is none; says which there are
   */
  public final ClientKind client(String name) {
    return clients().stream()
        .filter(client -> client.id().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new QuorateException(
                    "%s %s: expected one of %s%s"
                        .formatted(
                            clientOption(),
                            VisibleText.quoted(name),
                            clients(),
                            Spelling.hint(clients().stream().map(ClientKind::id).toList(), name))));
  }

  /** Returns the name of the option that chooses among its clients. */
  public final String clientOption() {
    return base().id + ".client";
  }

  /**
   * Returns the servers that one member consists of: first the one that clients connect to, then
   * the one that it stands in front of. The last stores the data, and says who leads. Empty if the
   * store lives in the process of the load generator.
   */
  public abstract List<ServerKind> servers();

  /** Returns whether there are servers, so that they can be started, given, asked and measured. */
  public final boolean hasServers() {
    return !servers().isEmpty();
  }

  /**
   * Returns the settings of its servers that a scenario may choose, in the order in which they are
   * shown.
   */
  public List<Setting> settings() {
    return List.of();
  }

  /** Finds a setting by its id. */
  public final Optional<Setting> setting(String id) {
    return settings().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns the conflict between settings that are each allowed; empty if all do. */
  public Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return Optional.empty();
  }

  /** Returns a new reader of a server's own metrics; empty if servers say nothing. */
  public Optional<ServerInternals> internals() {
    return Optional.empty();
  }

  /**
   * Returns the paths that snapshots have below the data of a member; empty if that is not known.
   */
  public Optional<Pattern> snapshots() {
    return Optional.empty();
  }

  /**
   * Returns why its servers and clients cannot use TLS, a sentence without a full stop; empty if
   * they can.
   */
  public abstract Optional<String> obstacleToTls();

  /** Returns the kind of login that its servers can ask their clients for. */
  public Login.Kind login() {
    return Login.Kind.NONE;
  }

  /**
   * Returns the programs that local servers need, the store's own last; empty if Quorate brings all
   * of it.
   */
  public final List<Program> programs() {
    List<ServerKind> kinds = new ArrayList<>(servers());
    Collections.reverse(kinds);
    Set<Program> programs = new LinkedHashSet<>();
    kinds.forEach(kind -> kind.program().ifPresent(programs::add));
    return List.copyOf(programs);
  }

  /** Returns programs that are no servers but measure this store, such as its own load tool. */
  public List<Program> tools() {
    return List.of();
  }

  /**
   * Describes the servers that Quorate brings along for a store that needs no program; empty for
   * the others.
   */
  public Optional<Bundled> bundled() {
    return Optional.empty();
  }

  /**
   * A store that comes with Quorate.
   *
   * @param version of its servers; empty if there is none or it is not known
   * @param licence an SPDX identifier
   * @param origin where it comes from, in a few words
   */
  public record Bundled(Optional<String> version, String licence, String origin) {}

  /**
   * Returns the command of the store's own tool that removes all keys with a prefix, for a shell;
   * without passwords and tokens, which the tool asks for or takes from the environment. Empty if
   * there is none.
   */
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    return Optional.empty();
  }

  /** Returns its id. */
  @Override
  public final String toString() {
    return id;
  }
}
