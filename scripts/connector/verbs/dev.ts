import { watch } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hashOf } from '../../../connectors/runtime/added.ts'
import { surfaceOf } from '../../../connectors/runtime/surface.ts'
import { NoAnswer } from '../../operator-client.ts'
import { lookAt } from '../look.ts'
import type { Looked } from '../look.ts'
import { shown } from '../shown.ts'
import type { Installed } from '../shown.ts'
import { Refused, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

/** Debounce in ms: editors write a file in several steps, and tools write several files. */
const settled = 300

export const dev: Verb = {
  name: 'dev',
  about: [
    'brings it to the gateway again whenever a file of it is saved, until Ctrl-C; asks only where it would',
    'reach another host, or send something else without an approval',
  ],
  words: [{ name: 'folder' }],
  async run(given) {
    const folder = path.resolve(given.words[0] ?? '')
    // Watch before the first build, so that no save in between is missed.
    const saves = watch(folder, { recursive: true, signal: given.signal })
    let agreed = await bring(given, folder, undefined)
    try {
      for await (const { filename } of saves) {
        if (!isSource(filename)) continue
        await pause(settled, undefined, { signal: given.signal })
        agreed = await bring(given, folder, agreed)
      }
    } catch (error) {
      if (!given.signal.aborted) throw error
    }
    return 0
  },
}

function isSource(file: string | null): boolean {
  const [first = ''] = (file ?? '').split(path.sep)
  return file !== null && !['node_modules', 'recordings', '.git'].includes(first) && /\.(?:[cm]?[jt]s|json)$/.test(file)
}

interface There extends Installed {
  readonly slug: string
  readonly hash: string
}

/** Whether it adds no host and no write without approval to what the user agreed to. */
function isAgreed({ app, hosts }: Looked, { hosts: known, surface }: There): boolean {
  const { leaves } = surfaceOf(app)
  return hosts.every((host) => known.includes(host)) && leaves.every((line) => surface?.leaves.includes(line) === true)
}

/** Updates the gateway and returns what it has now. Prints errors: the next save may fix them. */
async function bring(given: Given, folder: string, before: There | undefined): Promise<There | undefined> {
  const { say } = given
  const now = new Date().toTimeString().slice(0, 8)
  try {
    const looked = await lookAt(folder)
    const there = before?.slug === looked.slug ? before : await servedBy(given, looked.slug)
    const hash = hashOf(looked.code)
    if (there?.hash === hash) return there
    if (there === undefined || !isAgreed(looked, there)) {
      say(shown(looked.app, looked.hosts, there))
      if (!(await given.agree(`${there === undefined ? 'Add' : 'Update'} ${looked.slug}?`))) return there
    }
    await give(given, looked, there === undefined)
    say(`${now} ${looked.slug}: ${[...looked.app.endpoints.keys()].join(', ') || 'no endpoints yet'}`)
    const { slug, package: from, hosts, app } = looked
    return { slug, hash, package: from, hosts, trusted: [], surface: surfaceOf(app) }
  } catch (error) {
    if (given.signal.aborted) throw error
    const isOwn =
      error instanceof Error && (error instanceof Refused || error instanceof NoAnswer || error.name === 'Error')
    if (!isOwn) throw error
    say(`${now} ${error.message}`)
    return before
  }
}

async function servedBy(given: Given, slug: string): Promise<There | undefined> {
  const { connectors } = await askFor<{ connectors: readonly { slug: string }[] }>(given, 'GET', '/connectors')
  return connectors.some((one) => one.slug === slug) ? askFor<There>(given, 'GET', `/connectors/${slug}`) : undefined
}

async function give(given: Given, { slug, hosts, package: from, code }: Looked, isNew: boolean): Promise<void> {
  const body = { package: from, hosts, code }
  if (isNew) await askFor(given, 'POST', '/connectors', { slug, ...body })
  else await askFor(given, 'POST', `/connectors/${slug}/update`, body)
}
