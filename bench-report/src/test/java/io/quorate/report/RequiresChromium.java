// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * On a test that opens a page: where there is not a Chromium, it is skipped, and says so on the
 * console; with {@code -Drequire.chromium} it fails instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresChromiumCondition.class)
@interface RequiresChromium {}
