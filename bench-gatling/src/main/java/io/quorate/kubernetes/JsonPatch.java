package io.quorate.kubernetes;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A change of a manifest in the format of RFC 6902, of which it knows {@code add}, {@code remove},
 * {@code replace} and {@code test}.
 *
 * @param path of what is changed, such as {@code /spec/containers/0/args/-}
 * @param value of other operations than {@code remove}
 */
record JsonPatch(String operation, String path, Object value) {

  /** Returns one of the operations that a file has. */
  static JsonPatch of(Map<?, ?> operation) {
    return new JsonPatch(
        (String) operation.get("op"), (String) operation.get("path"), operation.get("value"));
  }

  /**
   * Changes a manifest.
   *
   * @throws IllegalArgumentException if there is nothing at the path, or a test fails
   */
  void applyTo(Object manifest) {
    Deque<String> names = new ArrayDeque<>(Arrays.asList(path.substring(1).split("/")));
    String last = unescaped(names.removeLast());
    Object parent = manifest;
    for (String name : names) {
      parent = child(parent, unescaped(name));
    }
    if (!operation.equals("add")) {
      Object found = child(parent, last);
      require(!operation.equals("test") || Objects.equals(found, value), "found " + found);
    }
    switch (operation) {
      case "add" -> add(parent, last);
      case "remove" -> remove(parent, last);
      case "replace" -> replace(parent, last);
      case "test" -> {}
      default -> throw new IllegalArgumentException("no operation: " + operation);
    }
  }

  private static String unescaped(String name) {
    return name.replace("~1", "/").replace("~0", "~");
  }

  private Object child(Object parent, String name) {
    if (parent instanceof List<?> list) {
      return list.get(index(list, name));
    }
    require(parent instanceof Map<?, ?> map && map.containsKey(name), "nothing is there");
    return ((Map<?, ?>) parent).get(name);
  }

  private int index(List<?> list, String name) {
    require(name.matches("\\d{1,4}"), "expected a number in a list");
    int index = Integer.parseInt(name);
    require(index < list.size(), "the list is shorter");
    return index;
  }

  @SuppressWarnings("unchecked")
  private void add(Object parent, String name) {
    if (parent instanceof List<?> list) {
      int index = name.equals("-") ? list.size() : index(list, name);
      ((List<Object>) list).add(index, value);
    } else {
      ((Map<String, Object>) parent).put(name, value);
    }
  }

  @SuppressWarnings("unchecked")
  private void replace(Object parent, String name) {
    if (parent instanceof List<?> list) {
      ((List<Object>) list).set(index(list, name), value);
    } else {
      ((Map<String, Object>) parent).put(name, value);
    }
  }

  private void remove(Object parent, String name) {
    if (parent instanceof List<?> list) {
      list.remove(index(list, name));
    } else {
      ((Map<?, ?>) parent).remove(name);
    }
  }

  private void require(boolean condition, String found) {
    if (!condition) {
      throw new IllegalArgumentException(operation + " " + path + ": " + found);
    }
  }
}
