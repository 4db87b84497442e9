import { Stopped, longestRule } from '../runtime/outcome.ts'

/** An added connector did not do its part: it took too long or too much memory, tripped, or said what makes no sense. Operators read the message. */
export class ConnectorFailed extends Stopped {
  constructor(problem: string, cause?: unknown) {
    super({ kind: 'changed', rule: `the connector ${problem}`.slice(0, longestRule) }, cause)
    this.message = `the connector ${problem}`.slice(0, longestRule)
  }
}

/** A bundle that cannot be a connector; the message says why, for its author. */
export class BadBundle extends Error {}
