/// The overview: which processes run, what waits, and why.
///
/// [OverviewInspector] probes, [ChannelStates] derives the state of each channel, [WaitReasons] and
/// [OverallHealth] explain it; these three are functions of the readings. [OverviewSampler] repeats
/// it while there are watchers.
@NullMarked
package io.tidemill.dashboard.overview;

import org.jspecify.annotations.NullMarked;
