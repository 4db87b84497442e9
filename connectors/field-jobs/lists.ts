import { stampedLists } from '../stamped.ts'

export const { listQuery, pageOf } = stampedLists({ size: 'per_page', stamp: 'snapshot' })
