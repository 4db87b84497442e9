import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Somewhere days, months and summer time begin with each quarter of an hour: what a file does, if it is not long, is all before
 * one of them or all after it. Tests about such a moment move the clock.
 */
const quarterMs = 900_000
const left = quarterMs - (Date.now() % quarterMs)
if (left < 20_000) await sleep(left + 100)
