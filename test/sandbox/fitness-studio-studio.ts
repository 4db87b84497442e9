interface Pass {
  Pid: string
  Label: string
  St: string
  Renews: string | null
}

export interface Client {
  Cid: string
  Full: string
  Passes: Pass[]
}

export interface Detail extends Client {
  Mail: string
  Tel: string
  Passes: (Pass & { Offer: string; Auto: boolean; Turn: string | null; VisitsLeft: number | null })[]
  Visits: { Slot: string; Title: string; Day: string; St: string }[]
}

export interface Slot {
  Slot: string
  Series: string
  Title: string
  Topic: string
  Led: string
  Day: string
  Hour: string
  Places: number
  Booked: number
  Waiting: number
}

/** `12/31/2026`, that many days from the UTC day that it is. */
export function dayAhead(days: number): string {
  const [year, month, day] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

/** `2026-12-31`, which sorts. */
export const iso = (day: string): string => `${day.slice(6)}-${day.slice(0, 2)}-${day.slice(3, 5)}`
