import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Image } from './engine.ts'
import { BadBundle } from './failed.ts'
import { withMemoryLimit } from './memory-limit.ts'
import { IsolateThread } from './thread-host.ts'

export interface LoadOptions {
  /** Memory limit in bytes for everything the connector holds during one call. Default 64 MiB. */
  readonly memoryBytes?: number
  /** Timeout for loading, in ms. Default 30,000. */
  readonly loadMs?: number
}

const longestBundle = 4 * 1024 * 1024

/** The connector's declaration as JSON, and its image right after loading. Throws `BadBundle`. */
export async function loadBundle(
  bundle: string,
  { memoryBytes = 64 * 1024 * 1024, loadMs = 30_000 }: LoadOptions = {},
): Promise<{ readonly told: string; readonly image: Image }> {
  if (bundle.length > longestBundle) throw new BadBundle('is larger than is taken')
  return loaded(bundle, await machine(memoryBytes), loadMs)
}

const machines = new Map<number, Promise<WebAssembly.Module>>()

/** QuickJS with a memory limit. Compiled once per limit. */
async function machine(memoryBytes: number): Promise<WebAssembly.Module> {
  const known = machines.get(memoryBytes) ?? compiled(memoryBytes)
  machines.set(memoryBytes, known)
  return known
}

async function compiled(memoryBytes: number): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  return WebAssembly.compile(withMemoryLimit(await readFile(file), memoryBytes))
}

/** On its own thread, so that loading blocks no other work. */
async function loaded(bundle: string, module: WebAssembly.Module, loadMs: number) {
  const thread = new IsolateThread()
  try {
    thread.give({ kind: 'load', bundle, module, now: Date.now() })
    const said = await thread.said(['loaded', 'failed'], loadMs)
    if (said === undefined) throw new BadBundle(`takes longer than ${loadMs} ms to begin, or more memory than there is`)
    if (said.kind === 'failed') throw new BadBundle(said.fault)
    if (said.kind !== 'loaded') throw new Error('a thread that says something else')
    return said
  } finally {
    thread.end()
  }
}
