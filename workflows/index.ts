export { call } from './call.ts'
export { deliver } from './deliver.ts'
export { housekeeping } from './housekeeping.ts'
export { look } from './look.ts'
