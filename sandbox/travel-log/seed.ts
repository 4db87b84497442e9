import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { hash32, Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { atlas, type AtlasSpot } from './atlas.ts'
import { dayOf } from './clock.ts'
import { firstId } from './ids.ts'
import { audiences, lengthOf, type Audience } from './journeys.ts'
import { answerWords, blurbs, companions, files, followerNames, headings, homes, journeyNames } from './seed-words.ts'
import { longName, longStory, remarkWords, stories, unmapped } from './seed-words.ts'

const day = 86_400
/** The one with the most remarks, counted from the oldest. */
const busyEntry = 40

interface Plan {
  /** Days from the day of the reset; `last` is null while it goes on. */
  first: number
  last: number | null
  entries: number
  audience: Audience
}

interface Draft {
  id: number
  journey: number
  audience: Audience
  heading: string
  at: number
  remarks: number
}

/** 74 journeys, latest first: 7 ahead, 5 underway, the others behind. */
function plans(random: Random): Plan[] {
  const audience = (index: number): Audience => audiences[index % 3] ?? 'self'
  const ahead = [210, 150, 90, 45, 21, 10, 3].map((first, index) => ({
    first,
    last: index % 3 === 2 ? null : first + 4 + index,
    entries: index === 4 ? 2 : 0,
    audience: audience(index),
  }))
  const underway = [0, -3, -6, -11, -30].map((first, index) => ({
    first,
    last: index % 2 === 1 ? null : first + 40,
    entries: index === 0 ? 0 : index + 2,
    audience: audience(index + 1),
  }))
  let at = -34
  const behind = Array.from({ length: 62 }, (_, index) => {
    const length = index === 6 ? 60 : random.between(0, 24)
    at -= length + random.between(1, 30)
    const entries = index === 6 ? 90 : index % 20 === 11 ? 0 : random.between(3, 11)
    return { first: at, last: index === 0 ? -1 : at + length, entries, audience: audience(index) }
  })
  return [...ahead, ...underway, ...behind]
}

const inserter = (db: DatabaseSync, table: string, columns: number): ((...values: SQLInputValue[]) => void) => {
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${Array.from({ length: columns }, () => '?').join(', ')})`)
  return (...values) => void insert.run(...values)
}

const onWay = (random: Random, start: number, step: number): AtlasSpot => {
  const spot = atlas[(start + Math.floor(step / 3)) % atlas.length] ?? random.pick(atlas)
  const drift = (): number => random.between(-190_000, 190_000)
  return { ...spot, geo: { lat6: spot.geo.lat6 + drift(), lng6: spot.geo.lng6 + drift() } }
}

/** Journeys with their entries; answers the entries that others can see or the traveller keeps, for remarks. */
function seedJourneys(db: DatabaseSync, random: Random, today: number, account: Account): Draft[] {
  const base = firstId(account.ordinal)
  const addJourney = inserter(db, 'journeys', 9)
  const addEntry = inserter(db, 'entries', 12)
  const drafts: Draft[] = []
  const planned = plans(random).toReversed()
  let entryId = base
  for (const [index, { first, last, entries, audience }] of planned.entries()) {
    const id = base + index + 1
    const start = random.between(0, atlas.length - 1)
    const pins: AtlasSpot['geo'][] = []
    const spanDays = Math.max(0, Math.min(last ?? -1, first > 0 ? first + 3 : -1) - first)
    const steps = Array.from({ length: entries }, (_, step) => ({ step, spot: onWay(random, start, step) }))
      .map(({ step, spot }) => {
        const at =
          today + (first + Math.floor((spanDays * step) / entries)) * day + random.between(6 * 60, 19 * 60) * 60
        return { spot, at: at + (step % 7), off: random.next() < 0.05 }
      })
      .toSorted((a, b) => a.at - b.at)
    for (const { spot, at, off } of steps) {
      entryId += 1
      const nth = entryId - base
      const label = off ? random.pick(unmapped) : spot.label
      const heading =
        nth % 50 === 7 ? longName.slice(0, 200) : nth % 6 === 1 ? label : `${random.pick(headings)} ${label}`
      const story = nth % 60 === 9 ? longStory : random.pick(stories)
      const media = Array.from({ length: nth % 5 === 0 ? 0 : random.between(1, 6) }, (_, shot) => {
        const folder = hash32(`errabund ${entryId} ${shot}`).toString(36)
        return `https://pics.errabund.example/full/${folder}/${random.pick(files)}`
      })
      const { lat6, lng6 } = spot.geo
      const place = off ? [label, null, null, null] : [label, spot.land, lat6, lng6]
      if (!off) pins.push(spot.geo)
      addEntry(entryId, account.account, id, heading, story, ...place, at, spot.zone, JSON.stringify(media))
      drafts.push({
        id: entryId,
        journey: id,
        audience,
        heading,
        at,
        remarks: nth === busyEntry ? 70 : random.between(0, 4),
      })
    }
    const name = index % 25 === 4 ? longName.slice(0, 200) : `${random.pick(journeyNames)} ${atlas[start]?.label ?? ''}`
    const blurb = index % 30 === 8 ? longStory.slice(0, 10_000) : random.pick(blurbs)
    const days = [dayOf(today + first * day), last === null ? null : dayOf(today + last * day)]
    const along = JSON.stringify(random.some(companions, random.between(0, 3)))
    addJourney(id, account.account, name, ...days, blurb, audience, along, lengthOf(pins))
  }
  return drafts
}

/** Remarks below most entries that others can see, and below the busy one, whoever may see it now; every third one is answered, some twice. */
function seedRemarks(db: DatabaseSync, random: Random, today: number, account: Account, drafts: Draft[]): void {
  const base = firstId(account.ordinal)
  const addRemark = inserter(db, 'remarks', 7)
  const addAnswer = inserter(db, 'answers', 5)
  let [remark, answer] = [base, base]
  for (const { at, id, audience, remarks } of drafts) {
    if ((audience === 'self' && remarks < 70) || at > today - day) continue
    const room = today - 60 - at
    const times = Array.from({ length: remarks }, () => at + random.between(60, Math.min(room, 5 * day)))
    for (const time of times.toSorted((a, b) => a - b)) {
      remark += 1
      const who = random.between(0, followerNames.length - 1)
      const mail = `follower${who + 1}.${account.ordinal}@mail.example`
      addRemark(remark, account.account, id, followerNames[who] ?? '', mail, random.pick(remarkWords), time)
      for (let turn = remark % 3 === 0 ? (remark % 2) + 1 : 0; turn > 0; turn -= 1) {
        answer += 1
        addAnswer(answer, account.account, remark, random.pick(answerWords), Math.min(today, time + 7200 - turn * 60))
      }
    }
  }
}

/** Nobody follows the person who is new here. */
function seedFollowers(db: DatabaseSync, account: Account, drafts: Draft[]): void {
  if (account.user === 'poor') return
  const base = firstId(account.ordinal)
  const addFollower = inserter(db, 'followers', 5)
  const mails = followerNames.map((called, index) => {
    const mail = `follower${index + 1}.${account.ordinal}@mail.example`
    const pass = hash32(`pass ${account.ordinal} ${index}`).toString(36)
    addFollower(base + index + 1, account.account, called, mail, pass)
    return mail
  })
  const addNotice = inserter(db, 'notices', 8)
  let id = base
  for (const draft of drafts.filter(({ audience }) => audience !== 'self').slice(-12)) {
    for (const mail of mails) {
      id += 1
      addNotice(id, account.account, 'entry', mail, draft.heading, draft.journey, draft.id, draft.at)
    }
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, today: number, account: Account): void {
  const random = new Random(`errabund ${account.ordinal}`)
  const zone = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  run(db, 'INSERT INTO travellers VALUES (?, ?, ?)', account.account, account.ordinal, zone)
  const drafts = seedJourneys(db, random, today, account)
  seedRemarks(db, random, today, account, drafts)
  const past = drafts.filter(({ at }) => at < today)
  seedFollowers(
    db,
    account,
    past.toSorted((a, b) => a.at - b.at),
  )
}
