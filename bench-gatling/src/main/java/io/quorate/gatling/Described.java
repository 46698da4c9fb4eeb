// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import java.util.function.Consumer;

/** What a simulation describes: immutable for its users, as each change is made to a copy. */
abstract class Described<T> implements Cloneable {
  @SuppressWarnings("unchecked") // a copy has the type of what is copied
  final T with(Consumer<T> change) {
    try {
      T copy = (T) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
