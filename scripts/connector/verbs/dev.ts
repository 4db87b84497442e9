import { watch } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hashOf } from '../../../connectors/runtime/added.ts'
import { NoAnswer } from '../../operator-client.ts'
import { lookAt } from '../look.ts'
import type { Looked } from '../look.ts'
import { shown } from '../shown.ts'
import { Refused, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

/** Editors write a file in several steps, and tools several files. In ms. */
const settled = 300

export const dev: Verb = {
  name: 'dev',
  about: [
    'brings it to the gateway again whenever a file of it is saved, until Ctrl-C; asks only where it would',
    'reach another host',
  ],
  words: [{ name: 'folder' }],
  async run(given) {
    const folder = path.resolve(given.words[0] ?? '')
    // Watched before the first look: what is saved meanwhile is seen.
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

interface There {
  readonly slug: string
  readonly hash: string
  readonly hosts: readonly string[]
}

/** What the gateway has by now, with the hosts that were agreed to. What is wrong is said, and mended by the next save. */
async function bring(given: Given, folder: string, before: There | undefined): Promise<There | undefined> {
  const { say } = given
  const now = new Date().toTimeString().slice(0, 8)
  try {
    const looked = await lookAt(folder)
    const there = before?.slug === looked.slug ? before : await servedBy(given, looked.slug)
    const hash = hashOf(looked.code)
    if (there?.hash === hash) return there
    if (!looked.hosts.every((host) => there?.hosts.includes(host) === true)) {
      say(shown(looked.app, looked.hosts))
      if (!(await given.agree(`${there === undefined ? 'Add' : 'Update'} ${looked.slug}?`))) return there
    }
    await give(given, looked, there === undefined)
    say(`${now} ${looked.slug}: ${[...looked.app.endpoints.keys()].join(', ') || 'no endpoints yet'}`)
    return { slug: looked.slug, hash, hosts: looked.hosts }
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
  const { connectors } = await askFor<{ connectors: readonly There[] }>(given, 'GET', '/connectors')
  return connectors.find((one) => one.slug === slug)
}

async function give(given: Given, { slug, hosts, package: from, code }: Looked, isNew: boolean): Promise<void> {
  const body = { package: from, hosts, code }
  if (isNew) await askFor(given, 'POST', '/connectors', { slug, ...body })
  else await askFor(given, 'POST', `/connectors/${slug}/update`, body)
}
