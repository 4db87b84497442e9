import { type AppPerson } from './open-app.ts'

interface Moment {
  utc: string
  local: string
  zone: string
}

export interface Gathering {
  gathering_no: string
  called: string
  days: { first: string; last: string }
  zone: string
  phase: string
  venue: string
  wrap_up: string
}

export interface Booking {
  booking_no: string
  mail: string
  pass: { label: string }
  seats: number
  paid: { minor: number; cur: string }
  booked: Moment
}

export interface Slot {
  slot_no: string
  heading: string
  opens: Moment
  closes: Moment
  streams: string[]
  voices: { voice_no: string; called: string }[]
  blurb: string
}

export const api = '/organizer/v1'
export const at = (no: string, rest = ''): string => `${api}/gatherings/${no}${rest}`

/** Reads a list to its end, with something happening after each page; lists that come whole are one page. */
async function whole<T>(who: AppPerson, path: string, size?: number, meanwhile?: () => Promise<unknown>) {
  const seen: T[] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let more = size === undefined ? '' : `${joint}page_size=${size}`; ;) {
    const { pagination, ...rest } = await who.read<{ pagination?: { continuation: string | null } }>(`${path}${more}`)
    seen.push(...(Object.values(rest)[0] as T[]))
    if (!pagination?.continuation) return seen
    more = `${joint}page_size=${size ?? 50}&continuation=${pagination.continuation}`
    await meanwhile?.()
  }
}

const gatheringsOf = (who: AppPerson, phase: string): Promise<Gathering[]> =>
  whole(who, `${api}/gatherings?phase=${phase}`)

/** The number of the gathering at this place of the list. */
export const numberAt = async (who: AppPerson, phase: string, index: number): Promise<string> =>
  (await gatheringsOf(who, phase))[index]?.gathering_no ?? ''
