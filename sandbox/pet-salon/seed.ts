import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertClients, insertPets, type Client, type Pet } from './clients.ts'
import { shiftDay } from './clock.ts'
import { insertShots, type Shot } from './pets.ts'
import { editionOf } from './salon.ts'
import { at, mute, nearFrom, type Ground } from './seed-ground.ts'
import { seedTickets } from './seed-tickets.ts'
import {
  breeds,
  firstNames,
  hairServices,
  homes,
  lastNames,
  left,
  longText,
  petNames,
  petServices,
} from './seed-words.ts'
import { remarks, staffNames, wholeNames } from './seed-words.ts'
import { insertWaits, type Wait } from './waitlist.ts'

const clientCount = 90

function makeClient(base: number, dial: string, index: number): Client {
  const name = wholeNames[index] ?? `${at(firstNames, index * 3)} ${at(lastNames, index)}`
  const plain = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 12)
  return {
    serial: base + index + 1,
    name,
    mail: index === 6 || index % 20 === 17 ? '' : `${plain === '' ? 'client' : plain}.${index + 1}@mail.example`,
    mob:
      index === mute || (index % 10 === 9 && index < nearFrom)
        ? ''
        : `${dial} 55${10 + (index % 90)} ${4000 + index * 7}`,
    cnf: at(['TXT', 'EML', 'TXT', 'TEL', 'TXT', 'NON'], index),
    bal: index % 6 === 2 ? -1500 - index * 10 : index % 9 === 4 ? 2500 : 0,
    nts: index === 12 ? longText : at(remarks, index),
  }
}

/** The eighth client has none, every fourth has two. */
function makePets(base: number, clients: readonly Client[]): Pet[] {
  const owners = clients.flatMap((client, index) => (index === 7 ? [] : index % 4 === 3 ? [client, client] : [client]))
  return owners.map((client, index) => ({
    serial: base + index + 1,
    client: client.serial,
    name: at(petNames, index),
    breed: at(breeds, index * 3),
    gen: at(remarks, index + 1),
    grm: index === 3 ? longText : at(remarks, index),
    prs: index % 3 === 0 ? 'Friendly; fears cats' : '',
    med: index % 4 === 1 ? 'Épilepsie: pills at noon' : '',
  }))
}

/** Days from the reset to an expiry: none near the third month's end, where months' lengths would matter. */
const expiry = (seed: number): number => {
  const days = (seed % 560) - 260
  return days > 83 && days < 97 ? days + 30 : days
}

/** Every seventh pet has no record; those of clients who come today and around it expire late. */
function makeShots({ base, today, pets }: Ground): Shot[] {
  const shots: Shot[] = []
  const add = (pet: Pet, vx: string, days: number): void => {
    shots.push({ serial: base + shots.length + 1, pet: pet.serial, vx, expires: shiftDay(today, days) })
  }
  for (const [index, pet] of pets.entries()) {
    if (index % 7 === 0) continue
    const near = pet.client > base + nearFrom
    const days = near ? 100 + index : expiry(index * 37)
    if (index % 5 === 0) add(pet, 'RAB', days - 365)
    add(pet, 'RAB', days)
    if (index % 5 === 1) add(pet, 'DHP', 200 + index)
    if (near) continue
    if (index % 2 === 1) add(pet, 'BOR', expiry(index * 53 + 11))
    if (index % 6 === 2) add(pet, 'FVR', expiry(index * 31))
    if (index % 11 === 4) add(pet, 'LEP', expiry(index * 29))
  }
  return shots
}

function makeWaits({ base, today, clients, pets, staff, services }: Ground): Wait[] {
  return Array.from({ length: 66 }, (_, index) => {
    const pet = pets[index]
    const employee = at(
      staff.filter(({ active }) => active),
      index,
    )
    const known = services.filter(({ serial }) => employee.skills.includes(serial))
    const chosen = index % 4 === 0 ? [at(known, index), at(known, index + 1)] : [at(known, index * 3)]
    const days = index % 9 === 8 ? [] : [2 + (index % 18), 5 + (index % 18), 9 + (index % 18)].slice(0, 1 + (index % 3))
    return {
      serial: base + index + 1,
      client: pet?.client ?? at(clients, index).serial,
      pet: pet?.serial,
      emp: index % 2 === 0 ? undefined : employee.serial,
      svcs: chosen.map(({ serial, ttl }) => ({ svc: serial, ttl })),
      pref: days.map((day, place) => ({
        d: shiftDay(today, day),
        part: at(['MORNING', 'AFTERNOON', 'ANYTIME'], index + place),
      })),
      nts: index === 10 ? longText : at(remarks, index + 1),
    }
  })
}

/** Everything of one account, the same after every reset but for the day that its days are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const base = account.ordinal * 100_000
  const { zone, cur, dial } = at(homes, account.ordinal - 1)
  const pet = editionOf(account) === 'PET'
  const services = (pet ? petServices : hairServices).map(([ttl, ctg, mins, pence], index) => ({
    serial: base + index + 1,
    ttl,
    ctg,
    mins,
    pence,
  }))
  const staff = staffNames.map((name, index) => ({
    serial: base + index + 1,
    name,
    active: index !== left,
    skills: services.map(({ serial }) => serial).filter((serial) => (serial + index) % 3 !== 0),
  }))
  const clients = Array.from({ length: clientCount }, (_, index) => makeClient(base, dial, index))
  const pets = pet ? makePets(base, clients) : []
  const today = new Date(day * 1000).toISOString().slice(0, 10)
  const random = new Random(`zottelo ${account.ordinal}`)
  const ground: Ground = { db, random, account, base, today, services, staff, clients, pets }

  run(db, 'INSERT INTO salons VALUES (?, ?, ?, 0)', account.account, zone, cur)
  const offer = db.prepare('INSERT INTO services VALUES (?, ?, ?, ?, ?, ?)')
  for (const { serial, ttl, ctg, mins, pence } of services) offer.run(serial, account.account, ttl, ctg, mins, pence)
  const hire = db.prepare('INSERT INTO staff VALUES (?, ?, ?, ?, ?)')
  for (const { serial, name, active, skills } of staff) {
    hire.run(serial, account.account, name, active ? 1 : 0, JSON.stringify(skills))
  }
  insertClients(db, account.account, clients)
  insertPets(db, account.account, pets)
  insertShots(db, account.account, makeShots(ground), 0)
  insertWaits(db, account.account, makeWaits(ground))
  seedTickets(ground)
}
