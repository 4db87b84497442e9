import { campingHost } from '../../sandbox/camping-host/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

export interface Land {
  land: string
  title: string
  st: string
  pitches: { pitch: string; label: string; base: number; cur: string; exp: number }[]
}

export interface Stay {
  stay: string
  land: string
  on: { pitch: string; label: string }
  who: { first: string; init: string }
  in: number
  out: number
  heads: number
  paid: number
  cur: string
  exp: number
  st: string
}

export interface Ask extends Omit<Stay, 'paid' | 'cur' | 'exp' | 'st'> {
  until: number
}

export interface Detail extends Omit<Stay, 'paid'> {
  hello: string
  long: number
  nightly: number
  sum: number
  charged: boolean
}

export interface Night {
  d: number
  st: string
  price: number
  own: boolean
}

export interface Chat {
  chat: string
  who: { first: string; init: string }
  stay: string | null
  said: string
  at: number
  fresh: boolean
}

export interface Review {
  review: string
  land: string
  stay: string
  up: boolean
  words: string
  at: number
  reply: string | null
}

export interface Payday {
  on: number
  st: string
  net: number
  cur: string
  stays: { stay: string; net: number }[]
}

export const today = Math.floor(Date.now() / 86_400_000)

export const openCamp = (): Promise<OpenApp> =>
  openApp(campingHost, async (person) => (await person.read<{ fern: string }>('/host/data/me')).fern)

export const rowsOf = async <T>(person: AppPerson, path: string): Promise<T[]> =>
  (await person.read<{ rows: T[] }>(`/host/data${path}`)).rows

export const stayOf = (person: AppPerson, id: string): Promise<Detail> => person.read(`/host/data/stays/${id}`)

/** The nights of one pitch, from so many days after today on. */
export async function nightsOf(person: AppPerson, pitch: string, from: number, to = from): Promise<Night[]> {
  for (const { land, pitches } of await rowsOf<Land>(person, '/lands')) {
    if (!pitches.some((one) => one.pitch === pitch)) continue
    const path = `/lands/${land}/nights?pitch=${pitch}&first=${today + from}&last=${today + to}`
    return (await rowsOf<{ nights: Night[] }>(person, path))[0]?.nights ?? []
  }
  throw new Error(`${pitch} is on no land.`)
}

/** Status and code that a form is refused with, or where an accepted one leads to. */
export async function submitted(person: AppPerson, path: string, fields = {}): Promise<[number, string | undefined]> {
  const response = await person.form(path, fields)
  if (response.status === 303) return [303, response.headers.get('location') ?? undefined]
  return [response.status, await codeOf(response)]
}

/** What the account wrote while `work` ran. */
export async function effectsOf(app: OpenApp, person: AppPerson, work: () => Promise<unknown>) {
  const before = (await app.effects(person)).length
  await work()
  return (await app.effects(person)).slice(before).map(({ action, body }) => ({ action, body }))
}

export const sentTo = async (person: AppPerson): Promise<string> => (await person.get('/host/sent')).text()
