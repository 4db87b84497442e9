import { dayFromNow } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'

/** Of the demo user's company, whose clocks show UTC: two who are never off, and a client with an email address. */
export const afua = '505fa5c5-e106-4509-99c0-546e91854486'
export const kwabena = '02ad2271-06c1-48b6-9656-5197e91f2c99'
export const amelie = '856fe7ae-8364-4a48-9151-3874e85f66b7'

export const at = (days: number, time: string): string => `${dayFromNow(days)}T${time}:00Z`
export const windowOn = (days: number): Row => ({ start: at(days, '09:00'), end: at(days, '10:30') })
export const child = (row: Row | undefined, key: string): Row => (row?.[key] ?? {}) as Row
export const children = (row: Row | undefined, key: string): Row[] => (row?.[key] ?? []) as Row[]
export const always: Row = { from: dayFromNow(-60), to: dayFromNow(60), limit: 100 }

export const everyJob = (company: AppCaller, filter: Row = {}, user?: string): Promise<Row[]> =>
  company.every('list_jobs', 'jobs', { ...always, ...filter }, undefined, user)

/** In the smallest unit. */
export const cents = (amount: unknown): number => Number(String(amount).replace('.', ''))
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
export const times = (rows: readonly Row[], key: string): number[] => rows.map((row) => Date.parse(String(row[key])))
export const descending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => b - a)
