export { Callgate } from './callgate.ts'
export type {
  Call,
  CallOptions,
  CallRecord,
  CallgateOptions,
  EndpointId,
  Input,
  Output,
  WaitOptions,
} from './callgate.ts'
export type { Endpoints } from './endpoints/index.ts'
export { CallEndedError, CallgateError, OptionError } from './errors.ts'
