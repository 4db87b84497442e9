import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from './people.ts'
import { app, makePeople } from './people.ts'
import { median, quantile } from './measure.ts'
import { workers } from './scale-site.ts'
import type { Scale } from './scale-site.ts'

const people = 16
const everyMs = 20_000
/** A balancer that finds one process away asks the other at once. */
const betweenTries = 50

/** An API process and a worker are killed every 20 s, while everybody reads once a second through a balancer: whoever is refused by one is sent to the other. */
export async function scaleKills({ site, minutes, say }: Scale): Promise<void> {
  const { stage } = site
  const everybody = await makePeople(stage, stage.databaseUrl, people)
  const over = AbortSignal.timeout(minutes * 60_000)
  const answered: number[] = []
  const refused: number[] = []

  const read = async (person: Person, first: number): Promise<void> => {
    const began = performance.now()
    let since: number | undefined
    for (let n = first; ; n++) {
      if (await answers(stage.apis[n % stage.apis.length] as string, person)) break
      since ??= performance.now()
      await pause(betweenTries)
    }
    answered.push(performance.now() - began)
    if (since !== undefined) refused.push(performance.now() - since)
  }
  const reading = everybody.map(async (person, n) => {
    while (!over.aborted) {
      await read(person, n++)
      await pause(1_050)
    }
  })
  let kills = 0
  for (let round = 0; !over.aborted; round++) {
    await pause(everyMs, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) break
    for (const name of [`api-${(round % 2) + 1}`, `worker-${(round % workers) + 1}`])
      if (await stage.kill(name)) kills++
  }
  await Promise.all(reading)
  say(
    `${kills} kills in ${minutes} minutes; ${answered.length} reads, p50 ${median(answered).toFixed(0)} ms, p99 ${quantile(answered, 0.99).toFixed(0)} ms, longest ${Math.max(...answered).toFixed(0)} ms`,
  )
  say(
    `refused at first: ${refused.length}; the longest was answered ${(refused.length === 0 ? 0 : Math.max(...refused)).toFixed(0)} ms after its first refusal`,
  )
}

/** False: this process did not take it, or died with it. */
async function answers(api: string, { key }: Person): Promise<boolean> {
  try {
    const answer = await fetch(`${api}/api/v1/${app}/list_listings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 1 }),
    })
    await answer.arrayBuffer()
    return answer.status !== 503
  } catch {
    return false
  }
}
