import { maybeText, number, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { listed, type Page } from './paging.ts'
import { needBusiness, parsed, resource, type Resource } from './things.ts'

/** In lower case and without accents: what names are found and sorted by. */
export const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export const guestShown = (row: Row): Resource =>
  resource('guests', number(row, 'serial'), {
    full: text(row, 'full'),
    mail: maybeText(row, 'mail') ?? null,
    cell: maybeText(row, 'cell') ?? null,
    labels: parsed<string>(row, 'labels'),
  })

/** A to Z. */
export function listGuests(request: SignedIn): Page {
  needBusiness(request)
  return listed(request, 'guests', ['find'], () => {
    const find = (request.query.get('find') ?? '').trim()
    if (Array.from(find).length > 200) {
      throw new Refusal(400, 'PARAMETER_INVALID', 'find has 200 characters at most.', 'find')
    }
    const digits = /^[\d\s()+./-]+$/.test(find) ? find.replaceAll(/\D/g, '') : ''
    return {
      sql: `SELECT * FROM guests WHERE account = :account AND serial <= :mark AND (instr(folded, :folded) > 0
        OR instr(lower(coalesce(mail, '')), :mail) > 0 OR (:digits <> '' AND instr(digits, :digits) > 0))`,
      order: 'folded, serial',
      values: { account: request.viewer.account.account, folded: fold(find), mail: find.toLowerCase(), digits },
      show: guestShown,
    }
  })
}
