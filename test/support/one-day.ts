import { setTimeout as sleep } from 'node:timers/promises'

const dayMs = 86_400_000

/** For what is counted by days or months: waits for midnight in UTC where it comes within so many seconds. */
export async function withinOneDay(seconds = 15): Promise<void> {
  const left = dayMs - (Date.now() % dayMs)
  if (left < seconds * 1_000) await sleep(left + 100)
}
