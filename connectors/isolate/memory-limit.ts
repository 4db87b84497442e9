const pageBytes = 65_536
const memorySection = 5

/**
 * The WebAssembly module with a maximum for its memory. QuickJS's own limit does not count
 * everything (typed array buffers, its stack); the WebAssembly runtime enforces this one.
 */
export function withMemoryLimit(wasm: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const most = Math.floor(maxBytes / pageBytes)
  for (let at = 8; at < wasm.length;) {
    const id = wasm[at]
    const size = number(wasm, at + 1)
    const end = size.next + size.value
    if (id === memorySection) {
      const count = number(wasm, size.next)
      const flags = number(wasm, count.next)
      const least = number(wasm, flags.next)
      if (count.value !== 1 || flags.value > 1) throw new Error('a module with another memory than expected')
      if (most < least.value) throw new Error(`an isolate takes at least ${least.value * pageBytes} bytes`)
      const content = [1, 1, ...bytes(least.value), ...bytes(most)]
      const section = [memorySection, ...bytes(content.length), ...content]
      return new Uint8Array([...wasm.subarray(0, at), ...section, ...wasm.subarray(end)])
    }
    at = end
  }
  throw new Error('a module without a memory of its own')
}

/** Decodes unsigned LEB128. */
function number(wasm: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let value = 0
  let at = from
  for (let shift = 0; ; shift += 7) {
    const byte = wasm[at++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, next: at }
  }
}

function bytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...bytes(value >>> 7)]
}
