import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { findGo } from '../../../local-services/temporal.ts'

/** The official registry of MCP servers, as the Go module that it is published as. */
const registry = 'github.com/modelcontextprotocol/registry@v1.8.9'
const sum = 'h1:2pYB31q/uSezVbXu+D+Hr3HMimGFspgS1RTMljm1bVI='

/** The JSON schema (draft 07) that the registry itself checks a server.json of that date with, out of Go's cache of modules. */
export async function registrySchema(date: string): Promise<Record<string, unknown>> {
  const go = findGo(process.env)
  if (!go)
    throw new Error('the schema of server.json comes with a Go module: install Go 1.21 or later (https://go.dev/dl)')
  // Away from the folders that have a go.mod of their own.
  const { stdout } = await promisify(execFile)(go, ['mod', 'download', '-json', registry], { cwd: tmpdir() })
  const module = JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string }
  if (module.Sum !== sum) throw new Error(`${registry} is another one than it was: ${module.Sum}`)
  const file = path.join(module.Dir, 'internal/validators/schemas', `${date}.json`)
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
}
