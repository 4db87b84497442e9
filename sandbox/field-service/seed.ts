import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertClient, insertPerson, type Address, type Client } from './clients.ts'
import { idOf } from './firm.ts'
import { seedOrders } from './seed-orders.ts'
import * as words from './seed-words.ts'

const clientCount = 96

function titleOf(index: number): { title: string; company: boolean } {
  if (index === 16) return { title: `${'Maria da Conceição '.repeat(5)}de Sousa`, company: false }
  if (index % 4 === 2) {
    const name = words.companies[((index - 2) / 4) % words.companies.length] ?? words.companies[0]
    return { title: index < 42 ? name : `${name} ${Math.floor(index / 40) + 1}`, company: true }
  }
  if (index % 10 === 5) return { title: words.rtlNames[((index - 5) / 10) % 5] ?? words.rtlNames[0], company: false }
  const first = words.firstNames[index % words.firstNames.length]
  return { title: `${first} ${words.lastNames[(index * 7 + Math.floor(index / 20)) % 20]}`, company: false }
}

/** The last of the clients have no address, or only a town. */
function addressOf(random: Random, index: number, land: string): Address {
  const town = random.pick(words.towns)
  if (index % 32 === 31) return { Street: '', Town: '', Region: '', Postcode: '', Land: '' }
  if (index % 32 === 30) return { Street: '', Town: town, Region: '', Postcode: '', Land: '' }
  const Street = `${random.pick(words.streets)} ${random.between(1, 140)}${index % 9 === 4 ? 'a' : ''}`
  const Region = index % 3 === 0 ? 'Bezirk Mitte' : ''
  return { Street, Town: town, Region, Postcode: String(random.between(10_000, 99_000)), Land: land }
}

/** Every eighth client has no address to mail to, neither its own nor a person's. */
function seedClients(db: DatabaseSync, random: Random, { account, ordinal }: Account): Client[] {
  const place = words.places[(ordinal - 1) % words.places.length] ?? words.places[0]
  let persons = 0
  return Array.from({ length: clientCount }, (_, index) => {
    const { title, company } = titleOf(index)
    const silent = index % 8 === 7
    const site = addressOf(random, index, place.land)
    const client: Client = {
      id: idOf('clients', ordinal, index + 1),
      account,
      title,
      company,
      mail: silent || index % 8 === 6 ? '' : `client.${ordinal}.${index + 1}@post.example`,
      tel: index % 7 === 3 ? '' : `${place.prefix} ${random.between(1000, 9999)} ${random.between(100, 999)}`,
      site,
      billing: index % 5 === 1 ? addressOf(random, index, place.land) : site,
      directions: index % 3 === 0 ? random.pick(words.directions) : '',
      memo: index === 8 ? words.longText : index % 4 === 1 ? random.pick(words.memos) : '',
    }
    insertClient(db, client, 1)
    const size = company || index % 8 === 6 ? random.between(1, 3) : index % 3
    for (let n = 0; n < size; n++) {
      persons += 1
      const name = `${random.pick(words.firstNames)} ${random.pick(words.lastNames)}`
      const mail = silent ? '' : `person.${ordinal}.${persons}@post.example`
      insertPerson(db, account, idOf('people', ordinal, persons), client.id, { name, mail, main: n === 0 })
    }
    return client
  })
}

export function seed(db: DatabaseSync, day: number, account: Account): void {
  const { ordinal } = account
  const random = new Random(`dispato ${account.account}`)
  const place = words.places[(ordinal - 1) % words.places.length] ?? words.places[0]
  run(db, 'INSERT INTO firms VALUES (?, ?, ?, 1)', account.account, place.zone, place.currency)
  for (const [index, label] of words.services.entries()) {
    run(db, 'INSERT INTO services VALUES (?, ?, ?)', idOf('services', ordinal, index + 1), account.account, label)
  }
  for (const [index, name] of words.crew.entries()) {
    const active = index < words.crew.length - 1 ? 1 : 0
    run(db, 'INSERT INTO crew VALUES (?, ?, ?, ?)', idOf('crew', ordinal, index + 1), account.account, name, active)
  }
  seedOrders(db, random, { day: day / 86_400, account, zone: place.zone, clients: seedClients(db, random, account) })
}
