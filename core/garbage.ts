import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects this thread's garbage and releases the memory: boot leaves tens of MB that V8 would keep
 * for half a minute. V8 exposes `gc` only to contexts created while the flag is set
 * (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  // The default flavor keeps emptied pages for reuse.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
