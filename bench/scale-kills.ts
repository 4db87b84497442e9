import { sleep } from '../core/sleep.ts'
import type { Person } from './people.ts'
import { app, makePeople } from './people.ts'
import { median, quantile } from './measure.ts'
import { workers } from './scale-site.ts'
import type { Scale } from './scale-site.ts'

const people = 16
const everyMs = 20_000
/** Delay in ms before a balancer tries the other process. */
const betweenTries = 50

/**
 * Kills an API process and a worker every 20 s, while every user reads once a second through a
 * balancer that sends refused requests to the other process.
 */
export async function scaleKills({ site, minutes, say }: Scale): Promise<void> {
  const { stage } = site
  const everybody = await makePeople(stage, stage.databaseUrl, people)
  const over = AbortSignal.timeout(minutes * 60_000)
  const answered: number[] = []
  const refused: number[] = []
  const away: number[] = []
  const whys = new Map<string, number>()

  const read = async (person: Person, first: number): Promise<void> => {
    const began = performance.now()
    let since: number | undefined
    for (let n = first; ; n++) {
      const why = await refusal(stage.apis[n % stage.apis.length] as string, person)
      if (why === undefined) break
      whys.set(why, (whys.get(why) ?? 0) + 1)
      since ??= performance.now()
      await sleep(betweenTries)
    }
    answered.push(performance.now() - began)
    if (since !== undefined) refused.push(performance.now() - since)
  }
  const reading = everybody.map(async (person, n) => {
    while (!over.aborted) {
      await read(person, n++)
      await sleep(1_050)
    }
  })
  let kills = 0
  for (let round = 0; !over.aborted; round++) {
    await sleep(everyMs, over)
    if (over.aborted) break
    for (const name of [`api-${(round % 2) + 1}`, `worker-${(round % workers) + 1}`])
      if (await stage.kill(name)) kills++
    void awayFor(stage.apis[round % 2] as string, over).then((ms) => ms !== undefined && away.push(ms))
  }
  await Promise.all(reading)
  say(
    `${kills} kills in ${minutes} minutes; ${answered.length} reads, p50 ${median(answered).toFixed(0)} ms, p99 ${quantile(answered, 0.99).toFixed(0)} ms, longest ${Math.max(...answered).toFixed(0)} ms`,
  )
  const longest = Math.max(0, ...refused)
  say(
    `refused at first: ${refused.length}; the longest was answered ${longest.toFixed(0)} ms after its first refusal; refusals: ${[...whys].map(([why, times]) => `${why} ${times} times`).join(', ')}`,
  )
  const longestAway = Math.max(0, ...away)
  say(
    `a killed API process took calls again after ${median(away).toFixed(0)} ms, the slowest after ${longestAway.toFixed(0)} ms; ${longestAway < everyMs ? 'never were both away' : 'both may have been away at once, as that is longer than from kill to kill'}`,
  )
  say(longest <= 1_000 ? 'nobody was refused for longer than 1 s' : 'somebody was refused for longer than 1 s')
}

/** Why the process refused or lost the request; undefined if it answered. */
async function refusal(api: string, { key }: Person): Promise<string | undefined> {
  try {
    const answer = await fetch(`${api}/api/v1/${app}/list_listings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 1 }),
    })
    await answer.arrayBuffer()
    return answer.status === 503 ? '503' : undefined
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } }
    return cause?.code ?? 'no answer'
  }
}

/** Milliseconds until a killed process accepts calls: 401 without a key, 503 until it is ready. */
async function awayFor(api: string, over: AbortSignal): Promise<number | undefined> {
  const began = performance.now()
  while (!over.aborted) {
    // Not listening yet.
    const answer = await fetch(`${api}/api/v1/calls`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer !== undefined && answer.status !== 503) return performance.now() - began
    await sleep(betweenTries)
  }
  return undefined
}
