package io.quorate.store;

/**
 * The keys whose changes are asked for: one key, or all that begin with a prefix.
 *
 * @param key the key, or the prefix of several
 * @param prefix whether it is a prefix
 */
public record Watch(byte[] key, boolean prefix) {
  /** Returns the watch of one key. */
  public static Watch ofKey(byte[] key) {
    return new Watch(key, false);
  }

  /** Returns the watch of all keys that begin with a prefix. */
  public static Watch ofPrefix(byte[] prefix) {
    return new Watch(prefix, true);
  }

  /** Returns whether it asks for the changes of this key. */
  public boolean covers(byte[] other) {
    if (prefix ? other.length < key.length : other.length != key.length) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (key[i] != other[i]) {
        return false;
      }
    }
    return true;
  }
}
