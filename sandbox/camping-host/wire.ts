import type { Chat } from './chats.ts'
import type { Land, Pitch } from './lands.ts'
import { expOf } from './money.ts'
import type { Night } from './nights.ts'
import type { Payday } from './paydays.ts'
import type { Review } from './reviews.ts'
import { totalOf, type Stay } from './stays.ts'

/** Hosts never learn more of a camper's name than this. */
export const who = ({ first, last }: { first: string; last: string }) => ({ first, init: Array.from(last)[0] ?? '' })

const money = (cur: string) => ({ cur, exp: expOf(cur) })

const pitchOut = ({ pitch, pitchLabel }: Stay) => ({ pitch: `P${pitch}`, label: pitchLabel })

export const landOut = ({ serial, title, state, cur }: Land, pitches: readonly Pitch[]) => ({
  land: `L${serial}`,
  title,
  st: state,
  pitches: pitches.map((pitch) => ({ pitch: `P${pitch.serial}`, label: pitch.label, base: pitch.base, ...money(cur) })),
})

const askedFor = (stay: Stay) => ({
  stay: `S${stay.serial}`,
  land: `L${stay.land}`,
  on: pitchOut(stay),
  who: who(stay),
  in: stay.come,
  out: stay.leave,
  heads: stay.heads,
})

export const stayOut = (stay: Stay) => ({
  ...askedFor(stay),
  paid: totalOf(stay),
  ...money(stay.cur),
  st: stay.state,
})

export const askOut = (stay: Stay) => ({ ...askedFor(stay), until: stay.until })

const isCharged = ({ state }: Stay): boolean => !['ASKED', 'LAPSED', 'DECLINED'].includes(state)

export const stayFull = (stay: Stay) => ({
  ...askedFor(stay),
  st: stay.state,
  hello: stay.hello,
  long: stay.leave - stay.come,
  nightly: stay.nightly,
  sum: totalOf(stay),
  ...money(stay.cur),
  charged: isCharged(stay),
})

export const pitchNights = ({ serial, label }: Pitch, cur: string, nights: readonly Night[]) => ({
  pitch: `P${serial}`,
  label,
  ...money(cur),
  nights,
})

export const chatOut = (chat: Chat) => ({
  chat: `C${chat.serial}`,
  who: who(chat),
  stay: chat.stay === null ? null : `S${chat.stay}`,
  said: chat.words,
  at: chat.at,
  fresh: chat.fresh,
})

export const reviewOut = (review: Review) => ({
  review: `R${review.serial}`,
  land: `L${review.land}`,
  stay: `S${review.stay}`,
  who: who(review),
  up: review.up,
  words: review.words,
  at: review.at,
  reply: review.reply,
})

export const paydayOut = ({ on, state, cur, net, stays }: Payday) => ({
  on,
  st: state,
  net,
  ...money(cur),
  stays: stays.map((part) => ({
    stay: `S${part.stay.serial}`,
    land: `L${part.stay.land}`,
    who: who(part.stay),
    net: part.net,
  })),
})
