import { number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { momentOut } from './clock.ts'
import { root } from './layout.ts'
import { known, readPage, type Page } from './paging.ts'
import { idOf, ownRow } from './tables.ts'

/** `12.50 EUR` */
export const priceWords = (cents: number, cur: string): string => `${(cents / 100).toFixed(2)} ${cur}`

/** The receipt, with the link to the files where the sale has some. */
export function receiptOf(
  sale: Row,
  lines: readonly Row[],
  shop: string,
  cur: string,
): { subject: string; words: string } {
  const goods = lines.map((line) => `${number(line, 'copies')} × ${text(line, 'label')}`)
  const files = lines.some(({ fetches }) => fetches !== null) ? [`Your files: ${root}/get/${text(sale, 'key')}`] : []
  const words = ['Thank you!', ...goods, `Total: ${priceWords(number(sale, 'total'), cur)}`, ...files].join('\n')
  return { subject: `Your receipt from ${shop}`, words }
}

export const letterOut = (row: Row) => ({
  letter_no: idOf('letters', number(row, 'serial')),
  sale_no: idOf('sales', number(row, 'sale')),
  recipient: text(row, 'recipient'),
  subject: text(row, 'subject'),
  words: text(row, 'words'),
  sent: momentOut(number(row, 'sent')),
})

/** What buyers were sent. */
export function listLetters(request: SignedIn): Page {
  const { query, viewer } = request
  known(query, ['sale_no', 'per', 'pageKey'])
  const sale = query.has('sale_no') ? number(ownRow(request, 'sales', query.get('sale_no'), 'sale_no'), 'serial') : 0
  const from = 'letters WHERE account = ?1 AND (?2 = 0 OR sale = ?2)'
  return readPage(request, 'letters', ['sale_no'], from, [viewer.account.account, sale])
}
