import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { isFields } from '../kit/wire.ts'
import { readRecording } from './read.ts'
import type { Recording } from './recording.ts'

/** A recording file, or why it cannot be read. */
export type Case = { readonly name: string } & ({ readonly recording: Recording } | { readonly problem: string })

/** Exceptions that `declared.json` states for what recordings do not show, each with its reason. */
export interface Declared {
  /** Endpoint → kind → why no recording of this kind exists. */
  readonly missing: Reasons
  /** Endpoint → place in the output → why it may become empty when the page loses its source. */
  readonly empty: Reasons
  /** Endpoint → why its list is not paginated. */
  readonly whole: Why
  /** Endpoint → why the approver gets no preview of its ids. */
  readonly unpreviewed: Why
  /** Endpoint → why a write with a lost answer cannot be verified. */
  readonly unverified: Why
}

type Why = Readonly<Record<string, string>>
export type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Recordings {
  readonly cases: ReadonlyMap<string, readonly Case[]>
  readonly declared: Declared
}

const folderName = 'recordings'
export const declaredName = `${folderName}/declared.json`

const nothing: Declared = { missing: {}, empty: {}, whole: {}, unpreviewed: {}, unverified: {} }

/** Reads `recordings/<endpoint>/<name>.http`. Throws if `recordings/declared.json` is malformed. */
export function readFolder(folder: string): Recordings {
  const root = path.join(folder, folderName)
  if (!existsSync(root)) return { cases: new Map(), declared: nothing }
  const endpoints = readdirSync(root, { withFileTypes: true }).filter((one) => one.isDirectory())
  const cases = endpoints.map(({ name }) => [name, casesOf(path.join(root, name))] as const)
  return { cases: new Map(cases.toSorted(([a], [b]) => (a < b ? -1 : 1))), declared: readDeclared(folder) }
}

function casesOf(folder: string): readonly Case[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.http'))
  return files.toSorted().map((file): Case => {
    const name = file.replace(/\.http$/, '')
    try {
      return { name, recording: readRecording(readFileSync(path.join(folder, file), 'utf8')) }
    } catch (error) {
      return { name, problem: `${file}:${error instanceof Error ? error.message : String(error)}` }
    }
  })
}

function readDeclared(folder: string): Declared {
  const file = path.join(folder, declaredName)
  if (!existsSync(file)) return nothing
  const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { missing = {}, empty = {}, ...more } = isFields(said) ? said : { no: 'object' }
  const { whole = {}, unpreviewed = {}, unverified = {}, ...others } = more
  const isKnown = Object.keys(others).length === 0 && isReasons(missing) && isReasons(empty)
  if (!isKnown || !isWhy(whole) || !isWhy(unpreviewed) || !isWhy(unverified))
    throw new Error(
      `${file}: it says { "missing": { endpoint: { kind: why } }, "empty": { endpoint: { "$.place": why } }, "whole": { endpoint: why }, "unpreviewed": { endpoint: why }, "unverified": { endpoint: why } }, and nothing else`,
    )
  return { missing, empty, whole, unpreviewed, unverified }
}

function isWhy(value: unknown): value is Why {
  return isFields(value) && Object.values(value).every(isReason)
}

function isReasons(value: unknown): value is Reasons {
  return isFields(value) && Object.values(value).every((by) => isFields(by) && Object.values(by).every(isReason))
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
