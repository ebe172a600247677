/// How everything stands, at one look: who runs, what waits, and why.
///
/// [OverviewInspector] asks, [ChannelStates] puts what it found in order, [WaitReasons] and
/// [OverallHealth] say what it means; these three are functions of what was found.
/// [OverviewSampler] does it again while somebody watches.
@NullMarked
package io.tidemill.dashboard.overview;

import org.jspecify.annotations.NullMarked;
