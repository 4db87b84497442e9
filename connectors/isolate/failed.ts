import { Stopped, longestRule } from '../runtime/outcome.ts'

/** An added connector exceeded a limit, threw, or returned nonsense. Operators read the message. */
export class ConnectorFailed extends Stopped {
  constructor(problem: string, cause?: unknown) {
    super({ kind: 'changed', rule: `the connector ${problem}`.slice(0, longestRule) }, cause)
    this.message = `the connector ${problem}`.slice(0, longestRule)
  }
}

/** A bundle that cannot be a connector; the message tells its author why. */
export class BadBundle extends Error {}
