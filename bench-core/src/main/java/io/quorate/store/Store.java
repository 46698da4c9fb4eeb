// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes the features of a store for clients. Each store has one descriptor, in its own package;
 * {@code io.quorate.stores.Stores} lists it with the description of its servers.
 *
 * @param id name in scenarios, directories, tables and on the command line
 * @param title name in prose, with the version that was asked for: {@code etcd}, {@code etcd
 *     3.5.35}
 * @param clients kinds of clients, at least one; the first is the default
 * @param capabilities requests that its clients support; a scenario with other requests is refused
 *     when it is read
 * @param paths least round trips between members that its requests wait for, if known
 * @param obstacleToTls reason why its servers and clients cannot use TLS, a sentence without a full
 *     stop; empty if they can
 * @param hasServers whether clients connect to servers; false if the store lives in the process of
 *     the load generator
 * @param sessions sessions that its clients can open; empty if they cannot
 * @param version required version of its servers; empty for any
 * @param base store that this is a version of; null if this is for any version
 */
public record Store(
    String id,
    String title,
    List<ClientKind> clients,
    Capabilities capabilities,
    WatchSupport watches,
    Function<ReadConsistency, ReadGuarantee> guarantees,
    Optional<RequestPaths> paths,
    Optional<String> obstacleToTls,
    Login.Kind login,
    boolean hasServers,
    Optional<SessionSupport> sessions,
    Optional<String> version,
    @Nullable Store base) {
  /** Describes a store with servers of any version. */
  public Store(
      String id,
      String title,
      List<ClientKind> clients,
      Capabilities capabilities,
      WatchSupport watches,
      Function<ReadConsistency, ReadGuarantee> guarantees,
      Optional<RequestPaths> paths,
      Optional<String> obstacleToTls,
      Login.Kind login) {
    this(
        id,
        title,
        clients,
        capabilities,
        watches,
        guarantees,
        paths,
        obstacleToTls,
        login,
        true,
        Optional.empty(),
        Optional.empty(),
        null);
  }

  /** Returns the same store, whose clients can open sessions. */
  public Store withSessions(SessionSupport support) {
    return with(id, title, capabilities.withSessions(), Optional.of(support), version, base);
  }

  /** Returns the same store with servers of a version, or of an own program with a name. */
  public Store inVersion(String chosen) {
    return inVersion(chosen, capabilities);
  }

  /** Returns the same store with servers of a version that has other capabilities. */
  public Store inVersion(String chosen, Capabilities ofVersion) {
    Optional<String> number = Optional.of(chosen).filter(any -> Character.isDigit(any.charAt(0)));
    return with(id + "@" + chosen, title + " " + chosen, ofVersion, sessions, number, this);
  }

  private Store with(
      String name,
      String prose,
      Capabilities can,
      Optional<SessionSupport> opened,
      Optional<String> required,
      @Nullable Store any) {
    return new Store(
        name,
        prose,
        clients,
        can,
        watches,
        guarantees,
        paths,
        obstacleToTls,
        login,
        hasServers,
        opened,
        required,
        any);
  }

  /** Returns the store that this is a version of; itself if it is for any version. */
  @Override
  public Store base() {
    return base == null ? this : base;
  }

  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return guarantees.apply(consistency);
  }

  public boolean isDefaultClient(ClientKind client) {
    return client.id().equals(clients().get(0).id());
  }

  /** Returns the kind of client with this name; fails with all kinds if there is none. */
  public ClientKind client(String name) {
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

  /** Returns the name of the option that selects its client. */
  public String clientOption() {
    return base().id + ".client";
  }

  @Override
  public String toString() {
    return id;
  }
}
