package io.quorate.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the version and commit that the build recorded. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties git = new Properties();
    try (InputStream in =
        BuildVersion.class.getResourceAsStream("/io/quorate/results/manifest/git.properties")) {
      if (in != null) {
        git.load(in);
      }
    }
    return new String[] {line(git)};
  }

  static String line(Properties git) {
    String version = git.getProperty("git.build.version", "of an unknown version");
    String commit = git.getProperty("git.commit.id.full", "");
    if (commit.isEmpty()) {
      return "quorate " + version;
    }
    String changes = git.getProperty("git.dirty", "").equals("true") ? ", with changes" : "";
    return "quorate " + version + " (commit " + commit + changes + ")";
  }
}
