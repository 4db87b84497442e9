import { setTimeout as pause } from 'node:timers/promises'
import { Client } from './client.ts'
import type { Journal } from './journal.ts'
import type { User } from './people.ts'
import { Person } from './person.ts'
import type { Plan, Wish } from './plan.ts'
import { Random } from './random.ts'

/** The text that only this wish's effect contains. */
export function markOf(index: number): string {
  return `mark-${String(index).padStart(6, '0')}`
}

/** The mark in a text, or undefined. */
export function findMark(text: string): string | undefined {
  return /mark-\d{6}/.exec(text)?.[0]
}

interface Scene {
  readonly plan: Plan
  readonly apis: readonly string[]
  readonly users: readonly User[]
  readonly journal: Journal
  /** When the campaign began. */
  readonly began: number
}

/** Starts every wish at its time; returns when every client has an answer or has given up. */
export async function playWishes(scene: Scene): Promise<void> {
  const people = scene.users.map((user) => new Person(user, scene.apis, scene.journal))
  await Promise.all(
    scene.plan.wishes.map(async (wish) => {
      await pause(Math.max(0, scene.began + wish.at - Date.now()))
      const [user, person] = [scene.users[wish.user], people[wish.user]]
      if (user === undefined || person === undefined) throw new Error('a wish without a user')
      await play(scene, wish, user, person)
    }),
  )
}

async function play({ apis, journal, plan }: Scene, wish: Wish, user: User, person: Person): Promise<void> {
  const random = new Random(plan.seed * 1_000_003 + wish.index)
  const client = new Client(apis, journal, random)
  const ids = await Promise.all(
    Array.from({ length: wish.clients }, async () => {
      const [endpoint, input] = request(wish, user)
      return client.call(user, endpoint, input, wish)
    }),
  )
  const callId = ids.find((id) => id !== undefined)
  if (callId === undefined) return
  await pause(wish.thinking)
  if (wish.kind === 'approve' || wish.kind === 'race') {
    const decided = [person.decide(callId, 'approve', random)]
    if (wish.kind === 'race') decided.push(person.decide(callId, 'reject', random), client.cancel(user, callId))
    await Promise.all(decided)
  }
  if (wish.kind === 'reject') await person.decide(callId, 'reject', random)
  if (wish.kind === 'cancel') await client.cancel(user, callId)
  if (wish.follows) await client.follow(user, callId, 25_000)
}

function request(wish: Wish, user: User): [endpoint: string, input: object] {
  const text = `Campaign ${markOf(wish.index)}`
  if (wish.kind === 'read') return wish.index % 2 ? ['list_contacts', {}] : ['list_listings', { limit: 5 }]
  // Half of the cancelled ones need no approval: they are cancelled while they run, or too late.
  const direct = wish.kind === 'write' || (wish.kind === 'cancel' && wish.index % 2 === 0)
  if (direct) return ['add_contact_note', { contact_id: user.contact, note: text }]
  return ['reply_to_contact', { contact_id: user.contact, message: text }]
}
