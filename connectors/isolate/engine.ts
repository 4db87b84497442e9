import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { EvalFlags, JSException, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi'
import type { JSValueHandle, QuickJSOptions } from 'quickjs-wasi'

/** A connector as it was right after it was loaded: each call begins with a copy of it, so that none sees anything of another. */
export interface Image {
  readonly module: WebAssembly.Module
  readonly memory: Uint8Array
  readonly stackPointer: number
  readonly runtimePtr: number
  readonly contextPtr: number
  /** Where in it the function stands that calls the connector's. */
  readonly call: number
}

export interface Machine {
  readonly module: WebAssembly.Module
  /** What its clock says, always: milliseconds since 1970. */
  readonly now: number
  /** Texts in, texts out; it throws nothing. */
  readonly ask: (what: string, text: string) => string
}

/** Loads a bundle: what it says of itself, as JSON, and its image. */
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
  vm.setProp(vm.global, askName, vm.newFunction(askName, asking(vm, machine)))
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

/** A copy of an image that calls are made in, one after another: each finds it as it was when the connector had been loaded. */
export class Replica {
  readonly #vm: QuickJS
  readonly #call: JSValueHandle
  readonly #nobody: JSValueHandle
  readonly #first: Uint8Array
  readonly #stackPointer: number
  readonly #current: { now: number; ask: Machine['ask'] }

  private constructor(vm: QuickJS, image: Image, current: { now: number; ask: Machine['ask'] }) {
    this.#vm = vm
    this.#current = current
    vm.registerHostCallback(askName, asking(vm, current))
    this.#call = vm.importHandle(image.call)
    this.#nobody = vm.undefined
    // The handles that calls use are made before what each call begins with.
    const { memory, stackPointer } = vm.snapshot()
    this.#first = memory
    this.#stackPointer = stackPointer
  }

  static async of(image: Image): Promise<Replica> {
    const { module, call: _, ...snapshot } = image
    const current = { now: 0, ask: () => '{"error":"TypeError"}' }
    return new Replica(await QuickJS.restore({ ...snapshot, extensions: [] }, limits(module, current)), image, current)
  }

  /** Calls a function of the connector, by its number; what came of it, as JSON. After it threw, the replica is of no use. */
  call(index: number, packed: string, { now, ask }: Omit<Machine, 'module'>): string {
    Object.assign(this.#current, { now, ask })
    const vm = this.#vm
    const answer = vm.callFunction(this.#call, this.#nobody, vm.newNumber(index), vm.newString(packed))
    if (!answer.isString) throw new Error('an answer that is no text')
    return answer.toString()
  }

  /** Forgets the call. False: it took so much memory that a new one is cheaper. */
  reset(): boolean {
    const { memory, __stack_pointer: stackPointer } = this.#vm._getExports()
    if (memory.buffer.byteLength > this.#first.length + mostToClear) return false
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(this.#first)
    bytes.fill(0, this.#first.length)
    stackPointer.value = this.#stackPointer
    return true
  }
}

const mostToClear = 8 * 1024 * 1024

/** What an isolate could not say itself, since it failed as a whole. */
export function faultOf(error: unknown): string {
  if (!(error instanceof JSException)) return error instanceof Error ? error.message : 'not understood'
  const at = error.stack?.match(/\bbundle:\d+/g)?.join(' ')
  return [error.name, ': ', error.message, ...(at === undefined ? [] : [` (${at})`])].join('')
}

const askName = 'callgateHost'
/** As the connector may see it in an error: no path of this machine. */
const named = (path: string): string => `callgate:///${path}`
const main = named('isolate/inside/main.ts')

/** What is loaded before the connector. */
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
      // Made by nobody: always the same.
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

function asking(vm: QuickJS, current: Pick<Machine, 'ask'>) {
  return (what?: JSValueHandle, text?: JSValueHandle): JSValueHandle =>
    vm.newString(
      what?.isString && text?.isString ? current.ask(what.toString(), text.toString()) : '{"error":"TypeError"}',
    )
}

async function evaluated(vm: QuickJS, source: string, name: string): Promise<JSValueHandle> {
  const promise = vm.evalCode(source, name, EvalFlags.TYPE_MODULE)
  vm.executePendingJobs()
  const result = await vm.resolvePromise(promise)
  if ('error' in result) throw new JSException(result.error)
  return result.value
}
