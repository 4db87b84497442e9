import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { EvalFlags, JSException, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi'
import type { JSValueHandle, QuickJSOptions } from 'quickjs-wasi'

/** A connector right after loading: each call starts with a copy, so that no call sees another. */
export interface Image {
  readonly module: WebAssembly.Module
  readonly memory: Uint8Array
  readonly stackPointer: number
  readonly runtimePtr: number
  readonly contextPtr: number
  /** Handle of the function that calls the connector's functions. */
  readonly call: number
}

export interface Machine {
  readonly module: WebAssembly.Module
  /** The constant time of its clock: milliseconds since 1970. */
  readonly now: number
  /** Strings in, strings out; never throws. */
  readonly ask: (what: string, text: string) => string
}

/** Loads a bundle: its own declaration as JSON, and its image. */
export async function load(
  bundle: string,
  machine: Machine,
): Promise<{ readonly told: string; readonly image: Image }> {
  let known: ReadonlyMap<string, string> = inside
  const vm = await QuickJS.create({
    ...limits(machine.module, machine),
    moduleLoader: {
      normalize: (base, name) => (known.size > 0 && name.startsWith('.') ? new URL(name, base).href : name),
      load: (name) => {
        const source = known.get(name)
        if (source === undefined) throw new Error(`imports ${name.slice(0, 100)}: a bundle is one file`)
        return source
      },
    },
  })
  vm.setProp(vm.global, askName, vm.newFunction(askName, asking(vm, { ask: machine.ask })))
  const own = await evaluated(vm, inside.get(main) ?? '', main)
  known = new Map()
  const told = vm.callFunction(own.getProp('take'), vm.undefined, await evaluated(vm, bundle, 'bundle')).toString()
  const call = vm.exportHandle(own.getProp('call'))
  vm.runGC()
  const { memory, stackPointer, runtimePtr, contextPtr } = vm.snapshot()
  const end = memory.findLastIndex((byte) => byte !== 0) + 1
  const shared = new Uint8Array(new SharedArrayBuffer(end))
  shared.set(memory.subarray(0, end))
  return { told, image: { module: machine.module, memory: shared, stackPointer, runtimePtr, contextPtr, call } }
}

interface Asked {
  ask: Machine['ask']
  /** The last answer, in the memory of the isolate. */
  last?: JSValueHandle | undefined
}

interface Current extends Asked {
  now: number
}

/** An instance of an image for calls in sequence; `reset` restores its initial state after each. */
export class Replica {
  readonly #vm: QuickJS
  readonly #call: JSValueHandle
  readonly #nobody: JSValueHandle
  readonly #first: Uint8Array
  readonly #stackPointer: number
  readonly #current: Current

  private constructor(vm: QuickJS, image: Image, current: Current) {
    this.#vm = vm
    this.#current = current
    vm.registerHostCallback(askName, asking(vm, current))
    this.#call = vm.importHandle(image.call)
    this.#nobody = vm.undefined
    // Create the handles that calls use before taking the initial snapshot.
    const { memory, stackPointer } = vm.snapshot()
    this.#first = memory
    this.#stackPointer = stackPointer
  }

  static async of(image: Image): Promise<Replica> {
    const { module, call: _, ...snapshot } = image
    const current: Current = { now: 0, ask: () => '{"error":"TypeError"}' }
    return new Replica(await QuickJS.restore({ ...snapshot, extensions: [] }, limits(module, current)), image, current)
  }

  /** Calls a connector's function; returns the result as JSON. If it throws, drop the replica. */
  call(index: number, packed: string, { now, ask }: Omit<Machine, 'module'>): string {
    Object.assign(this.#current, { now, ask })
    const vm = this.#vm
    const answer = vm.callFunction(this.#call, this.#nobody, vm.newNumber(index), vm.newString(packed))
    if (!answer.isString) throw new Error('an answer that is no text')
    return answer.toString()
  }

  /** Restores the initial state. False: memory grew too large, so replace the replica soon. */
  reset(): boolean {
    // The handle's memory is overwritten below.
    this.#current.last = undefined
    const { memory, __stack_pointer: stackPointer } = this.#vm._getExports()
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(this.#first)
    bytes.fill(0, this.#first.length)
    stackPointer.value = this.#stackPointer
    return bytes.length <= this.#first.length + mostToKeep
  }
}

const mostToKeep = 8 * 1024 * 1024

/** The error of an isolate that failed as a whole. */
export function faultOf(error: unknown): string {
  if (!(error instanceof JSException)) return error instanceof Error ? error.message : 'not understood'
  const at = error.stack?.match(/\bbundle:\d+/g)?.join(' ')
  return [error.name, ': ', error.message, ...(at === undefined ? [] : [` (${at})`])].join('')
}

const askName = 'callgateHost'
/** The name that connectors see in errors: no path of the host. */
const named = (path: string): string => `callgate:///${path}`
const main = named('isolate/inside/main.ts')

/** Modules loaded before the connector. */
const inside: ReadonlyMap<string, string> = new Map(
  ['main', 'revive', 'host', 'text-encoder', 'intl', 'url']
    .map((name) => `isolate/inside/${name}.ts`)
    .concat('runtime/fault-path.ts')
    .map((path) => [named(path), stripTypeScriptTypes(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))]),
)

function limits(module: WebAssembly.Module, current: { readonly now: number }): QuickJSOptions {
  return {
    wasm: module,
    maxStackSize: MAX_STACK_SIZE,
    timezoneOffset: 0,
    wasi: (memory) => ({
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory.buffer).setBigUint64(at, BigInt(Math.trunc(current.now)) * 1_000_000n, true)
        return 0
      },
      // Not random: always zeros.
      random_get: (at: number, size: number) => {
        new Uint8Array(memory.buffer, at, size).fill(0)
        return 0
      },
      fd_write: () => noSystem,
      fd_close: () => noSystem,
      fd_fdstat_get: () => noSystem,
      fd_seek: () => noSystem,
    }),
  }
}

/** WASI's ENOSYS. */
const noSystem = 52

function asking(vm: QuickJS, current: Asked) {
  return (what?: JSValueHandle, text?: JSValueHandle): JSValueHandle => {
    const answer =
      what?.isString && text?.isString ? current.ask(what.toString(), text.toString()) : '{"error":"TypeError"}'
    // QuickJS copies the returned handle and frees the copy only.
    current.last?.dispose()
    current.last = vm.newString(answer)
    return current.last
  }
}

async function evaluated(vm: QuickJS, source: string, name: string): Promise<JSValueHandle> {
  const promise = vm.evalCode(source, name, EvalFlags.TYPE_MODULE)
  vm.executePendingJobs()
  const result = await vm.resolvePromise(promise)
  if ('error' in result) throw new JSException(result.error)
  return result.value
}
