// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

/** Stands for Jenkins' own exception when a person aborts a build, or its time is up. */
final class Aborted extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
