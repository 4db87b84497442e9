export { call } from './call.ts'
export { housekeeping } from './housekeeping.ts'
