package io.quorate.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;

/**
 * Keeps the preferences of a load generator in memory only. They begin with a failed look for a new
 * release of Gatling a moment ago: so Gatling asks no host on the internet while it measures, and
 * neither needs a home directory nor complains about one that it cannot lock.
 */
public final class InMemoryPreferences implements PreferencesFactory {
  /** The key under which Gatling 3.15 keeps when it looked; it waits some time after a failure. */
  static final String LAST_LOOK = "lastCheckTimestamp";

  private final Preferences root = new Node(null, "");

  /** Makes Java use it, unless it has been asked for preferences before. */
  static void use() {
    System.setProperty(PreferencesFactory.class.getName(), InMemoryPreferences.class.getName());
  }

  @Override
  public Preferences systemRoot() {
    return root;
  }

  @Override
  public Preferences userRoot() {
    return root;
  }

  private static final class Node extends AbstractPreferences {
    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final Map<String, Node> children = new ConcurrentHashMap<>();

    Node(AbstractPreferences parent, String name) {
      super(parent, name);
      values.put(LAST_LOOK, Long.toString(System.currentTimeMillis()));
    }

    @Override
    protected void putSpi(String key, String value) {
      values.put(key, value);
    }

    @Override
    protected String getSpi(String key) {
      return values.get(key);
    }

    @Override
    protected void removeSpi(String key) {
      values.remove(key);
    }

    @Override
    protected void removeNodeSpi() {
      values.clear();
    }

    @Override
    protected String[] keysSpi() {
      return values.keySet().toArray(String[]::new);
    }

    @Override
    protected String[] childrenNamesSpi() {
      return children.keySet().toArray(String[]::new);
    }

    @Override
    protected AbstractPreferences childSpi(String name) {
      return children.computeIfAbsent(name, absent -> new Node(this, absent));
    }

    @Override
    protected void syncSpi() {
      // there is nothing elsewhere
    }

    @Override
    protected void flushSpi() {
      // they are kept nowhere
    }
  }
}
