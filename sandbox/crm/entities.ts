import { createHash } from 'node:crypto'

export const tracks = ['INQUIRY', 'BOOKED'] as const
export type Track = (typeof tracks)[number]

/** SURVEY: a questionnaire; RIDER: an addition to a contract; INTAKE: what somebody filled in on the studio's website. */
export const kinds = ['PROPOSAL', 'CONTRACT', 'SURVEY', 'RIDER', 'INTAKE'] as const
export type Kind = (typeof kinds)[number]

/** COUNTERSIGN: the client has signed a contract, the studio has not. */
export const phases = ['UNSENT', 'OUT', 'SEEN', 'COUNTERSIGN', 'DONE'] as const
export type Phase = (typeof phases)[number]

export const manualMethods = ['CASH', 'TRANSFER', 'CHEQUE', 'OTHER'] as const
/** CARD: paid through the app. */
export const methods = [...manualMethods, 'CARD'] as const
export type Method = (typeof methods)[number]

export interface Stage {
  id: number
  label: string
}

export interface Person {
  id: number
  name: string
  /** Empty: none known. */
  mail: string
  mobile: string
}

export interface Engagement {
  id: number
  headline: string
  person: Person
  track: Track
  stage: Stage
  labels: string[]
  eventOn: string | undefined
  zone: string
  currency: string
  memo: string
  assignee: string
  opened: number
}

export interface Prompt {
  text: string
  type: 'TEXT' | 'CHOICES' | 'DAY'
}

export interface Blueprint {
  id: number
  kind: Kind
  name: string
  prompts: Prompt[]
}

export interface Paper {
  id: number
  account: string
  engagement: { id: number; headline: string }
  kind: Kind
  name: string
  phase: Phase
  prompts: Prompt[]
  /** One list a prompt; an empty list is a blank. */
  replies: string[][]
  added: number
  sent: number | undefined
  revised: number | undefined
}

export interface Package {
  id: number
  label: string
  minor: number
  currency: string
}

export interface BillLine {
  label: string
  quantity: number
  unit: number
}

export interface Instalment {
  dueOn: string
  minor: number
}

export interface Bill {
  id: number
  account: string
  engagement: { id: number; headline: string }
  currency: string
  total: number
  received: number
  dueOn: string | undefined
  lines: BillLine[]
  plan: Instalment[]
  raised: number
  sent: number | undefined
}

export interface Payment {
  id: number
  minor: number
  method: Method
  receivedOn: string
  remark: string
}

/** When the next money is due: the first instalment that is not covered, or the last one once all are. */
export function dueOn(plan: readonly Instalment[], received: number): string | undefined {
  let sum = 0
  for (const { dueOn: day, minor } of plan) {
    sum += minor
    if (sum > received) return day
  }
  return plan.at(-1)?.dueOn
}

export const billNumber = (id: number): string => `AT-${id}`

/** What stands in a link that a client gets: no way to a paper or bill that was not sent. */
export function linkKey(type: 'p' | 'b', id: number): string {
  return `${id}-${createHash('sha256').update(`atelio ${type} ${id}`).digest('hex').slice(0, 16)}`
}

const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' }

/** For search and sort: without case and accents. */
export function fold(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return bare.replace(/[łøđðþßæœı]/g, (letter) => plain[letter] ?? letter).trim()
}
