export interface Supplier {
  account: string
  /** IANA zone of the supplier's office. */
  zone: string
  cur: string
  /** How many digits of a price are behind the decimal point. */
  digits: number
}

export interface Activity {
  serial: number
  account: string
  headline: string
  stage: string
  zone: string
}

export interface Variant {
  serial: number
  activity: Activity
  label: string
  /** The timetable: `HHMM`, earliest first, on the weekdays that are `1`, Monday first. */
  starts: string[]
  weekdays: string
  capacity: number
}

/** Prices in minor units. */
export interface Prices {
  adults: number
  children: number
}

export interface Departure {
  start: string
  free: number
  taken: number
  gate: 'OPEN' | 'SHUT'
}

export interface Order {
  serial: number
  account: string
  activity: number
  variant: number
  headline: string
  variantLabel: string
  zone: string
  day: string
  start: string
  state: string
  adults: number
  children: number
  minor: number
  guest: string
  lang: string
  mail: string
  key: string
  placed: number
}

export interface Message {
  serial: number
  side: string
  words: string
  sent: number
}

/** A thread with the last message as the list's moment knows it. */
export interface Thread {
  serial: number
  booking: number
  guest: string
  mail: string
  headline: string
  unseen: number
  last: Message
}

export interface Feedback {
  serial: number
  activity: number
  booking: number
  headline: string
  guest: string
  mail: string
  stars: number
  words: string
  day: string
  answer: string | null
  answered: number | null
}

export interface Mail {
  kind: 'ORDER' | 'CANCELLATION' | 'ANSWER' | 'FEEDBACK_ANSWER'
  recipient: string
  subject: string
  words: string
  /** The id of the order or of the feedback. */
  about: string
  sent: number
}

const digits = { activities: 1, variants: 2, feedback: 4, threads: 5, messages: 6, orders: 7, mails: 8 } as const
export type Table = keyof typeof digits

/** A number as text, whose first digit tells the kind. */
export const idOf = (table: Table, serial: number): string => `${digits[table]}${serial}`

/** The serial in an id; undefined for anything else. */
export function serialOf(table: Table, id: string): number | undefined {
  const serial = Number(id.slice(1))
  return Number.isSafeInteger(serial) && idOf(table, serial) === id ? serial : undefined
}
