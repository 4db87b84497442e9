export { call } from './call.ts'
