// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.io.IOException;
import java.util.List;

/** Somebody with all rights to a server, who adds a user for runs and sees what they leave. */
public interface Administrator {
  /** Adds a user with the rights that the guide asks for, and no others; once for each cluster. */
  Login addUser() throws IOException;

  /** Returns the names of keys below {@code quorate/}, and of all leases and sessions with keys. */
  List<String> left() throws IOException;
}
