/// How everything stands, at one look: who runs, what waits, and why.
///
/// [Survey] asks, [Channels] puts what it found in order, [Reasons] and [Verdict] say what it
/// means; these three are functions of what was found. [Sampler] does it again while somebody
/// watches.
@NullMarked
package io.tidemill.dashboard.overview;

import org.jspecify.annotations.NullMarked;
