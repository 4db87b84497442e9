import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import { idPlaces, textPlaces, textsAt } from './kinds.ts'

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

describe.each(apps)('the ids of $slug', ({ slug, endpoints }) => {
  const all = [...endpoints.values()]

  test('say of what kind of thing they are, in every input and output', () => {
    const silent = all.flatMap(({ name, inputSchema, outputSchema }) =>
      [...textPlaces(inputSchema), ...textPlaces(outputSchema)]
        .filter(({ path, kind }) => kind === undefined && /_(id|ids|number|reference)(\.\*)*$/.test(path.join('.')))
        .map(({ path }) => `${slug}.${name} ${path.join('.')}`),
    )
    expect(silent).toEqual([])
  })

  test('that an input takes are given out by another endpoint', () => {
    const given = new Set(all.flatMap(({ outputSchema }) => idPlaces(outputSchema).map(({ kind }) => kind)))
    const asked = all.flatMap(({ inputSchema }) => idPlaces(inputSchema).map(({ kind }) => kind))
    expect([...new Set(asked)].filter((kind) => !given.has(kind))).toEqual([])
  })

  test('are recorded in the examples nowhere but where their kind is said', () => {
    const kinds = new Map<string, string>()
    const silent: [string, string][] = []
    for (const { name, inputSchema, outputSchema } of all) {
      const { input, output } = exampleOf(slug, name, new Date()) ?? {}
      for (const [value, schema] of [
        [input, inputSchema],
        [output, outputSchema],
      ] as const)
        for (const { path, kind } of textPlaces(schema))
          for (const text of textsAt(value, path))
            if (kind === undefined) silent.push([`${name} ${path.join('.')}`, text])
            else kinds.set(text, kind)
    }
    expect(kinds.size).toBeGreaterThan(0)
    expect(silent.filter(([, text]) => kinds.has(text))).toEqual([])
  })
})
