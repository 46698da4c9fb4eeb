// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

/**
 * What a scenario is called, and its text.
 *
 * @param name file name without {@code .yaml}, which is the name of the directory of its results
 * @param title heading of the report, one line
 * @param description purpose of the scenario; may be empty
 * @param source the text of the file, for the manifest
 */
public record Heading(String name, String title, String description, String source) {}
