const stages = ['DRAFT', 'OUT', 'QUEUED'] as const
export type Stage = (typeof stages)[number]
export const asStage = oneOf(stages)

const formats = ['CARD', 'FLYER'] as const
export const asFormat = oneOf(formats)

const standings = ['HOST', 'COHOST'] as const
export const asStanding = oneOf(standings)

/** What the tracking page shows of somebody whose invitation left. */
export const answers = ['DELIVERED', 'SEEN', 'COMING', 'DECLINED', 'UNSURE', 'BOUNCED'] as const
export const asAnswer = oneOf(answers)

export const tracks = ['HELD', 'QUEUED', ...answers] as const
export type Track = (typeof tracks)[number]
export const asTrack = oneOf(tracks)

/** As people read it. */
export const trackWords: Readonly<Record<Track, string>> = {
  HELD: 'Unsent',
  QUEUED: 'Scheduled',
  DELIVERED: 'Sent',
  SEEN: 'Opened',
  COMING: 'Attending',
  DECLINED: 'Not attending',
  UNSURE: 'Maybe',
  BOUNCED: 'Bounced',
}

export const presets = ['NUDGE', 'HEADS_UP', 'CHANGE', 'FREE'] as const
export type Preset = (typeof presets)[number]
export const asPreset = oneOf(presets)

const kinds = ['INVITE', 'TO_ALL', 'PERSONAL'] as const
export const asKind = oneOf(kinds)

export interface Party {
  serial: number
  account: string
  headline: string
  format: (typeof formats)[number]
  starts: number
  /** IANA zone of the place. */
  zone: string
  venue: string
  host: string
  /** What the account is at this party. */
  standing: (typeof standings)[number]
  made: number
  /** When the invitation last went or will go to somebody; null while it never did. */
  dispatched: number | null
}

export interface Guest {
  serial: number
  party: number
  called: string
  mail: string
  mobile: string
  household: string
  seats: number
  /** When the invitation went or will go out to this guest; null on the unsent list. */
  released: number | null
  /** Counts once the invitation went out. */
  answer: (typeof answers)[number]
  headcount: number
  labels: string[]
  made: number
  /** The secret part of the guest's own address. */
  key: string
}

export interface Letter {
  serial: number
  party: number
  guest: number
  /** The serial of the first letter that left by the same write. */
  batch: number
  kind: (typeof kinds)[number]
  recipient: string
  subject: string
  words: string
  goes: number
}

export interface Card {
  serial: number
  fullName: string
  mail: string
  phones: string[]
  made: number
}

export function stageOf({ dispatched }: Party, now: number): Stage {
  if (dispatched === null) return 'DRAFT'
  return dispatched > now ? 'QUEUED' : 'OUT'
}

export function trackOf({ released, answer }: Guest, now: number): Track {
  if (released === null) return 'HELD'
  return released > now ? 'QUEUED' : answer
}

function oneOf<T extends string>(values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text)
}
