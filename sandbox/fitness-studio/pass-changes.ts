import { run } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { ownClient } from './clients.ts'
import { shiftDay, usDay } from './clock.ts'
import { formFields, invalid, readChoice, readDay, readText } from './input.ts'
import { ownOffer, periodDays } from './offers.ts'
import { ownPass, setStandings, type Pass, type Standing } from './passes.ts'
import { conflict, needAdmin, nextSerial, ownStudio } from './studio.ts'

/** What a change of a pass led to, as it stands in the address of the page that follows. */
export type Outcome = Record<string, string>

function changing(request: SignedIn): { cid: string; client: number; pass: Pass; today: string } {
  needAdmin(request)
  const { serial } = ownClient(request, request.params['cid'])
  return {
    cid: `C${serial}`,
    client: serial,
    pass: ownPass(request, serial),
    today: ownStudio(request).today,
  }
}

const standing = (pass: Pass, verb: string): Error =>
  conflict('PASS_STANDING', `A pass that is ${pass.st} cannot be ${verb}.`)

export function hold(request: SignedIn): Outcome {
  const { cid, pass } = changing(request)
  formFields(request.form)
  if (pass.st !== 'OK') throw standing(pass, 'put on hold')
  setStandings(request, [{ pass: pass.serial, st: 'HOLD' }])
  request.effect('pass.hold', { Cid: cid, Pid: `P${pass.serial}` })
  return { done: 'hold', pid: `P${pass.serial}`, st: 'HOLD' }
}

/** At once from every standing that is not over; on a later day only what runs as it should. */
export function end(request: SignedIn): Outcome {
  const { cid, pass, today } = changing(request)
  const fields = formFields(request.form, 'On')
  const on = fields['On'] === undefined ? today : readDay(fields['On'], 'On')
  if (on < today) throw invalid('DAY_PASSED', 'On must not be over.', 'On')
  if (on > shiftDay(today, 730)) throw invalid('DAY_TOO_FAR', 'On may be 730 days ahead at most.', 'On')
  const later = on > today
  if (later ? pass.st !== 'OK' : pass.st === 'ENDED' || pass.st === 'USED') throw standing(pass, 'ended then')
  const st: Standing = later ? 'ENDING' : 'ENDED'
  setStandings(request, [{ pass: pass.serial, st, turn: later ? on : undefined }])
  request.effect('pass.end', { Cid: cid, Pid: `P${pass.serial}`, On: usDay(on) })
  return { done: 'end', pid: `P${pass.serial}`, st, on: usDay(on) }
}

export function swap(request: SignedIn): Outcome {
  const { cid, client, pass, today } = changing(request)
  const fields = formFields(request.form, 'Offer', 'When')
  const offer = ownOffer(request, readText(fields['Offer'], 'Offer', 20))
  const when = readChoice(fields['When'] ?? 'NOW', 'When', ['NOW', 'RENEWAL'])
  if (!pass.auto) throw conflict('PASS_NOT_AUTO', 'Only a pass that renews can be swapped.')
  if (!offer.auto) throw conflict('OFFER_NOT_AUTO', 'Only an offer that renews can be swapped into.', 'Offer')
  if (pass.st !== 'OK') throw standing(pass, 'swapped')
  if (offer.serial === pass.offer) throw conflict('OFFER_SAME', 'The pass is of this offer already.', 'Offer')
  const now = when === 'NOW' || pass.renews === undefined
  const first = now ? shiftDay(today, periodDays(offer.per)) : pass.renews
  const turn = now ? undefined : pass.renews
  const into = nextSerial(request, 'passes')
  const { account } = request.viewer.account
  run(request.db, 'INSERT INTO passes VALUES (?, ?, ?, ?, NULL)', into, account, client, offer.serial)
  const [st, next]: [Standing, Standing] = now ? ['ENDED', 'OK'] : ['ENDING', 'SOON']
  setStandings(request, [
    { pass: pass.serial, st, turn },
    { pass: into, st: next, renews: first, turn },
  ])
  request.effect('pass.swap', { Cid: cid, Pid: `P${pass.serial}`, Offer: `O${offer.serial}`, When: when })
  const on = usDay(now ? today : (pass.renews ?? today))
  return { done: 'swap', pid: `P${pass.serial}`, st, into: `P${into}`, intost: next, on }
}
