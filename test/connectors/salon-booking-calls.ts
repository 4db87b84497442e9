import { dayFromNow } from './app-caller.ts'
import type { Row } from './app-caller.ts'

/** Of the demo user's salon. */
export const martinique = 'aae34a93-be44-4203-aed6-29aa56c6be0a'
export const jean = '87518d56-c744-4bbf-ae15-d92136065091'
export const cut = '155a819c-44b8-485b-a3e0-0b49ec264666'
export const dries = '7b0a0306-d2a9-4fc3-aabd-87a449be232c'

/** A time in Martinique, which has the same offset all year. */
export const at = (days: number, time: string): string => `${dayFromNow(days)}T${time}:00-04:00`
export const list = (row: Row, key: string): Row[] => row[key] as Row[]
