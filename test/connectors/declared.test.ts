import { expect, test } from 'vitest'
import { moneyKey } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App } from '../../connectors/registry.ts'
import { fieldsIn } from '../../connectors/runtime/schema-walk.ts'
import { undeclared } from '../../connectors/runtime/undeclared.ts'
import { ofVerify } from '../../connectors/runtime/undeclared-verify.ts'

const { all } = loadApps({ sandboxUrl: 'http://sandbox.example/' })

test.each(all.map((app) => [app.slug, app] as const))('%s declares what the program must know of it', (_slug, app) => {
  expect(undeclared(app)).toEqual([])
})

test.each([
  ['no read', { read: 'reply_to_contact' }],
  ['fills limit', { set: { limit: 1 } }],
  ['does not fill contact_id', { from: {} }],
  ['takes text, which is no input', { same: { body: 'text' } }],
  ['goes by sent, which', { since: 'sent' }],
  ['finds no such thing', { at: 'letters' }],
  ['any thing for the one', { same: {} }],
] as const)('how a write is looked for must be possible: %s', (problem, wrong) => {
  const app = all.find(({ slug }) => slug === 'property-advertising')
  const write = app?.endpoints.get('reply_to_contact')
  const verify = write?.verify
  if (!app || !write || !verify) throw new Error('nothing to try it with')
  expect(ofVerify(app, write)).toEqual([])
  expect(ofVerify(app, { ...write, verify: { ...verify, ...wrong } }).join()).toContain(problem)
})

test.each([
  ['by which it does not go', { words: 'text' }],
  ['does not matter in a preview', { before: { last_message: [null] } }],
  ['may have been before', { before: {} }],
  ["what the output's rating is", { output: { review_id: 'review_id' } }],
  ['which it does not tell', { output: { review_id: 'nowhere' } }],
] as const)('what proves a write must be possible: %s', (problem, wrong) => {
  const app = all.find(({ slug }) => slug === 'tour-supplier')
  const write = app?.endpoints.get('reply_to_review')
  const verify = write?.verify
  if (!app || !write || !verify?.proof) throw new Error('nothing to try it with')
  expect(ofVerify(app, { ...write, verify: { ...verify, proof: { ...verify.proof, ...wrong } } }).join()).toContain(
    problem,
  )
})

/** Fields that sound like money and are none, and why: by app and name, wherever the app has one of that name. */
const noMoney: Readonly<Record<string, string>> = {
  'camping-host nights_priced': 'a count of nights',
  'course-school discount': 'a percentage or an amount, as its text says',
  'digital-products affiliate_sales': 'a count of orders',
  'digital-products discount': 'a percentage or an amount, as its text says',
  'digital-products items': 'a count of copies',
  'fitness-studio price': 'an amount with its currency and period in one text',
  'invitations total_attending': 'a count of people',
  'invitations total_invited': 'a count of people',
  'invitations unsent_list_total': 'a count of guests',
  'pet-salon voided_card_transactions': 'a count of payments',
  'photo-gallery photos_total': 'a count of photos',
  'real-estate-analytics cap_rate': 'a percentage',
  'real-estate-analytics cash_on_cash': 'a percentage',
  'teacher-marketplace discount_percent': 'a percentage',
  'video-streaming completion_rate': 'a percentage',
  'video-streaming discount': 'a percentage or an amount, as its text says',
  'video-streaming total_watch_time': 'a time',
}

test.each(all.map((app) => [app.slug, app] as const))('%s says of every amount that it is money', (slug, app) => {
  const sounding = soundingLikeMoney(app).filter(({ name }) => noMoney[`${slug} ${name}`] === undefined)
  expect(sounding.filter(({ schema }) => !countsMoney(schema)).map(({ place }) => place)).toEqual([])
})

test('what is said to be no money is there, sounds like it, and is not declared as money', () => {
  const found = all.flatMap((app) =>
    soundingLikeMoney(app)
      .filter(({ schema }) => !countsMoney(schema))
      .map(({ name }) => `${app.slug} ${name}`),
  )
  expect(Object.keys(noMoney).filter((one) => !found.includes(one))).toEqual([])
})

const words =
  'amount|balance|budget|charge|cost|deposit|discount|due|earning|expense|fee|fine|fund|gross|income|money|mortgage|net|owed|paid|pay|payment|payout|price|pricing|profit|rate|refund|rent|revenue|salary|spent|subtotal|tax|tip|total|turnover|unpaid|vat|wage|cent|dollar|euro|pound'
const inName = new RegExp(`(^|_)(${words}|sale)s?(_|$)`)
const inText = new RegExp(`\\b(${words}|currency|currencie)s?\\b`, 'i')
/** How names end that say what is known of the money, not how much it is. */
const aboutMoney = /(^|_)(at|by|count|currency|date|day|id|method|name|note|number|on|status|type|url)$/

interface Amount {
  /** `send_invoice: input lines[].price` */
  readonly place: string
  /** `price` */
  readonly name: string
  readonly schema: Fields
}

/** Numbers whose name or description sounds like money, plain texts whose name does, and all decimal texts. */
function soundingLikeMoney({ endpoints }: App): Amount[] {
  return [...endpoints.values()].flatMap((endpoint) =>
    (['input', 'output'] as const)
      .flatMap((side) =>
        fieldsIn(endpoint[`${side}Schema`]).map(({ path, schema }) => ({
          place: `${endpoint.name}: ${side} ${path}`,
          name: path.slice(path.lastIndexOf('.') + 1),
          schema,
        })),
      )
      .filter(({ name, schema }) => {
        const says = inName.test(name) && !aboutMoney.test(name)
        if (hasNumber(schema)) return says || inText.test(descriptionOf(schema))
        return isDecimalText(schema) || (says && isPlainText(schema))
      }),
  )
}

function descriptionOf({ description }: Fields): string {
  return typeof description === 'string' ? description : ''
}

function hasNumber(schema: Fields): boolean {
  return schema['type'] === 'integer' || schema['type'] === 'number' || partsOf(schema).some(hasNumber)
}

/** A text that is `12.50`, by its pattern or by what is said of it. */
function isDecimalText(schema: Fields): boolean {
  const { type, pattern } = schema
  if (type !== 'string') return partsOf(schema).some(isDecimalText)
  if (typeof pattern !== 'string') return /\bdecimal\b/i.test(descriptionOf(schema))
  const accepted = new RegExp(pattern)
  return accepted.test('12.50') && !accepted.test('some')
}

/** A text of any content, such as `12.50`. */
function isPlainText(schema: Fields): boolean {
  const free = !['enum', 'const', 'format', 'x-callgate-kind'].some((key) => key in schema)
  return (schema['type'] === 'string' && free) || partsOf(schema).some(isPlainText)
}

/** Null or an amount is money, and so is a list of amounts. */
function countsMoney(schema: Fields): boolean {
  return moneyKey in schema || partsOf(schema).some(countsMoney)
}

function partsOf({ items, anyOf }: Fields): Fields[] {
  return [items, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])].filter(isFields)
}
