import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

test('what does not fit the inputs, is left out or is no matter of a read is a compile error that names it', async () => {
  const folder = path.join(root, 'test/connectors/.refused')
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: root })
  const output = await compiled.then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : ''),
  )
  const messages = output.split('\n').filter((line) => line.includes('error TS'))
  const wanted = [
    'The request line names {contact_id}, which is not among the required inputs',
    'The request line names {listing_id}, which is not among the required inputs',
    'A write cannot have a GET line',
    'A request line is \\"METHOD /path\\"',
    'The page line names {thread_id}, which is not among the required inputs',
    "Property 'label' is missing",
    "Property 'brief' is missing",
    `Type '"contact_id"' is not assignable to type '"listing_id"'`,
    "Property 'effect' is missing",
    "Property 'shownBy' is missing",
    "'effect' does not exist in type 'ReadSpec",
    "'shownBy' does not exist in type 'ReadSpec",
    "'confirm' does not exist in type 'ReadSpec",
    "Property 'things' is missing",
  ]
  expect(messages.length).toBe(wanted.length)
  for (const message of wanted) expect(output).toContain(message)
})
