export const deals = ['for_sale', 'to_let'] as const
export type Deal = (typeof deals)[number]

/** online: found by everybody; offline: taken down by its owner; lapsed: its time ran out. */
export const phases = ['online', 'offline', 'lapsed'] as const
export type Phase = (typeof phases)[number]

/** fresh: something unread; open: a talk in progress; done: dealt with; shelved: out of the way. */
export const boxes = ['open', 'fresh', 'done', 'shelved'] as const
export type Box = (typeof boxes)[number]

export interface Ad {
  serial: number
  account: string
  headline: string
  deal: Deal
  phase: Phase
  cents: number
  currency: string
  built: number
  rooms: number
  baths: number
  perks: string[]
  blurb: string
  pictures: number
  score: number
  city: string
  zone: string
  /** It was taken down together with the account that it stood in: it never comes back. */
  closed: boolean
  created: number
  changed: number
}

export interface Thread {
  id: number
  account: string
  ad: number
  name: string
  email: string
  phone: string
  box: Box
  /** Unread lines. */
  fresh: number
  created: number
}

export interface Line {
  id: number
  dir: 'in' | 'out'
  author: string
  text: string
  /** Serials of ads shared with this line. */
  ads: number[]
  at: number
}

export interface Memo {
  id: number
  author: string
  text: string
  at: number
}

export interface Wanted {
  id: number
  thread: number
  deal: Deal
  area: string
  cents: number
  currency: string
  rooms: number
}

export const refOf = (serial: number): string => `CV-${serial}`

/** The serial in a ref such as `CV-10001`; undefined for anything else. */
export function serialOf(ref: string): number | undefined {
  const digits = /^CV-(\d{1,12})$/.exec(ref)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** How complete an ad is, 0 to 100: pictures 40, text 30, perks 20, facts 10. */
export function scoreOf(ad: Pick<Ad, 'pictures' | 'blurb' | 'perks' | 'built' | 'rooms' | 'baths'>): number {
  const pictures = Math.min(ad.pictures, 20) * 2
  const text = Math.min(30, Math.round(Array.from(ad.blurb).length / 20))
  const perks = Math.min(ad.perks.length, 10) * 2
  const facts = [ad.built, ad.rooms, ad.baths].filter((value) => value > 0).length
  return pictures + text + perks + (facts === 3 ? 10 : facts * 3)
}
