import { run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ownClient, type Client } from './clients.ts'
import { formFields, readChoice, readText } from './input.ts'
import { tell } from './notices.ts'
import { passFor, returnVisits, useVisit } from './passes.ts'
import { entriesIn, slotAhead, slotOn, slotsOnward, type Entry, type Slot } from './slots.ts'
import { conflict, nextSerial, ownStudio } from './studio.ts'

/** What was done on a roster, as it stands in the address of the page that follows. */
export type Outcome = Record<string, string>

interface Named {
  client: Client
  entry: Entry | undefined
}

function named(request: SignedIn, slot: Slot, cid: unknown): Named {
  const client = ownClient(request, readText(cid, 'Cid', 20))
  return { client, entry: entriesIn(request, slot.serial).find((one) => one.client === client.serial) }
}

function needNew(entry: Entry | undefined): void {
  if (entry) throw conflict('ALREADY_LISTED', `This client is on the roster: ${entry.st}.`, 'Cid')
}

function needSpot({ booked, places }: Slot): void {
  if (booked >= places) throw conflict('SLOT_FULL', 'No spot is left in this class.')
}

/** A new line of the roster: the visit goes on a pass, unless it is given for nothing. */
function add(request: SignedIn, slot: Slot, client: Client, st: 'RSV' | 'IN' | 'WL', free = false): void {
  const pass = free ? undefined : passFor(request, client.serial, slot)
  const { account } = request.viewer.account
  const values = [nextSerial(request, 'entries'), account, slot.serial, client.serial, pass?.serial ?? null, st]
  run(request.db, 'INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)', ...values)
  if (pass) useVisit(request, pass)
}

export function book(request: SignedIn): Outcome {
  const slot = slotAhead(request)
  const { client, entry } = named(request, slot, formFields(request.form, 'Cid')['Cid'])
  needNew(entry)
  needSpot(slot)
  add(request, slot, client, 'RSV')
  request.effect('slot.book', { Slot: `S${slot.serial}`, Cid: `C${client.serial}` })
  return { done: 'book', cid: `C${client.serial}`, st: 'RSV' }
}

/** At the end of the waiting list of a class that is full. */
export function queue(request: SignedIn): Outcome {
  const slot = slotAhead(request)
  const { client, entry } = named(request, slot, formFields(request.form, 'Cid')['Cid'])
  needNew(entry)
  if (slot.booked < slot.places) throw conflict('SPOT_LEFT', 'There is a spot left: book it.')
  add(request, slot, client, 'WL')
  request.effect('slot.queue', { Slot: `S${slot.serial}`, Cid: `C${client.serial}` })
  return { done: 'queue', cid: `C${client.serial}`, st: 'WL' }
}

/** Who has a reservation comes in; who has none needs a spot and a pass, or to be let in anyway. */
export function arrive(request: SignedIn): Outcome {
  const slot = slotOn(request)
  const fields = formFields(request.form, 'Cid', 'Anyway')
  const anyway = readChoice(fields['Anyway'] ?? '0', 'Anyway', ['0', '1']) === '1'
  const { client, entry } = named(request, slot, fields['Cid'])
  if (slot.day < ownStudio(request).today) throw conflict('SLOT_CLOSED', 'The day of this class is over.')
  if (entry?.st === 'RSV') run(request.db, `UPDATE entries SET st = 'IN' WHERE serial = ?`, entry.serial)
  else {
    needNew(entry)
    if (!anyway) needSpot(slot)
    add(request, slot, client, 'IN', anyway)
  }
  request.effect('slot.arrive', { Slot: `S${slot.serial}`, Cid: `C${client.serial}`, Anyway: anyway })
  return { done: 'arrive', cid: `C${client.serial}`, st: 'IN' }
}

/** The first who waits gets the spot that opened. */
function moveUp(request: SignedIn): string | undefined {
  const slot = slotOn(request)
  if (slot.booked >= slot.places || slot.start <= request.now) return undefined
  const first = entriesIn(request, slot.serial).find(({ st }) => st === 'WL')
  if (!first) return undefined
  run(request.db, `UPDATE entries SET st = 'RSV' WHERE serial = ?`, first.serial)
  tell(request, slot, first.client, 'SPOT', 'a spot opened, and it is yours.')
  return `C${first.client}`
}

/** Takes a reservation or a check-in off the roster. Passes stay as they are. */
export function strike(request: SignedIn): Outcome {
  const slot = slotOn(request)
  const { client, entry } = named(request, slot, formFields(request.form, 'Cid')['Cid'])
  if (!entry) throw new Refusal(404, 'NOT_LISTED', 'This client is not on the roster.', 'Cid')
  if (entry.st !== 'RSV' && entry.st !== 'IN') {
    throw conflict('NOT_STRIKABLE', `What is ${entry.st} stays on the roster.`, 'Cid')
  }
  run(request.db, 'DELETE FROM entries WHERE serial = ?', entry.serial)
  const moved = moveUp(request)
  request.effect('slot.strike', { Slot: `S${slot.serial}`, Cid: `C${client.serial}` })
  return { done: 'strike', cid: `C${client.serial}`, was: entry.st, ...(moved === undefined ? {} : { moved }) }
}

interface CalledOff {
  slots: string[]
  told: number
}

/** Calls off this class, or it and all later ones of its series; everybody on the rosters hears of it. */
export function callOff(request: SignedIn): CalledOff {
  const slot = slotAhead(request)
  const scope = readChoice(formFields(request.form, 'Scope')['Scope'], 'Scope', ['ONE', 'ONWARD'])
  const gone = scope === 'ONE' ? [slot] : slotsOnward(request, slot)
  const visits: number[] = []
  let told = 0
  for (const one of gone) {
    const there = entriesIn(request, one.serial).filter(({ st }) => st !== 'LC')
    for (const { client, pass } of there) {
      if (tell(request, one, client, 'OFF', 'this class was called off.')) told++
      if (pass !== undefined) visits.push(pass)
    }
    run(request.db, 'DELETE FROM entries WHERE slot = ?', one.serial)
    run(request.db, 'UPDATE slots SET off = 1 WHERE serial = ?', one.serial)
  }
  returnVisits(request, visits)
  const slots = gone.map(({ serial }) => `S${serial}`)
  request.effect('slot.call-off', { Slot: `S${slot.serial}`, Scope: scope, Slots: slots })
  return { slots, told }
}
