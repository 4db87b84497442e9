/** Signals to a call's run. The row has the data: each signal only makes the run reload it. */
export type CallSignal = 'nudge' | 'approved' | 'rejected' | 'cancelled'

/** Not handled by the previous release, so sent as nudges; the next release empties this set. */
const dormantSignals: ReadonlySet<CallSignal> = new Set<CallSignal>(['approved', 'rejected', 'cancelled'])

export function signalToSend(signal: CallSignal): CallSignal {
  return dormantSignals.has(signal) ? 'nudge' : signal
}
