import { maybeNumber, number, text, type Row } from '../platform/rows.ts'
import { offsetTime } from './clock.ts'
import type { AsOf, View } from './paging.ts'
import { idOf, listed } from './tables.ts'

export const airings = ['public', 'hidden', 'timed'] as const

/** hidden → public, or hidden → timed → public: derived, so that it can never disagree with the times. */
export function airingOf(clip: Row, { serial, now }: AsOf): (typeof airings)[number] {
  const decided = maybeNumber(clip, 'decided')
  if (decided === undefined || decided > serial) return 'hidden'
  return number(clip, 'release') > now ? 'timed' : 'public'
}

export type ClipRow = ReturnType<typeof clipRow>
export function clipRow(clip: Row, at: AsOf, zone: string) {
  const airing = airingOf(clip, at)
  const shelves = listed(clip, 'shelves')
  const running = number(clip, 'ready') > at.now
  return {
    clip: idOf('clips', number(clip, 'serial')),
    heading: text(clip, 'heading'),
    airing,
    'goes-out': airing === 'timed' ? offsetTime(number(clip, 'release'), zone) : null,
    shelves,
    'in-catalogue': airing === 'public' && shelves.length > 0,
    encoding: running ? 'running' : 'finished',
    'length-ms': running ? null : number(clip, 'length_ms'),
    added: offsetTime(number(clip, 'added'), zone),
  }
}

export const clipFull = (clip: Row, at: AsOf, zone: string, series: readonly string[]) => ({
  ...clipRow(clip, at, zone),
  blurb: text(clip, 'blurb'),
  labels: listed(clip, 'labels'),
  'in-series': series,
  teaser: airingOf(clip, at) === 'timed' && number(clip, 'teaser') === 1,
})

export type SeriesRow = ReturnType<typeof seriesRow>
export function seriesRow(series: Row, clips: number) {
  const shelves = listed(series, 'shelves')
  const airing = text(series, 'airing')
  return {
    series: idOf('series', number(series, 'serial')),
    heading: text(series, 'heading'),
    airing,
    shelves,
    'in-catalogue': airing === 'public' && shelves.length > 0,
    'clip-count': clips,
  }
}

export function entryOut(entry: Row) {
  const clip = maybeNumber(entry, 'clip')
  return clip === undefined
    ? { kind: 'break', caption: text(entry, 'caption') }
    : {
        kind: 'clip',
        clip: idOf('clips', clip),
        heading: text(entry, 'heading'),
        'unlock-after-ms': number(entry, 'unlock_ms'),
      }
}

function phaseOf(show: Row, now: number): 'upcoming' | 'on-air' | 'over' {
  const begins = number(show, 'begins')
  if (begins > now) return 'upcoming'
  return begins + number(show, 'length_ms') / 1000 > now ? 'on-air' : 'over'
}

export type ShowRow = ReturnType<typeof showRow>
/** The key of its feed is never among it. */
export const showRow = (show: Row, { now }: Pick<AsOf, 'now'>) => ({
  show: idOf('shows', number(show, 'serial')),
  heading: text(show, 'heading'),
  begins: offsetTime(number(show, 'begins'), text(show, 'clock')),
  clock: text(show, 'clock'),
  'length-ms': number(show, 'length_ms'),
  via: text(show, 'via'),
  phase: phaseOf(show, now),
  'sign-up': number(show, 'sign_up') === 1,
})

export type PostOut = ReturnType<typeof postOut>
export function postOut(post: Row, { now, zone }: Pick<View, 'now' | 'zone'>) {
  const goesOut = number(post, 'goes_out')
  return {
    post: idOf('posts', number(post, 'serial')),
    room: idOf('rooms', number(post, 'room')),
    by: text(post, 'author'),
    words: text(post, 'words'),
    'goes-out': offsetTime(goesOut, zone),
    state: goesOut > now ? 'waiting' : 'out',
  }
}

export type CouponOut = ReturnType<typeof couponOut>
export function couponOut(coupon: Row, { zone }: Pick<View, 'zone'>, currency: string) {
  const value = number(coupon, 'off_value')
  const series = maybeNumber(coupon, 'series')
  const until = maybeNumber(coupon, 'until')
  return {
    coupon: idOf('coupons', number(coupon, 'serial')),
    'promo-code': text(coupon, 'code'),
    off: text(coupon, 'off_kind') === 'percent' ? { percent: value } : { minor: value, currency },
    covers: text(coupon, 'covers'),
    series: series === undefined ? null : idOf('series', series),
    'uses-total': maybeNumber(coupon, 'uses_total') ?? null,
    'uses-each': maybeNumber(coupon, 'uses_each') ?? null,
    until: until === undefined ? null : offsetTime(until, zone),
    used: number(coupon, 'used'),
  }
}

export type MailOut = ReturnType<typeof mailOut>
export const mailOut = (mail: Row, { now, zone }: Pick<View, 'now' | 'zone'>) => ({
  mail: idOf('mails', number(mail, 'serial')),
  clip: idOf('clips', number(mail, 'about')),
  'sent-to': text(mail, 'recipient'),
  subject: text(mail, 'subject'),
  words: text(mail, 'words'),
  'goes-out': offsetTime(number(mail, 'due'), zone),
  state: number(mail, 'due') > now ? 'waiting' : 'sent',
})
