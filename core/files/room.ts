import { CallgateError } from '../../schemas/errors.ts'

/** Of files that a process fetches at the same time, in bytes: of all, and of one owner. */
const most = { all: 160 * 1024 * 1024, owner: 40 * 1024 * 1024 }
const taken = new Map<string, number>()

/** Runs what may need so many bytes of memory. Throws `rate_limited` where others need them now. */
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
