import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { CallgateError } from '../../schemas/errors.ts'

/** argon2 takes a processor and 19 MB per password: limits of one process, running and queued. */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
const inLine = 64
/** Extra queue places for known browsers, so that a flood of others does not lock them out. */
const keptForKnown = 16

let running = 0
const waiting: (() => void)[] = []

/** argon2id, in PHC format. Throws unavailable when too many passwords are in line. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password))
}

let nobodysHash: Promise<string> | undefined

/** Without `known` it takes as long, and is false. Throws unavailable when the queue is full. */
export async function isPassword(
  known: string | undefined,
  password: string,
  who: 'anybody' | 'known' = 'anybody',
): Promise<boolean> {
  nobodysHash ??= hash(randomBytes(32))
  const against = known ?? (await nobodysHash)
  const matches = await inTurn(() => verify(against, password), who === 'known' ? keptForKnown : 0)
  return matches && known !== undefined
}

async function inTurn<T>(work: () => Promise<T>, more = 0): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= inLine + more)
      throw new CallgateError('unavailable', {
        message: 'Many people are signing in just now. Please try again in a few seconds.',
        headers: { 'Retry-After': '5' },
      })
    // The finishing one hands over its turn, so that a newcomer cannot overtake.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
