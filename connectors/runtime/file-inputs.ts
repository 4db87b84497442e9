import { fileKey, fileTypes, largestFile, largestFiles, mostFiles } from '../kit/files.ts'
import type { FileOf, FileType } from '../kit/files.ts'
import type { EndpointDefinition } from '../kit/define.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { propertiesOf } from './schema-walk.ts'

/** An input that is a file's URL, or a list of them. */
export interface FileInput {
  readonly name: string
  readonly types: readonly FileType[]
  readonly maxBytes: number
}

/** A file of a call, and the path of its URL in the input: `photo`, `photos.1`. */
export interface CallFile extends FileOf {
  readonly place: string
  readonly address: string
}

/** A file's URL in a call's input. */
export interface FileAddress extends FileInput {
  readonly place: string
  readonly address: string
}

export function fileInputs(schema: object): readonly FileInput[] {
  return Object.entries(propertiesOf({ ...schema })).flatMap(([name, own]) => {
    const { types, maxBytes } = declared(own) ?? declared(own['items']) ?? {}
    return types === undefined || maxBytes === undefined ? [] : [{ name, types, maxBytes }]
  })
}

/** The file URLs in an input, in order. `input`: as `parseInput` returned it. */
export function fileAddresses(schema: object, input: Fields): readonly FileAddress[] {
  return fileInputs(schema).flatMap((one) => {
    const given = input[one.name]
    if (typeof given === 'string') return [{ ...one, place: one.name, address: given }]
    const list: readonly unknown[] = Array.isArray(given) ? given : []
    return list.flatMap((address, at) =>
      typeof address === 'string' ? [{ ...one, place: `${one.name}.${at}`, address }] : [],
    )
  })
}

/** The input with its files in place of their URLs. */
export function withFiles(input: Fields, files: readonly CallFile[]): Fields {
  if (files.length === 0) return input
  const at = new Map(files.map(({ place, sha256, name, type, size }) => [place, { sha256, name, type, size }]))
  const entries = Object.entries(input).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value)
      ? value.map((one: unknown, index) => at.get(`${name}.${index}`) ?? one)
      : (at.get(name) ?? value),
  ])
  return Object.fromEntries(entries)
}

/** What is wrong with the files that an endpoint takes; undefined: nothing. */
export function fileFault({ access, input, line }: EndpointDefinition): string | undefined {
  const all = marks(input)
  if (all === 0) return undefined
  const own = fileInputs(input)
  if (own.length < all) return 'takes a file where none is taken: only an input itself can be one, or a list of them'
  if (access !== 'write') return 'takes a file, and does not write'
  const inLine = own.find(({ name }) => line.names.includes(name))
  if (inLine) return `has the file ${inLine.name} in its request line`
  const unknown = own.flatMap(({ types }) => types).find((type) => !Object.hasOwn(fileTypes, type))
  if (unknown !== undefined) return `takes files of the type ${unknown}, which is not known by its bytes`
  const tooLarge = own.find(({ maxBytes }) => !Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > largestFile)
  if (tooLarge) return `takes ${tooLarge.name} of more than ${largestFile} bytes`
  const endless = own.find(({ name }) => most(input.properties[name]) === undefined)
  if (endless) return `takes a list of files without maxItems: ${endless.name}`
  const count = own.reduce((sum, { name }) => sum + (most(input.properties[name]) ?? 0), 0)
  return count > mostFiles ? `takes more than ${mostFiles} files` : undefined
}

/** Limit of all files of a call together, in bytes. */
export function mostBytes(addresses: readonly FileAddress[]): number {
  return Math.min(
    largestFiles,
    addresses.reduce((sum, { maxBytes }) => sum + maxBytes, 0),
  )
}

function most(schema: unknown): number | undefined {
  if (!isFields(schema) || schema['type'] !== 'array') return 1
  const { maxItems } = schema
  return typeof maxItems === 'number' ? maxItems : undefined
}

function declared(schema: unknown): Pick<FileInput, 'types' | 'maxBytes'> | undefined {
  const said = isFields(schema) ? schema[fileKey] : undefined
  if (!isFields(said)) return undefined
  const { types, maxBytes } = said
  if (!Array.isArray(types) || types.length === 0 || typeof maxBytes !== 'number') return undefined
  return { types: types as readonly FileType[], maxBytes }
}

/** How many file declarations a schema contains. */
function marks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, one]) => sum + (name === fileKey ? 1 : marks(one)), 0)
}
