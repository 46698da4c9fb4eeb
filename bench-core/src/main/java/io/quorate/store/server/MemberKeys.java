// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Login;
import java.nio.file.Path;

/**
 * The PEM files of a member for TLS connections, and the secrets that all members of the cluster
 * share.
 *
 * @param authority the certificate of the authority of the cluster
 * @param certificate the certificate of this member, for its own address
 * @param sharedKey the secret that all members share: 32 random bytes in Base64
 */
public record MemberKeys(
    Path authority, Path certificate, Path key, Login login, String sharedKey) {
  @Override
  public String toString() {
    return "keys in " + authority.getParent();
  }
}
