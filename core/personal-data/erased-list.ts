import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../context.ts'
import { codeOf } from '../error-labels.ts'

type Parts = Pick<Context, 'config'>

/** Writes down, outside of the database, that somebody was erased; returns once it is on the disk. Twice does no harm. */
export async function listErased({ config }: Parts, owner: string): Promise<void> {
  await mkdir(path.dirname(config.erasedFile), { recursive: true, mode: 0o700 })
  const file = await open(config.erasedFile, 'a', 0o600)
  try {
    // A line that a power cut has torn keeps the next one whole.
    await file.appendFile(`\n${JSON.stringify({ owner, at: new Date() })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The ids of all who were. */
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
