package io.quorate.store.server;

import io.quorate.store.Login;
import java.nio.file.Path;

/**
 * The files with which a member of a cluster of Quorate makes TLS connections, in PEM, and the
 * secrets that all members of the cluster share.
 *
 * @param authority the certificate of the authority of the cluster
 * @param certificate of this member, for its own address
 * @param key of the certificate
 * @param login that clients need
 * @param sharedKey 32 random bytes in Base64, the same for all members
 */
public record MemberKeys(
    Path authority, Path certificate, Path key, Login login, String sharedKey) {
  @Override
  public String toString() {
    return "keys in " + authority.getParent();
  }
}
