// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * On a class of tests that wait most of their time, for timeouts, expirations or recoveries. As
 * they use little CPU, more of them run at a time than of other classes.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("waiting")
public @interface Waiting {}
