import type { DatabaseSync } from 'node:sqlite'
import { atlas, landName } from './atlas.ts'
import { isClip, type Entry } from './entries.ts'
import { landsOf, type Journey } from './journeys.ts'
import type { Notice } from './notices.ts'
import type { Remark } from './remarks.ts'

const landOut = (iso: string): { iso: string; label: string } => ({ iso, label: landName(iso) })

export const journeyRow = (j: Journey): object => ({
  journey: j.id,
  heading: j.heading,
  first_day: j.firstDay,
  last_day: j.lastDay,
  audience: j.audience,
  entry_count: j.entries,
  metres: j.metres,
})

export const journeyFull = (db: DatabaseSync, j: Journey): object => ({
  ...journeyRow(j),
  blurb: j.blurb,
  companions: j.companions.map((called) => ({ called })),
  lands: landsOf(db, j.id).map(landOut),
})

const teaserOf = (story: string): string => {
  const signs = Array.from(story)
  return signs.length <= 140 ? story : `${signs.slice(0, 139).join('')}…`
}

function entryCommon(e: Entry): object {
  const { label, land, geo } = e.spot
  const clips = e.media.filter(isClip).length
  return {
    entry: e.id,
    journey: e.journey,
    heading: e.heading,
    spot: { label, land: land === null ? null : landOut(land), geo },
    at: e.at,
    zone: e.zone,
    stills: e.media.length - clips,
    clips,
    remark_count: e.remarks,
  }
}

export const entryRow = (e: Entry): object => ({ ...entryCommon(e), teaser: teaserOf(e.story) })

export const entryFull = (e: Entry): object => ({
  ...entryCommon(e),
  narrative: e.story,
  gallery: e.media.map((href) => ({ sort: isClip(href) ? 'clip' : 'still', href })),
})

export const remarkOut = (r: Remark): object => ({
  remark: r.id,
  by: { called: r.called },
  words: r.words,
  at: r.at,
  answers: r.answers.map(({ id, words, at }) => ({ answer: id, words, at })),
})

export const noticeOut = ({ id, kind, recipient, words, journey, entry, sent }: Notice): object => ({
  notice: id,
  sort: kind,
  to: recipient,
  words,
  journey,
  entry,
  at: sent,
})

export const atlasOut = (): object[] =>
  atlas.map(({ label, aka, land, geo, zone }) => ({ label, aka, land: landOut(land), geo, zone }))
