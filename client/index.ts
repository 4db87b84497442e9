export { Callgate } from './callgate.ts'
export type {
  Call,
  CallOptions,
  CallgateOptions,
  EndpointId,
  Endpoints,
  Input,
  Output,
  WaitOptions,
} from './callgate.ts'
export type { ErrorBody, ErrorCode, ErrorFields } from './errors.ts'
export { CallEndedError, CallgateError, OptionError } from './errors.ts'
export type { CallRecord, Connection } from './records.ts'
