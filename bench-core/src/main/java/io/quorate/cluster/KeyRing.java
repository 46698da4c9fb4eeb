package io.quorate.cluster;

import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.MemberKeys;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files with which servers that are started here speak TLS.
 *
 * @param byMember from 1; without those of members that are started elsewhere
 * @param access of those who ask the servers
 */
record KeyRing(Map<Integer, MemberKeys> byMember, Access access) {
  /** Servers that speak plain text. */
  static final KeyRing NONE = new KeyRing(Map.of(), Access.PLAIN);

  KeyRing {
    byMember = Map.copyOf(byMember);
  }

  /**
   * Writes the keys of all members and of clients into a directory that is created.
   *
   * @param hosts the addresses at which each member is reached
   */
  static KeyRing ofAll(
      Store database, ClusterSecrets secrets, List<List<String>> hosts, Path directory)
      throws IOException {
    PrivateFiles.createDirectory(directory);
    Map<Integer, MemberKeys> keys = new HashMap<>();
    for (int i = 1; i <= hosts.size(); i++) {
      String name = database.id() + "-" + i;
      MemberSecrets member = secrets.member(name, hosts.get(i - 1).toArray(String[]::new));
      keys.put(i, member.write(directory.resolve(name)));
    }
    return new KeyRing(keys, secrets.writeClient(directory));
  }

  /** Writes the keys of one member into a directory that is created. */
  static KeyRing ofOne(int index, MemberSecrets secrets, Path directory) throws IOException {
    MemberKeys keys = secrets.write(directory);
    return new KeyRing(Map.of(index, keys), secrets.access(directory, Instant.now()));
  }

  /** Returns the keys of a member; empty for plain text, or if it is started elsewhere. */
  Optional<MemberKeys> of(int member) {
    return Optional.ofNullable(byMember.get(member));
  }
}
