// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.ErrorKind;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Interprets the codes of ZooKeeper's errors. */
public final class ZooKeeperCode {
  private ZooKeeperCode() {}

  /** Returns the kind of an error; null is a code unknown to the client library. */
  public static ErrorKind kind(@Nullable Code code) {
    if (code == null) {
      return ErrorKind.OTHER;
    }
    return switch (code) {
      case CONNECTIONLOSS,
          SESSIONEXPIRED,
          SESSIONMOVED,
          UNKNOWNSESSION,
          AUTHFAILED,
          SESSIONCLOSEDREQUIRESASLAUTH ->
          ErrorKind.CONNECTION;
      case OPERATIONTIMEOUT, REQUESTTIMEOUT -> ErrorKind.TIMEOUT;
      case NODEEXISTS,
          NOTEMPTY,
          BADVERSION,
          BADARGUMENTS,
          NOAUTH,
          INVALIDACL,
          NOCHILDRENFOREPHEMERALS,
          NOTREADONLY,
          QUOTAEXCEEDED,
          THROTTLEDOP ->
          ErrorKind.REJECTED;
      default -> ErrorKind.OTHER;
    };
  }
}
