export interface Studio {
  account: string
  /** IANA zone in which the studio counts its days. */
  zone: string
  money: string
  quotaKb: number
  usedKb: number
}

export interface Gallery {
  serial: number
  account: string
  /** The secret part of its public address. */
  key: string
  title: string
  shootDay: string | null
  password: string | null
  pin: string | null
  made: number
  frames: number
  /** Different addresses that an invite went to. */
  invited: number
}

export interface Frame {
  serial: number
  file: string
  source: string
  kb: number
  made: number
}

export interface Heart {
  serial: number
  file: string
  who: string
  remark: string | null
  made: number
}

export interface Grab {
  serial: number
  who: string
  files: number
  made: number
}

export interface Person {
  serial: number
  fullName: string
  mail: string
  tel: string
  /** `lead`, `client`, or `visitor`: left an address at a gallery; made by the app only. */
  standing: string
  made: number
}

export interface Booking {
  serial: number
  sitter: number
  kind: string
  begins: number
  minutes: number
  place: string
  zone: string
}

export interface BillLine {
  label: string
  qty: number
  cents: number
}

export interface Bill {
  serial: number
  account: string
  number: string
  payer: number
  lines: BillLine[]
  memo: string
  cents: number
  settled: number
  money: string
  dueDay: string
  key: string
  made: number
  sent: number | null
}

export interface Mail {
  serial: number
  batch: string
  kind: 'invite' | 'bill'
  recipient: string
  subject: string
  words: string
  /** `galleries 100001` or `bills 100001`: table and serial. */
  about: string
  sent: number
}

/** draft → sent → part_paid → paid: derived, so that it can never disagree with the amounts. */
export function stageOf(bill: Bill): 'draft' | 'sent' | 'part_paid' | 'paid' {
  if (bill.sent === null) return 'draft'
  if (bill.settled >= bill.cents) return 'paid'
  return bill.settled > 0 ? 'part_paid' : 'sent'
}

export const prefixes = {
  galleries: 'gal',
  frames: 'frm',
  hearts: 'hrt',
  grabs: 'grb',
  people: 'ppl',
  bookings: 'bkg',
  bills: 'bil',
  mails: 'mlg',
} as const
export type Table = keyof typeof prefixes

export const idOf = (table: Table, serial: number): string => `${prefixes[table]}_${serial.toString(36)}`

/** The serial in an id such as `gal_2s0b`; undefined for anything else. */
export function serialOf(table: Table, id: string): number | undefined {
  const serial = Number.parseInt(id.slice(4), 36)
  return Number.isSafeInteger(serial) && idOf(table, serial) === id ? serial : undefined
}
