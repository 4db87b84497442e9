import { stampedLists } from '../stamped.ts'

export const { listQuery, pageOf } = stampedLists({ size: 'per', stamp: 'stamp' })
