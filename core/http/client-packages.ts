import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { documentOf } from './documents.ts'
import type { Document } from './documents.ts'

/** A package that npm or pip installs from this gateway. */
export interface ClientPackage {
  /** `callgate-client-0.1.0.tgz`: installers parse the name, too. */
  readonly file: string
  readonly language: 'typescript' | 'python'
  readonly document: Document
}

const root = path.join(import.meta.dirname, '../..')
/** Not in the production image. */
const packer = path.join(root, 'scripts/client/pack.ts')
const made = new Map<string, Promise<readonly ClientPackage[]>>()

/**
 * Packages of both clients: from the image, else packed in `dir` once per version of their sources.
 */
export function clientPackages(dir: string): Promise<readonly ClientPackage[]> {
  const known = made.get(dir) ?? load(dir)
  made.set(dir, known)
  return known
}

async function load(dir: string): Promise<readonly ClientPackage[]> {
  const folder = existsSync(packer) ? folderIn(dir) : path.join(root, 'bundles/clients')
  if (!existsSync(folder)) await make(folder)
  return readdirSync(folder)
    .toSorted((a, b) => b.localeCompare(a))
    .map((file) => {
      const isNpm = file.endsWith('.tgz')
      const document = documentOf(isNpm ? 'application/gzip' : 'application/zip', readFileSync(path.join(folder, file)))
      return { file, language: isNpm ? 'typescript' : 'python', document }
    })
}

function folderIn(dir: string): string {
  return path.join(dir, 'bundles', `clients-${version()}`)
}

/** Inputs of the packages: the clients, the connectors they have types for, and the bundler. */
const sources = [
  'client/*.{ts,json,md}',
  'client/python/*.{toml,md}',
  'client/python/callgate/*.{py,pyi,typed}',
  'connectors/**/*.ts',
  'scripts/client/*.ts',
  'node_modules/rolldown/package.json',
]
/** Generated from the connectors. */
const exclude = ['client/apps.ts', 'client/python/callgate/{apps,endpoints}.pyi', 'connectors/kit/dist/**']

function version(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root, exclude }).toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Another process may build the same: the first to finish wins, with equal content. */
async function make(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`
  try {
    await promisify(execFile)(process.execPath, [packer, draft])
    await rename(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
