import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../context.ts'
import { codeOf } from '../error-labels.ts'

type Parts = Pick<Context, 'config'>

/** Records an erasure outside of the database; returns once it is on disk. Idempotent. */
export async function listErased({ config }: Parts, owner: string): Promise<void> {
  await mkdir(path.dirname(config.erasedFile), { recursive: true, mode: 0o700 })
  const file = await open(config.erasedFile, 'a', 0o600)
  try {
    // The leading newline keeps this line intact after one that a power cut has torn.
    await file.appendFile(`\n${JSON.stringify({ owner, at: new Date() })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The ids of all erased users. */
export async function erasedOwners({ config }: Parts): Promise<readonly string[]> {
  const owners = (await textOf(config.erasedFile)).split('\n').flatMap((line) => ownerIn(line) ?? [])
  return [...new Set(owners)]
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

function ownerIn(line: string): string | undefined {
  return /^\{"owner":"([\w-]+)",.*\}$/.exec(line)?.[1]
}
