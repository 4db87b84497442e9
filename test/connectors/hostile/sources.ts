import { cookieToken, formToken, headerToken, jsonToken } from '../../../connectors/kit/csrf.ts'
import type { Csrf } from '../../../connectors/kit/csrf.ts'
import type { Random } from './random.ts'
import { fieldNames, headerNames, texts } from './words.ts'

const js = (value: unknown): string => JSON.stringify(value)

/** Where a value that is put in when it is sent comes from and goes: a connector's `csrf`, one of its `volatile`. */
export function sourceOf(r: Random): string {
  const header = r.pick(r.chance(0.93) ? headerNames.slice(0, 6) : headerNames)
  const fills = r.chance(0.5) ? { field: r.pick(r.chance(0.93) ? fieldNames.slice(0, 10) : fieldNames) } : { header }
  const page = r.chance(0.9) ? r.pick(['/page/{id}', '/page/x', '/flip/x']) : r.pick(['/redir/x', '/none?x=1', '/../x'])
  const cookie = r.chance(0.8) ? 'XSRF-TOKEN' : r.pick(['sid', 'remember', 'late', 'none'])
  const token = r.pick<() => Csrf>([
    () =>
      formToken({ page, field: r.pick(['csrf', 'bcc', 'to', 'none']), ...(r.chance(0.5) && { form: { id: 'f' } }) }),
    () => headerToken({ page, meta: r.pick(['csrf', 'evil', 'none']), header }),
    () => jsonToken({ page, field: r.pick(['csrf', 'bcc', 'nr', 'none', '__proto__']), header }),
    () => cookieToken({ page, cookie, header }),
  ])()
  const find = r.pick([
    `(text) => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? 'none'`,
    `(text) => text`,
    `() => ${r.pick(texts.slice(3))}`,
    `() => '9999.00'`,
  ])
  return written({ ...token, fills }, find, r.chance(0.03))
}

/** A kit that finds tokens itself declares them as data; `always`: the author's function stands there, too. */
function written(token: Csrf, find: string, always = false): string {
  const isFunction = Object.values(token).some((value) => typeof value === 'function')
  return isFunction || always ? `{ ...${js(token)}, find: ${find} }` : js(token)
}

/** The token of the page's form, sent back as a field. */
export const benignSource = written(
  formToken({ page: '/page/{id}', field: 'csrf' }),
  `(text) => /name="csrf" value="([^"]*)"/.exec(text)[1]`,
)
