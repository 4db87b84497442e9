import { refOf, type Ad, type Line, type Memo, type Thread, type Wanted } from './entities.ts'
import type { ThreadRow } from './threads.ts'

/** `31/12/2026 23:59:59`, UTC. */
export function stamp(seconds: number): string {
  const [date = '', time = ''] = new Date(seconds * 1000).toISOString().split('T')
  return `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`
}

export function adRow(ad: Ad, base: string): Record<string, unknown> {
  return {
    ref: refOf(ad.serial),
    headline: ad.headline,
    deal: ad.deal,
    phase: ad.phase,
    asking: { cents: String(ad.cents), currency: ad.currency },
    score: ad.score,
    permalink: `${base}/ad/${refOf(ad.serial)}`,
    created: stamp(ad.created),
  }
}

export function adFull(ad: Ad, base: string): Record<string, unknown> {
  return {
    ...adRow(ad, base),
    facts: { built_m2: ad.built, bedrooms: ad.rooms, baths: ad.baths },
    perks: ad.perks,
    blurb: ad.blurb,
    pictures: ad.pictures,
    place: { city: ad.city, zone: ad.zone },
    closed_with_account: ad.closed,
    changed: stamp(ad.changed),
  }
}

export function lineOut(line: Line, thread: number): Record<string, unknown> {
  return {
    line: line.id,
    thread,
    dir: line.dir,
    author: line.author,
    text: line.text,
    ads: line.ads.map(refOf),
    ts: line.at,
  }
}

export function memoOut(memo: Memo, thread: number): Record<string, unknown> {
  return { memo: memo.id, thread, author: memo.author, text: memo.text, ts: memo.at }
}

function threadHead(thread: Thread): Record<string, unknown> {
  return {
    thread: thread.id,
    ad: refOf(thread.ad),
    who: { full_name: thread.name, mail: thread.email, phone: thread.phone },
    box: thread.box,
    fresh_lines: thread.fresh,
  }
}

export function threadRow({ thread, last }: ThreadRow): Record<string, unknown> {
  return { ...threadHead(thread), last: { dir: last.dir, text: last.text, ads: last.ads.map(refOf), ts: last.at } }
}

export function threadFull(thread: Thread, lines: Line[], memos: Memo[]): Record<string, unknown> {
  return {
    ...threadHead(thread),
    lines: lines.map((line) => lineOut(line, thread.id)),
    memos: memos.map((memo) => memoOut(memo, thread.id)),
  }
}

export function wantedRow(wanted: Wanted): Record<string, unknown> {
  return {
    no: `W-${wanted.id}`,
    thread: wanted.thread,
    deal: wanted.deal,
    whereabouts: wanted.area,
    budget: { cents: String(wanted.cents), currency: wanted.currency },
    min_bedrooms: wanted.rooms,
  }
}
