import { dayIn } from '../../sandbox/camping-host/clock.ts'
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

/** Of the app's newest account, which is in Tunis. */
export const today = dayIn('Africa/Tunis', Date.now() / 1000)
