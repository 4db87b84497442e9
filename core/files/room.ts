import { CallgateError } from '../../schemas/errors.ts'

/** Maximum bytes of files that a process fetches at once, in total and per owner. */
const most = { all: 160 * 1024 * 1024, owner: 40 * 1024 * 1024 }
const taken = new Map<string, number>()

/** Runs work that may need this much memory. Throws `rate_limited` while it is taken. */
export async function withRoom<T>(owner: string, bytes: number, work: () => Promise<T>): Promise<T> {
  const all = [...taken.values()].reduce((sum, one) => sum + one, 0)
  const own = taken.get(owner) ?? 0
  if (all + bytes > most.all || own + bytes > most.owner)
    throw new CallgateError('rate_limited', {
      message: 'Files of other calls are being fetched. Try again in a few seconds.',
      headers: { 'Retry-After': '5' },
    })
  taken.set(owner, own + bytes)
  try {
    return await work()
  } finally {
    const left = (taken.get(owner) ?? 0) - bytes
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
  }
}
