package io.tidemill.embedding;

/// A part of a text that is small enough for the model.
///
/// @param start where it begins in the text
/// @param end where it ends in the text
/// @param tokens that the model reads
public record TextPassage(int start, int end, int tokens) {}
