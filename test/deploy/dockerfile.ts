import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The Dockerfile's instructions, each on one line. */
export function instructions(): readonly Instruction[] {
  const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return { name, rest }
    })
}

/** By name, in order. The last one is what `docker build` makes without a target. */
export function stages(): ReadonlyMap<string, readonly Instruction[]> {
  const found = new Map<string, Instruction[]>()
  let current: Instruction[] = []
  for (const instruction of instructions()) {
    if (instruction.name === 'FROM') {
      current = []
      found.set(/ AS (\w+)$/.exec(instruction.rest)?.[1] ?? '', current)
    }
    current.push(instruction)
  }
  return found
}

export function stageOf(name: string): readonly Instruction[] {
  const stage = stages().get(name)
  if (stage === undefined) throw new Error(`The Dockerfile has no stage ${name}`)
  return stage
}

/** The arguments of each line with which the image is prepared by Node. */
export function nodeRuns(stage: string): readonly (readonly string[])[] {
  return stageOf(stage).flatMap(({ name, rest }) =>
    name === 'RUN'
      ? rest
          .split(' && ')
          .filter((command) => command.startsWith('node '))
          .map((command) => command.split(' ').slice(1))
      : [],
  )
}

/** What the stage has from the checkout: its COPY lines. */
export function copiedPaths(stage: string): readonly string[] {
  return stageOf(stage)
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
}

/** What it has from other stages, by its place in both. */
export function takenPaths(stage: string): readonly { readonly from: string; readonly place: string }[] {
  return stageOf(stage).flatMap(({ name, rest }) => {
    const [, from, source, place] = /^--from=(\w+) \/callgate\/(\S+) (\S+)$/.exec(rest) ?? []
    if (name !== 'COPY' || from === undefined || place === undefined) return []
    if (source !== place) throw new Error(`${source} is ${place} in ${stage}`)
    return [{ from, place }]
  })
}
