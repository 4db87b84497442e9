import { Refusal } from '../platform/types.ts'
import { day, id, list, object, oneOf, optional, preset, text, whole, type Parse } from './arguments.ts'
import { addPayment, findBill, insertBill, markBillSent, paymentsOf } from './bills.ts'
import { findEngagement } from './engagements.ts'
import { billNumber, manualMethods, type BillLine, type Instalment } from './entities.ts'
import { need } from './levels.ts'
import { addressOf, sendMail } from './mails.ts'
import { today } from './moments.ts'
import { operation, type Operation } from './operation.ts'
import { findPackage, studioOf } from './studio.ts'
import * as wire from './wire.ts'

const most = 100_000_000_000
const quantity = preset(1, whole(1, 1000))
const lines = list(object({ label: text(1, 200), quantity, unitMinor: whole(-most, most) }), 1, 50)
const packages = list(object({ packageId: id('Package'), quantity }), 1, 20)
const plan = list(object({ dueAt: day, minor: whole(1, most) }), 1, 12)

const currencyCode: Parse<string> = (value, name) => text(1, 3)(value, name).toUpperCase()

/** Each instalment later than the one before, all together the whole sum. */
function checkPlan(instalments: readonly Instalment[], total: number): void {
  if (instalments.length === 0) return
  for (const [index, { dueOn }] of instalments.entries()) {
    if (index > 0 && dueOn <= (instalments[index - 1]?.dueOn ?? '')) {
      throw new Refusal(422, 'PLAN_NOT_IN_ORDER', 'Each instalment must be due after the one before.', 'plan')
    }
  }
  if (instalments.reduce((sum, { minor }) => sum + minor, 0) !== total) {
    throw new Refusal(422, 'PLAN_DOES_NOT_ADD_UP', `The instalments must add up to ${total} (minor units).`, 'plan')
  }
}

export const billWrites = {
  DraftBill: operation(
    {
      engagementId: id('Engagement'),
      lines: optional(lines),
      packages: optional(packages),
      plan: optional(plan),
      currency: optional(currencyCode),
    },
    (request, given) => {
      const { db, viewer, now } = request
      need(viewer, 'money')
      const engagement = findEngagement(db, viewer, given.engagementId)
      if (given.currency !== undefined && given.currency !== engagement.currency) {
        throw new Refusal(409, 'CURRENCY_MISMATCH', `This engagement is billed in ${engagement.currency}.`, 'currency')
      }
      if (given.lines === undefined && given.packages === undefined) {
        throw new Refusal(422, 'NOTHING_TO_BILL', 'Give lines or packages, or both.', 'lines')
      }
      const all: BillLine[] = (given.packages ?? []).map((chosen) => {
        const { label, minor, currency } = findPackage(db, viewer.account, chosen.packageId)
        if (currency !== engagement.currency) {
          const message = `${label} is priced in ${currency}, this engagement is billed in ${engagement.currency}.`
          throw new Refusal(409, 'PACKAGE_CURRENCY', message, 'packages')
        }
        return { label, quantity: chosen.quantity, unit: minor }
      })
      for (const { label, quantity: times, unitMinor } of given.lines ?? []) {
        all.push({ label, quantity: times, unit: unitMinor })
      }
      const total = all.reduce((sum, line) => sum + line.quantity * line.unit, 0)
      if (total < 1 || total > most) {
        throw new Refusal(422, 'SUM_OUT_OF_BOUNDS', `The sum must be from 1 to ${most} (minor units).`, 'lines')
      }
      const instalments = (given.plan ?? []).map(({ dueAt, minor }) => ({ dueOn: dueAt, minor }))
      checkPlan(instalments, total)
      const bill = insertBill(db, viewer.account, {
        engagement: { id: engagement.id, headline: engagement.headline },
        currency: engagement.currency,
        lines: all,
        plan: instalments,
        raised: now,
        sent: undefined,
      })
      const sheet = wire.billSheet(bill, [], studioOf(viewer.account).zone)
      request.effect('bill.draft', sheet)
      return { draftBill: { bill: sheet } }
    },
  ),

  SendBill: operation({ id: id('Bill'), note: preset('', text(0, 2000)) }, (request, given) => {
    const { db, viewer, now } = request
    need(viewer, 'money')
    const { zone } = studioOf(viewer.account)
    const bill = markBillSent(db, findBill(db, viewer, given.id), now)
    const { person } = findEngagement(db, viewer, bill.engagement.id)
    const link = wire.linkTo(request.base, 'b', bill.id)
    const sent = sendMail(db, viewer.account, {
      recipient: addressOf(person),
      subject: `${viewer.account.label}: bill ${billNumber(bill.id)}`,
      text: given.note === '' ? link : `${given.note}\n\n${link}`,
      at: now,
    })
    const out = { bill: wire.billOut(bill, zone), mail: wire.mailOut(sent, zone) }
    request.effect('bill.send', { ...out, note: given.note })
    return { sendBill: { ...out, link } }
  }),

  LogPayment: operation(
    {
      billId: id('Bill'),
      minor: whole(1, most),
      currency: optional(currencyCode),
      method: preset('OTHER', oneOf(manualMethods)),
      receivedAt: optional(day),
      remark: preset('', text(0, 500)),
    },
    (request, given) => {
      const { db, viewer, now } = request
      need(viewer, 'money')
      const { zone } = studioOf(viewer.account)
      const before = findBill(db, viewer, given.billId)
      if (given.currency !== undefined && given.currency !== before.currency) {
        throw new Refusal(409, 'CURRENCY_MISMATCH', `This bill is in ${before.currency}.`, 'currency')
      }
      const receivedOn = given.receivedAt ?? today(now, zone)
      if (receivedOn > today(now, zone)) {
        throw new Refusal(422, 'PAYMENT_IN_FUTURE', 'A payment is logged once it was received.', 'receivedAt')
      }
      const { minor, method, remark } = given
      const { bill, payment } = addPayment(db, viewer.account, before, { minor, method, receivedOn, remark })
      const logged = wire.paymentOut(payment, bill.currency, zone)
      request.effect('payment.log', { ...logged, bill: wire.billOut(bill, zone) })
      return { logPayment: { payment: logged, bill: wire.billSheet(bill, paymentsOf(db, bill.id), zone) } }
    },
  ),
} as const satisfies Record<string, Operation>
