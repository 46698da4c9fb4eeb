// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import java.io.IOException;

/** A process that ends, with its descendants, when this object is closed or this JVM ends. */
public final class OwnedProcess implements AutoCloseable {
  private final Process process;
  private final Thread hook = new Thread(this::end, "quorate-stop-process");

  private OwnedProcess(Process process) {
    this.process = process;
  }

  public static OwnedProcess start(ProcessBuilder builder) throws IOException {
    OwnedProcess started = new OwnedProcess(builder.start());
    try {
      Runtime.getRuntime().addShutdownHook(started.hook);
    } catch (IllegalStateException ending) {
      started.end();
    }
    return started;
  }

  public Process process() {
    return process;
  }

  private void end() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  /** Ends the process, without waiting for it. Idempotent. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException nothing) {
      // the JVM is ending, and the hook runs
    }
  }
}
