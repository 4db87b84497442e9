import { stampedLists } from '../kit/stamped-lists.ts'

export const { listQuery, pageOf } = stampedLists({ size: 'per', stamp: 'stamp' })
