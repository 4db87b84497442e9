import { CallgateError } from '../schemas/errors.ts'

/** Before acceptance only: a call that was accepted never answers `unavailable`. */
export function unavailable(cause?: unknown): CallgateError {
  return new CallgateError('unavailable', { headers: { 'Retry-After': '5' }, cause })
}
