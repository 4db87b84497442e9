import type { Detail } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'

/** The error that a client gets for an invalid input. */
export class InvalidInput extends CallgateError {
  readonly details: readonly Detail[]

  constructor(details: readonly Detail[]) {
    const told = details
      .map(({ path, message }) => (path === '' ? message : `${path} ${message}`).replace(/\.$/, ''))
      .join('; ')
    super('invalid_input', {
      message: ({ repeats }) => `Fix the fields named in details${repeats ? `: ${told}` : ''}.`,
      fields: { details },
    })
    this.details = details
  }
}

export function invalidInput(details: readonly Detail[]): InvalidInput {
  return new InvalidInput(details)
}
