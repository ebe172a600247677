package io.tidemill.content.keywords;

/// A word or phrase that says what a text is about.
///
/// @param phrase in lower case
/// @param score 1 for the best of its text, above 0 for all others
public record Keyword(String phrase, double score) {}
