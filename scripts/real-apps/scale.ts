import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { liveName } from '../connector/live-file.ts'
import { holds, is } from './expect.ts'
import type { World } from './real-app.ts'

/**
 * Makes every read of the connector live, compares the results with its live.json, and checks its
 * level. `keepLive` writes the results into the connector's folder.
 */
export async function isGold(
  { connector, agent }: World,
  { folder, keepLive }: { readonly folder: string; readonly keepLive: boolean },
): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'callgate-live-'))
  try {
    const copy = path.join(home, path.basename(folder))
    await cp(folder, copy, { recursive: true })
    await connector('test', copy, '--live', '--reads')
    if (keepLive) await copyFile(path.join(copy, liveName), path.join(folder, liveName))
    is('what its reads came to live', await withoutDay(copy), await withoutDay(folder))
    const said = await connector('scale', folder, '--tell')
    holds('it is not gold', /^\S+ is gold$/m.test(said), said)
    holds('the gateway does not say so', (await scaleIn(agent, path.basename(folder))) === 'gold')
  } finally {
    await rm(home, { recursive: true })
  }
}

async function withoutDay(folder: string): Promise<unknown> {
  const { day: _, ...live } = JSON.parse(await readFile(path.join(folder, liveName), 'utf8')) as Record<string, unknown>
  return live
}

/** Each process checks once a second. */
async function scaleIn(agent: World['agent'], app: string): Promise<unknown> {
  for (let looks = 0; ; looks++) {
    const { body } = await agent.send('GET', `/${app}`)
    if (body['scale'] !== undefined || looks === 10) return body['scale']
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
