import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listClients, ownClient } from './clients.ts'
import { hourText, shiftDay, usDay } from './clock.ts'
import { known, queryChoice, querySpan } from './input.ts'
import { priceText } from './money.ts'
import { blast } from './notices.ts'
import { listOffers } from './offers.ts'
import { passesOf, type Pass } from './passes.ts'
import { entriesIn, listSlots, missesIn, ownSlot, visitsOf, type Slot } from './slots.ts'
import { needAdmin, ownStudio } from './studio.ts'

const result = (value: unknown, status = 200): Reply => json({ Result: value }, status)

function whoami(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  const { zone, ccy } = ownStudio(request)
  return result({
    Chit: csrf,
    StudioNo: account.account,
    Studio: account.label,
    Staffer: account.person,
    Role: account.kind.toUpperCase(),
    Tz: zone,
    Ccy: ccy,
  })
}

const passOut = ({ serial, label, st, renews }: Pass): Record<string, unknown> => ({
  Pid: `P${serial}`,
  Label: label,
  St: st,
  Renews: renews === undefined ? null : usDay(renews),
})

function clients(request: SignedIn): Reply {
  known(request.query, 'Find', 'Standing', 'Per', 'Page', 'Stamp')
  const { rows, page, last, of, stamp } = listClients(request)
  const out = rows.map(({ client, passes }) => ({
    Cid: `C${client.serial}`,
    Full: client.full,
    Passes: passes.map(passOut),
  }))
  return result({ Clients: out, Page: page, Last: last, Of: of, Stamp: stamp })
}

function client(request: SignedIn): Reply {
  known(request.query)
  const { serial, full, mail, tel } = ownClient(request, request.params['cid'])
  return result({
    Cid: `C${serial}`,
    Full: full,
    Mail: mail,
    Tel: tel,
    Passes: passesOf(request, serial).map((pass) => ({
      ...passOut(pass),
      Offer: `O${pass.offer}`,
      Auto: pass.auto,
      Turn: pass.turn === undefined ? null : usDay(pass.turn),
      VisitsLeft: pass.left ?? null,
    })),
    Visits: visitsOf(request, serial).map(({ slot, title, day, st }) => ({
      Slot: `S${slot}`,
      Title: title,
      Day: usDay(day),
      St: st,
    })),
  })
}

const slotOut = (slot: Slot): Record<string, unknown> => ({
  Slot: `S${slot.serial}`,
  Series: `R${slot.series}`,
  Title: slot.title,
  Topic: slot.topic,
  Led: slot.coach,
  Day: usDay(slot.day),
  Hour: hourText(slot.minutes),
  Places: slot.places,
  Booked: slot.booked,
  Waiting: slot.waiting,
})

function slots(request: SignedIn): Reply {
  known(request.query, 'From', 'To')
  const span = querySpan(request.query, false)
  return result({ Tz: ownStudio(request).zone, Slots: listSlots(request, span).map(slotOut) })
}

function roster(request: SignedIn): Reply {
  known(request.query)
  const slot = ownSlot(request)
  const rows = entriesIn(request, slot.serial)
  const people = rows.map(({ client: serial, full, st }) => ({ Cid: `C${serial}`, Full: full, St: st }))
  return result({ ...slotOut(slot), Tz: ownStudio(request).zone, Off: slot.off, Roster: people })
}

function offers(request: SignedIn): Reply {
  known(request.query)
  const { ccy } = ownStudio(request)
  const rows = listOffers(request.db, request.viewer.account.account)
  return result({
    Offers: rows.map(({ serial, label, auto, fee, per, covers, entries }) => ({
      Offer: `O${serial}`,
      Label: label,
      Auto: auto,
      Fee: priceText(fee, ccy),
      Ccy: ccy,
      Per: per,
      Covers: covers,
      Visits: entries ?? null,
    })),
  })
}

/** The last day that the report knows of: it is made each midnight, of what is more than a day old. */
export const reportedTo = (today: string): string => shiftDay(today, -2)

function misses(request: SignedIn): Reply {
  needAdmin(request)
  known(request.query, 'From', 'To', 'Kind')
  const { from, to } = querySpan(request.query, true)
  const kind = queryChoice(request.query, 'Kind', ['NS', 'LC'])
  const upTo = reportedTo(ownStudio(request).today)
  const rows = missesIn(request, { from, to: to < upTo ? to : upTo }, kind)
  return result({
    UpTo: usDay(upTo),
    Misses: rows.map(({ client: serial, full, slot, title, day, st }) => ({
      Cid: `C${serial}`,
      Full: full,
      Slot: `S${slot}`,
      Title: title,
      Day: usDay(day),
      Kind: st,
    })),
  })
}

function newBlast(request: SignedIn): Reply {
  const { via, sent, skipped } = blast(request, request.json)
  return result({ Slot: request.params['slot'], Via: via, Sent: sent, Skipped: skipped }, 201)
}

export const svcRoutes: readonly Route[] = [
  free('GET /staff/svc/whoami', whoami),
  data('GET /staff/svc/clients', clients),
  data('GET /staff/svc/clients/{cid}', client),
  data('GET /staff/svc/slots', slots),
  data('GET /staff/svc/slots/{slot}', roster),
  data('GET /staff/svc/offers', offers),
  data('GET /staff/svc/misses', misses),
  data('POST /staff/svc/slots/{slot}/blast', newBlast),
]
