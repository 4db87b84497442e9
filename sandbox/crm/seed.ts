import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import { insertEngagement } from './engagements.ts'
import { kinds, type Blueprint, type Engagement, type Person, type Stage } from './entities.ts'
import { dayAfter } from './moments.ts'
import { insertPerson } from './people.ts'
import { seedBills } from './seed-bills.ts'
import { seedPapers } from './seed-papers.ts'
import * as words from './seed-words.ts'
import { insertStages, studioOf } from './studio.ts'
import { insert, nextId } from './tables.ts'

const engagementCount = 160
const peopleCount = 150
/** Of these people there is no engagement (yet). */
const idle = 14

function seedPeople(db: DatabaseSync, random: Random, account: Account): Person[] {
  return Array.from({ length: peopleCount }, (_, index) => {
    const name = `${random.pick(words.firstNames)} ${random.pick(words.lastNames)}`
    // Every fifteenth has no address: nothing can be mailed to them.
    const mail = index % 15 === 9 ? '' : `Guest.${account.ordinal}.${index + 1}@mail.example`
    const mobile =
      index % 4 === 3 ? '' : `+${random.between(20, 98)} ${random.between(100, 999)} ${random.between(1000, 9999)}`
    return insertPerson(db, account, { name: index === 7 ? 'Bo' : name, mail, mobile })
  })
}

function seedBlueprints(db: DatabaseSync, account: Account): Blueprint[] {
  let id = nextId(db, 'blueprints', account)
  const made = kinds.flatMap((kind) =>
    words.blueprintNames[kind].map((name) => ({
      id: id++,
      kind,
      name,
      prompts: name.includes('without') ? [] : words.promptsOf[kind],
    })),
  )
  for (const blueprint of made) {
    insert(db, 'blueprints', { ...blueprint, account: account.account, prompts: JSON.stringify(blueprint.prompts) })
  }
  return made
}

/** Prices in the studio's currency, and one in dollars: not every package goes onto every bill. */
function seedPackages(db: DatabaseSync, account: Account): void {
  let id = nextId(db, 'packages', account)
  const { currency } = studioOf(account)
  const scale = currency === 'JPY' ? 150 : currency === 'INR' ? 8000 : 100
  for (const { label, units } of words.packages) {
    insert(db, 'packages', { id: id++, account: account.account, label, minor: units * scale, currency })
  }
  const abroad = { label: 'Full day, abroad', minor: 240_000, currency: currency === 'USD' ? 'EUR' : 'USD' }
  insert(db, 'packages', { id, account: account.account, ...abroad })
}

/** Index 0 is the oldest; each is opened at least a day after the one before. Every second one is the viewer's own. */
function seedEngagement(
  db: DatabaseSync,
  random: Random,
  day: number,
  account: Account,
  index: number,
  person: Person,
  stage: Stage,
): Engagement {
  const studio = studioOf(account)
  const place = index % 3 === 1 ? random.pick(words.places) : studio
  const headline = random.pick(words.headlines).replace('{name}', person.name)
  const memo = index === 150 ? words.longMemo : random.pick(words.memos)
  const opened = day - (engagementCount - index) * 3 * 86_400 + random.between(0, 2 * 86_400)
  return insertEngagement(db, account, {
    headline: index === 151 ? `${headline}, `.repeat(20).slice(0, 200) : headline,
    person,
    track: index % 5 < 2 ? 'INQUIRY' : 'BOOKED',
    stage,
    labels: random.some(words.labels, index % 6 === 0 ? 0 : random.between(0, 4)),
    eventOn: index % 7 === 3 ? undefined : dayAfter(opened, random.between(20, 500)),
    zone: place.zone,
    currency: place.currency,
    memo,
    assignee: index % 2 === 0 ? account.person : random.pick(['Rui Sá', 'Noor van Dijk', 'מיכל לוי']),
    opened,
  })
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`atelio ${account.ordinal}`)
  const stages = insertStages(db, account)
  const people = seedPeople(db, random, account)
  const blueprints = seedBlueprints(db, account)
  seedPackages(db, account)
  const engagements = Array.from({ length: engagementCount }, (_, index) => {
    const person = people[index % (peopleCount - idle)]
    // The last stage is empty, until somebody moves something there.
    const stage = stages[random.between(0, stages.length - 2)]
    if (!person || !stage) throw new Error('There are no people or stages.')
    return seedEngagement(db, random, day, account, index, person, stage)
  })
  seedPapers(db, random, day, account, engagements, blueprints)
  seedBills(db, random, day, account, engagements)
}
