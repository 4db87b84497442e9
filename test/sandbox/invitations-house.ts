import { type AppPerson } from './open-app.ts'

export interface Party {
  partyNo: number
  headline: string
  format: string
  stage: string
  startsMs: number
  standing: string
}

export interface Guest {
  guestNo: number
  calledAs: string
  mail: string
  mobile: string
  seats: number
  household: string
  track: string
  headcount: number
  labels: string[]
}

export interface Letter {
  batchNo: number
  guestNo: number
  kind: string
  recipient: string
  subject: string
  words: string
  goesMs: number
  gone: boolean
}

export interface Card {
  cardNo: number
  fullName: string
  mail: string
  phones: string[]
}

/** Reads a list to its end, with something happening after each page. */
async function whole<T>(who: AppPerson, path: string, size = 100, meanwhile?: () => Promise<unknown>) {
  const seen: T[] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let more = ''; ;) {
    const { moreToken, ...rest } = await who.read<{ moreToken: string | null }>(
      `${path}${joint}pageSize=${size}${more}`,
    )
    seen.push(...(Object.values(rest)[0] as T[]))
    if (moreToken === null) return seen
    more = `&moreToken=${moreToken}`
    await meanwhile?.()
  }
}

export const partiesOf = (who: AppPerson, stage: string): Promise<Party[]> => whole(who, `/api/parties?stage=${stage}`)

export const guestsOf = (who: AppPerson, no: number, filter = ''): Promise<Guest[]> =>
  whole(who, `/api/parties/${no}/guests${filter}`)
