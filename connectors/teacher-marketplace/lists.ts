import { stampedLists } from '../kit/stamped.ts'

export const { listQuery, pageOf } = stampedLists({ size: 'per', stamp: 'stamp' })
