import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects what this thread has made and thrown away, and gives the room back: a start leaves tens of MB of it, which V8 would keep for half a
 * minute. V8 shows its collector to contexts that are made while this flag is set (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  // The usual flavor keeps the emptied pages for later.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
