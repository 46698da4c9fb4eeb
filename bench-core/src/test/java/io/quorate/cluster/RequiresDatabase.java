// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * On a test that runs servers of these databases: where a program of theirs is not installed, it is
 * skipped, and says so on the console; with {@code -Drequire.databases=etcd,...} it fails instead.
 * The program of servers that Quorate never starts is on {@code PATH}, or named by a variable such
 * as {@code QUORATE_KINE}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresDatabaseCondition.class)
public @interface RequiresDatabase {
  String[] value();
}
