import type { CallStatus } from '../../schemas/call.ts'

/** What happens to a call's life at each station of the drill. */
export interface Case {
  readonly name: string
  readonly mark: number
  /** Runs before the copy is taken. */
  readonly before?: (play: Play) => Promise<void>
  /** After the copy. */
  readonly after?: (play: Play) => Promise<void>
  /** Last, right before everything is killed. */
  readonly atCrash?: (play: Play) => Promise<void>
  /** With an older Postgres under a newer Temporal; null: that database does not know the call. */
  readonly olderPostgres: CallStatus | null
  /** With an older Temporal under a newer Postgres. */
  readonly olderTemporal: CallStatus
}

/** The verbs of one case's user. */
export interface Play {
  /** A reply to a contact, which waits for its approval. */
  ask(): Promise<void>
  /** A note, which needs none; returns when it is final. */
  write(): Promise<void>
  /** A note whose answer the app keeps back; returns when its bytes are out. */
  writeSlowly(): Promise<void>
  approve(): Promise<void>
  reject(): Promise<void>
  /** Arms a block for the next request, then approves; returns once the call waits for its end. */
  approveBlocked(): Promise<void>
  /** Lifts the block; returns when the call is final. */
  unblock(): Promise<void>
  /** Lifts the block, with an app that keeps its answer back; returns when the bytes are out. */
  unblockSlowly(): Promise<void>
}

export const cases: readonly Case[] = [
  {
    name: 'executed before the copy',
    mark: 1,
    before: (play) => play.write(),
    olderPostgres: 'executed',
    olderTemporal: 'executed',
  },
  {
    name: 'waiting at the copy, and still',
    mark: 2,
    before: (play) => play.ask(),
    olderPostgres: 'executed',
    olderTemporal: 'executed',
  },
  {
    name: 'waiting at the copy, then approved and sent',
    mark: 3,
    before: (play) => play.ask(),
    after: (play) => play.approve(),
    olderPostgres: 'unknown',
    olderTemporal: 'executed',
  },
  {
    name: 'waiting at the copy, then rejected',
    mark: 4,
    before: (play) => play.ask(),
    after: (play) => play.reject(),
    // Its person is asked again, and says yes to whatever asks.
    olderPostgres: 'executed',
    olderTemporal: 'rejected',
  },
  {
    name: 'waiting at the copy, then approved and blocked',
    mark: 5,
    before: (play) => play.ask(),
    after: (play) => play.approveBlocked(),
    olderPostgres: 'executed',
    olderTemporal: 'executed',
  },
  {
    name: 'waiting at the copy, then approved, its bytes out at the crash',
    mark: 6,
    before: (play) => play.ask(),
    after: (play) => play.approveBlocked(),
    atCrash: (play) => play.unblockSlowly(),
    olderPostgres: 'unknown',
    olderTemporal: 'unknown',
  },
  {
    name: 'running at the copy, then executed',
    mark: 7,
    before: async (play) => {
      await play.ask()
      await play.approveBlocked()
    },
    after: (play) => play.unblock(),
    olderPostgres: 'unknown',
    olderTemporal: 'executed',
  },
  {
    name: 'running at the copy, its bytes out at the crash',
    mark: 8,
    before: async (play) => {
      await play.ask()
      await play.approveBlocked()
    },
    atCrash: (play) => play.unblockSlowly(),
    olderPostgres: 'unknown',
    olderTemporal: 'unknown',
  },
  {
    name: 'made and executed after the copy',
    mark: 9,
    after: (play) => play.write(),
    olderPostgres: null,
    olderTemporal: 'executed',
  },
  {
    name: 'made after the copy, waiting',
    mark: 10,
    after: (play) => play.ask(),
    olderPostgres: null,
    olderTemporal: 'executed',
  },
  {
    name: 'made after the copy, its bytes out at the crash',
    mark: 11,
    atCrash: (play) => play.writeSlowly(),
    olderPostgres: null,
    olderTemporal: 'unknown',
  },
]
