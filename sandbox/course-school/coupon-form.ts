import { Refusal, type SignedIn } from '../platform/types.ts'
import { hasPlan } from './coupons.ts'
import { productTypes, scopes, toId, words, type Coupon, type School } from './entities.ts'
import { ownedSchool } from './school.ts'
import { dayIn, readDay, showDay } from './times.ts'

type Wish = Omit<Coupon, 'id' | 'redeemed' | 'filed'>

const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

/** What a field holds; an empty one was not filled in. */
function filled(form: URLSearchParams, name: string): string | undefined {
  const value = (form.get(name) ?? '').trim()
  return value === '' ? undefined : value
}

function readCode(value: string | null): string {
  const code = words(value, 'code', 32).trim().toUpperCase()
  if (!/^[A-Z0-9_-]{3,}$/.test(code)) {
    throw invalid('CODE_INVALID', 'A code has 3 to 32 letters, digits, hyphens or underscores.', 'code')
  }
  return code
}

/** Hundredths or tenths out of `15.00`, `25.0`, `25`. */
function readDecimal(text: string, name: string, places: 1 | 2, high: number): number {
  const [, whole, fraction = ''] = new RegExp(`^(\\d{1,7})(?:\\.(\\d{1,${places}}))?$`).exec(text) ?? []
  const value = Number(`${whole}${fraction.padEnd(places, '0')}`)
  if (whole === undefined || value <= 0 || value > high) {
    const range = places === 1 ? '0.1 to 100.0' : '0.01 to 100000.00'
    throw invalid(`${name.toUpperCase()}_INVALID`, `${name} is a number from ${range}.`, name)
  }
  return value
}

function readReduction(form: URLSearchParams): Pick<Wish, 'tenths' | 'cents'> {
  const [percent, amount] = [filled(form, 'percent'), filled(form, 'amount')]
  if ((percent === undefined) === (amount === undefined)) {
    throw invalid('REDUCTION_REQUIRED', 'Give either percent or amount.', 'percent')
  }
  return percent === undefined
    ? { tenths: undefined, cents: readDecimal(amount ?? '', 'amount', 2, 10_000_000) }
    : { tenths: readDecimal(percent, 'percent', 1, 1000), cents: undefined }
}

function readScope({ db, form }: SignedIn, school: School): Pick<Wish, 'scope' | 'type' | 'plan'> {
  const scope = scopes.find((known) => known === (filled(form, 'scope') ?? 'everything'))
  if (scope === undefined) throw invalid('SCOPE_INVALID', `scope must be one of ${scopes.join(', ')}.`, 'scope')
  if (scope === 'type') {
    const type = productTypes.find((known) => known === filled(form, 'type'))
    if (type === undefined) throw invalid('TYPE_INVALID', `type must be one of ${productTypes.join(', ')}.`, 'type')
    return { scope, type, plan: undefined }
  }
  if (scope === 'everything') return { scope, type: undefined, plan: undefined }
  const plan = toId(filled(form, 'plan')) ?? 0
  if (!hasPlan(db, school, plan)) throw new Refusal(404, 'PLAN_NOT_FOUND', 'This school has no such plan.', 'plan')
  return { scope, type: undefined, plan }
}

function readEnd(form: URLSearchParams, today: string): string | undefined {
  const given = filled(form, 'ends')
  if (given === undefined) return undefined
  const day = readDay(given)
  if (day === undefined) throw invalid('ENDS_INVALID', 'ends is a day such as 31 Dec 2026.', 'ends')
  if (day < today) throw invalid('ENDS_IN_PAST', `The last day can be ${showDay(today)} at the earliest.`, 'ends')
  return day
}

function readStock(form: URLSearchParams): number | undefined {
  const given = filled(form, 'stock')
  if (given === undefined) return undefined
  const stock = Number(given)
  if (!/^\d{1,7}$/.test(given) || stock < 1 || stock > 1_000_000) {
    throw invalid('STOCK_INVALID', 'stock is a whole number from 1 to 1000000.', 'stock')
  }
  return stock
}

export function readCoupon(request: SignedIn): Wish {
  const { form, now } = request
  const school = ownedSchool(request)
  const code = readCode(form.get('code'))
  return {
    label: words(filled(form, 'label') ?? code, 'label', 120),
    code,
    ...readReduction(form),
    ...readScope(request, school),
    ends: readEnd(form, dayIn(school.zone, now)),
    stock: readStock(form),
  }
}
