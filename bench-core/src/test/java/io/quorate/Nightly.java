// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * On a test that needs a long run by nature: {@code mvn verify -Pnightly} runs it, {@code mvn
 * verify} does not. For each of them, {@code mvn verify} has a smaller test that fails if the
 * feature breaks.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("nightly")
public @interface Nightly {}
