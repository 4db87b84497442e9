import type { CallStatus } from '../../schemas/call.ts'

/** What may happen to a call. `stale`: by an attempt that is over. */
export type Act =
  | { readonly do: 'decide'; readonly as: 'approved' | 'rejected' | 'cancelled' | 'expired' }
  | {
      readonly do: 'settle'
      readonly as: 'executed' | 'failed' | 'unknown'
      /** The try that has the right to send, one that has it not, or a workflow, for whichever attempt. */
      readonly by: 'sender' | 'another' | 'engine'
      readonly stale: boolean
    }
  | { readonly do: 'send' | 'block' | 'again' | 'recover'; readonly stale: boolean }
  | { readonly do: 'withdraw' | 'resolve' | 'time is over' }

export interface State {
  readonly access: 'read' | 'write'
  readonly confirm: boolean
  readonly status: CallStatus
  readonly decision: string | null
  readonly send: 'ready' | 'sending' | 'withdrawn'
  readonly attempt: number
  /** How often it was sent in this attempt, and in those before that died. */
  readonly tries: number
  /** Its time to decide is over. */
  readonly over: boolean
  readonly resolved: boolean
}

interface Result {
  readonly answer: unknown
  readonly state: State
}

export function started({ access, confirm }: Pick<State, 'access' | 'confirm'>): State {
  const status = confirm ? 'awaiting_confirmation' : 'running'
  return { access, confirm, status, decision: null, send: 'ready', attempt: 0, tries: 0, over: false, resolved: false }
}

/** The contract's state machine: what an act answers and leaves, seen by somebody who knew the call at `attempt`. */
export function apply(state: State, attempt: number, act: Act): Result {
  const done = (changes: Partial<State>): Result => ({ answer: true, state: { ...state, ...changes } })
  const not: Result = { answer: false, state }
  const runs = state.status === 'running'
  const current = 'stale' in act && (act.stale ? attempt - 1 : attempt) === state.attempt
  switch (act.do) {
    case 'decide': {
      const inTime = act.as === 'expired' ? state.over : act.as !== 'approved' || !state.over
      if (state.status !== 'awaiting_confirmation' || !inTime) return not
      return done({ decision: act.as, status: act.as === 'approved' ? 'running' : act.as })
    }
    case 'settle': {
      const mayBeOut = state.access === 'write' && state.send === 'sending'
      if (!runs || (act.by === 'another' && mayBeOut) || (act.by !== 'engine' && !current))
        return { answer: state.status, state }
      const status = act.by === 'engine' && mayBeOut ? 'unknown' : act.as
      return { answer: status, state: { ...state, status } }
    }
    case 'send':
      if (!runs || !current || !(state.send === 'ready' || (state.send === 'sending' && state.access === 'read')))
        return not
      return done({ send: 'sending', tries: state.tries + 1 })
    case 'block':
    case 'again':
      return runs && current ? done({ send: 'ready', attempt: state.attempt + 1, tries: 0 }) : not
    case 'recover':
      return recovered(state, current)
    case 'withdraw':
      return runs && state.send === 'ready' ? done({ status: 'cancelled', send: 'withdrawn' }) : not
    case 'resolve':
      return state.status === 'unknown' && !state.resolved ? done({ resolved: true }) : not
    case 'time is over':
      return state.confirm ? done({ over: true }) : not
  }
}

/** The sender is gone. Nothing was sent: again; a read: again, up to three times; a write that may be out is unknown. */
function recovered(state: State, current: boolean): Result {
  const again = (attempt: number): Result => ({
    answer: { outcome: 'again', attempt },
    state: { ...state, send: 'ready', attempt },
  })
  if (state.status !== 'running') return { answer: { outcome: 'final', status: state.status }, state }
  if (state.send === 'ready') return again(current ? state.attempt + 1 : state.attempt)
  if (state.access === 'write')
    return { answer: { outcome: 'final', status: 'unknown' }, state: { ...state, status: 'unknown' } }
  return state.tries >= 3 ? { answer: { outcome: 'wornOut' }, state } : again(state.attempt + 1)
}

/** Everything that acts of the same moment may come to: one result for each order. */
export function outcomesOf(
  state: State,
  attempt: number,
  acts: readonly Act[],
): readonly { readonly answers: readonly unknown[]; readonly state: State }[] {
  return ordersOf(acts.map((_, i) => i)).map((order) => {
    const answers: unknown[] = []
    let now = state
    for (const i of order) {
      const act = acts[i]
      if (act === undefined) throw new Error('no such act')
      const result = apply(now, attempt, act)
      answers[i] = result.answer
      now = result.state
    }
    return { answers, state: now }
  })
}

function ordersOf(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((first) => ordersOf(items.filter((one) => one !== first)).map((rest) => [first, ...rest]))
}
