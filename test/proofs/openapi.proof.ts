import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { openApiDocument } from '../../api/openapi/document.ts'
import { run } from '../client/run.ts'
import type { Ran } from '../client/run.ts'

// The document has 2 MB, and each client a thousand files.
vi.setConfig({ testTimeout: 900_000 })

const { CALLGATE_SPECTRAL: spectral = '', CALLGATE_GENERATOR: python = '', HOME } = process.env
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-openapi-'))
  const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })
  const document = openApiDocument({ apps, publicUrl: 'https://gate.example.com', today: new Date() })
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const shell = (command: string, args: readonly string[], cwd = folder): Promise<Ran> =>
  run(command, args, { cwd, env: { HOME, PYTHONPATH: cwd, PYTHONDONTWRITEBYTECODE: '1' } })

test('spectral finds no error in /openapi.json', async () => {
  await writeFile(path.join(folder, '.spectral.json'), '{ "extends": ["spectral:oas"] }')
  const { code, out } = await shell(spectral, [
    'lint',
    '--fail-severity',
    'error',
    '--display-only-failures',
    'openapi.json',
  ])
  expect([code, out]).toEqual([0, expect.stringContaining('No results')])
})

async function generated(language: 'go' | 'python'): Promise<string> {
  const program = 'from openapi_generator_cli import cli; cli()'
  const args = ['-c', program, 'generate', '-i', 'openapi.json', '-g', language, '-o', language]
  const { code, out } = await shell(python, args)
  expect(code, out.slice(-2_000)).toBe(0)
  return path.join(folder, language)
}

test('the Go client that openapi-generator makes of it compiles', async () => {
  const { code, out, err } = await shell('go', ['build', './...'], await generated('go'))
  expect([code, out, err.replaceAll(/^go: .*\n/gm, '')]).toEqual([0, '', ''])
})

test('its Python client can be imported, and knows the inputs', async () => {
  const program = `import importlib, pkgutil, openapi_client
for each in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(each.name)
made = openapi_client.PetSalonBookAppointmentInput(start="2026-11-27T10:00:00Z", client_id="c", service_ids=["s"])
print(made.to_json())`
  const { code, out, err } = await shell(python, ['-c', program], await generated('python'))
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual({ start: '2026-11-27T10:00:00Z', client_id: 'c', service_ids: ['s'] })
})
