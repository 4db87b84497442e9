import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listActivities, ownVariant, readActivity } from './activities.ts'
import { addDays, dayIn, daysBetween } from './clock.ts'
import { idOf } from './entities.ts'
import { answerFeedback, listFeedback, ownFeedback } from './feedback.ts'
import { invalid, known, readBody, readChoice, readDay, readSpan } from './input.ts'
import { insightsOf } from './insights.ts'
import { listMails } from './mails.ts'
import { listOrders, orderKey, ownOrder } from './orders.ts'
import { cut, readWish } from './paging.ts'
import { ordersOn, readSeats, seatsOf, setSeats } from './seats.ts'
import { need, ownSupplier, rightsOf } from './supplier.ts'
import { tariffSteps } from './tariffs.ts'
import { listThreads, messagesOf, ownThread } from './threads.ts'
import { activityOut, feedbackOut, insightOut, messageOut, orderFull, orderRow, threadOut } from './wire.ts'

function session(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  const { zone, cur, digits } = ownSupplier(request)
  const supplier = { code: account.account, label: account.label, zone, cur, digits, today: dayIn(zone, request.now) }
  const who = { fullName: account.person, role: account.kind, rights: rightsOf[account.kind] ?? [] }
  return json({ xt: csrf, who, supplier })
}

function orders(request: SignedIn): Reply {
  const { db, viewer, query, now } = request
  known(query, 'first', 'last', 'activity', 'state', 'size', 'after')
  const today = dayIn(ownSupplier(request).zone, now)
  const span = readSpan(query, { first: today, last: addDays(today, 7) })
  const filter = {
    ...span,
    activity: readActivity(request),
    state: readChoice(query, 'state', ['LIVE', 'VOID', 'ANY']),
  }
  const list = `orders ${JSON.stringify(filter)}`
  const wish = readWish(request, list)
  const found = listOrders(db, viewer.account.account, filter, wish)
  const { rows, after } = cut(request, list, found, wish, orderKey)
  return json({ ...span, items: rows.map(orderRow), after })
}

function order(request: SignedIn): Reply {
  known(request.query)
  return json(orderFull(ownOrder(request), ownSupplier(request)))
}

function activities(request: SignedIn): Reply {
  const { db, viewer, query, now } = request
  known(query, 'stage')
  const stage = readChoice(query, 'stage', ['ONLINE', 'OFFLINE', 'ANY'])
  const supplier = ownSupplier(request)
  const found = listActivities(db, viewer.account.account, stage)
  return json({ items: found.map((activity) => activityOut(db, activity, supplier, now)) })
}

function seats(request: SignedIn): Reply {
  const { db, query } = request
  known(query, 'first', 'last')
  const variant = ownVariant(request)
  const span = readSpan(query)
  if (daysBetween(span.first, span.last) > 365) throw invalid('SPAN_TOO_LONG', 'Ask for 366 days at most.', 'last')
  const { zone } = variant.activity
  return json({ variantId: idOf('variants', variant.serial), zone, calendar: seatsOf(db, variant, span) })
}

function changeSeats(request: SignedIn): Reply {
  need(request, 'seats')
  const { db, params } = request
  const variant = ownVariant(request)
  const day = params['day'] ?? ''
  const departures = setSeats(request, variant, day, readSeats(request.json))
  const variantId = idOf('variants', variant.serial)
  return json({ variantId, zone: variant.activity.zone, day, departures, orders: ordersOn(db, variant.serial, day) })
}

function tariff(request: SignedIn): Reply {
  known(request.query)
  const { serial } = ownVariant(request)
  const { cur, digits } = ownSupplier(request)
  return json({ variantId: idOf('variants', serial), cur, digits, steps: tariffSteps(request.db, serial) })
}

function threads(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, query } = request
  known(query, 'show', 'size', 'after')
  const show = readChoice(query, 'show', ['all', 'unseen'])
  const wish = readWish(request, `threads ${show}`)
  const found = listThreads(db, viewer.account.account, show === 'unseen', wish)
  const { rows, after } = cut(request, `threads ${show}`, found.threads, wish, ({ last }) => [found.asOf, last.serial])
  return json({ items: rows.map(threadOut), after })
}

function thread(request: SignedIn): Reply {
  need(request, 'guests')
  known(request.query)
  const found = ownThread(request)
  return json({ ...threadOut(found), messages: messagesOf(request.db, found.serial).map(messageOut) })
}

function feedback(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, query } = request
  known(query, 'activity', 'first', 'show', 'size', 'after')
  const since = readDay(query, 'first') ?? ''
  const openOnly = readChoice(query, 'show', ['all', 'open']) === 'open'
  const filter = { activity: readActivity(request), since, openOnly }
  const list = `feedback ${JSON.stringify(filter)}`
  const wish = readWish(request, list)
  const found = listFeedback(db, viewer.account.account, filter, wish)
  const { rows, after } = cut(request, list, found, wish, ({ serial }) => [serial])
  return json({ items: rows.map(feedbackOut), after })
}

function answer(request: SignedIn): Reply {
  need(request, 'guests')
  const found = ownFeedback(request)
  const { words } = readBody(request.json, 'words')
  return json(feedbackOut(answerFeedback(request, found, words)), 201)
}

function insights(request: SignedIn): Reply {
  need(request, 'insights')
  const { db, viewer, query } = request
  known(query, 'first', 'last', 'activity')
  const span = readSpan(query)
  const supplier = ownSupplier(request)
  const found = insightsOf(db, viewer.account.account, span, readActivity(request))
  return json({ ...span, items: found.map((insight) => insightOut(insight, supplier)) })
}

function outbox(request: SignedIn): Reply {
  const { db, viewer, query } = request
  known(query, 'size', 'after')
  const wish = readWish(request, 'outbox')
  const found = listMails(db, viewer.account.account, wish)
  const { rows, after } = cut(request, 'outbox', found, wish, ({ serial }) => [serial])
  const items = rows.map(({ serial, sent, ...mail }) => ({ mailId: idOf('mails', serial), ...mail, sentEpoch: sent }))
  return json({ items, after })
}

export const restRoutes: readonly Route[] = [
  free('GET /extranet/rest/session', session),
  data('GET /extranet/rest/orders', orders),
  data('GET /extranet/rest/orders/{id}', order),
  data('GET /extranet/rest/activities', activities),
  data('GET /extranet/rest/variants/{id}/seats', seats),
  data('PUT /extranet/rest/variants/{id}/seats/{day}', changeSeats),
  data('GET /extranet/rest/variants/{id}/tariff', tariff),
  data('GET /extranet/rest/threads', threads),
  data('GET /extranet/rest/threads/{id}', thread),
  data('GET /extranet/rest/feedback', feedback),
  data('POST /extranet/rest/feedback/{id}/answer', answer),
  data('GET /extranet/rest/insights', insights),
  data('GET /extranet/rest/outbox', outbox),
]
