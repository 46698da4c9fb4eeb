package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.List;
import java.util.Optional;

/**
 * Describes what a client can do with a store. Each store has one descriptor, in its own package;
 * {@code io.quorate.stores.Stores} lists it with the description of its servers. Descriptors have
 * no state and are compared by identity.
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
   * Returns whether clients connect to servers; false if the store lives in the process of the load
   * generator.
   */
  public boolean hasServers() {
    return true;
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

  /** Returns its id. */
  @Override
  public final String toString() {
    return id;
  }
}
