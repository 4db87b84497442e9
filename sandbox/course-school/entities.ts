import { Refusal } from '../platform/types.ts'

export interface School {
  no: number
  account: string
  title: string
  /** IANA: all its times are told in it. */
  zone: string
  currency: string
  /** Comments wait until the owner lets them through. */
  moderated: boolean
}

export interface Course {
  id: number
  title: string
  live: boolean
  permalink: string
}

export interface Chapter {
  id: number
  course: number
  heading: string
  pos: number
}

export interface Lecture {
  id: number
  course: number
  chapter: number
  title: string
  live: boolean
  /** Shown to people who have not bought the course. */
  sample: boolean
  pos: number
  edited: number
}

export const pieceKinds = ['rich_text', 'video', 'pdf', 'audio', 'download', 'quiz'] as const
export type PieceKind = (typeof pieceKinds)[number]

/** `content` is markdown in rich_text, the caption in the others. */
export interface Piece {
  id: number
  kind: PieceKind
  pos: number
  content: string
}

export interface Student {
  id: number
  name: string
  mail: string
  joined: number
}

/** held: waits for the owner; live: everybody sees it; refused: only the admin still shows it. */
export const commentStates = ['held', 'live', 'refused'] as const
export type CommentState = (typeof commentStates)[number]

export interface Comment {
  id: number
  course: number
  lecture: number
  lectureTitle: string
  author: string
  content: string
  state: CommentState
  seen: boolean
  /** The comment that it answers. */
  parent: number | undefined
  posted: number
}

export interface Plan {
  id: number
  course: number
  title: string
  cents: number
}

export const scopes = ['everything', 'type', 'plan'] as const
export type Scope = (typeof scopes)[number]
export const productTypes = ['courses', 'bundles', 'coaching', 'downloads'] as const
export type ProductType = (typeof productTypes)[number]

/** Either tenths of a percent or hundredths of the school's currency off. */
export interface Coupon {
  id: number
  label: string
  code: string
  tenths: number | undefined
  cents: number | undefined
  scope: Scope
  type: ProductType | undefined
  plan: number | undefined
  ends: string | undefined
  stock: number | undefined
  redeemed: number
  filed: boolean
}

export function among<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((name) => name === value)
  if (found === undefined) throw new TypeError(`Unexpected value ${value}.`)
  return found
}

/** A number out of a path or form; undefined for what is none. */
export const toId = (value: string | null | undefined): number | undefined =>
  value != null && /^\d{1,12}$/.test(value) ? Number(value) : undefined

/** A text as sent, but for line ends as forms send them. `NAME_REQUIRED` or `NAME_TOO_LONG` where it is not fit. */
export function words(value: unknown, name: string, limit: number): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new Refusal(422, `${name.toUpperCase()}_REQUIRED`, `Please fill in: ${name}.`, name)
  }
  return mayBeEmpty(value, name, limit)
}

export function mayBeEmpty(value: string, name: string, limit: number): string {
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > limit) {
    throw new Refusal(422, `${name.toUpperCase()}_TOO_LONG`, `${name} may have ${limit} characters at most.`, name)
  }
  return text
}
