import { inspect } from 'node:util'

/** A fault of our own, with its stack, for whoever runs the sandbox; clients never see it. */
export function report(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`)
}
