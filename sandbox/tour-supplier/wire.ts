import type { DatabaseSync } from 'node:sqlite'
import { variantsOf } from './activities.ts'
import { dayIn } from './clock.ts'
import { idOf, type Activity, type Feedback, type Message, type Order } from './entities.ts'
import type { Supplier, Thread } from './entities.ts'
import type { Insight } from './insights.ts'
import { pricesOn } from './tariffs.ts'

export const sum = (minor: number, { cur, digits }: Supplier): { minor: number; cur: string; digits: number } => ({
  minor,
  cur,
  digits,
})

export const orderRow = (o: Order) => ({
  orderNo: idOf('orders', o.serial),
  activityId: idOf('activities', o.activity),
  variantId: idOf('variants', o.variant),
  day: o.day,
  start: o.start,
  zone: o.zone,
  state: o.state,
  pax: { adults: o.adults, children: o.children },
})

export const orderFull = (o: Order, supplier: Supplier) => ({
  ...orderRow(o),
  headline: o.headline,
  variantLabel: o.variantLabel,
  retail: sum(o.minor, supplier),
  leadGuest: { fullName: o.guest, lang: o.lang },
  placedEpoch: o.placed,
})

/** With the prices of today, on the activity's clocks. */
export function activityOut(db: DatabaseSync, a: Activity, { cur, digits }: Supplier, now: number) {
  const today = dayIn(a.zone, now)
  return {
    activityId: idOf('activities', a.serial),
    headline: a.headline,
    stage: a.stage,
    zone: a.zone,
    variants: variantsOf(db, a).map(({ serial, label }) => ({
      variantId: idOf('variants', serial),
      label,
      tariff: { ...pricesOn(db, serial, today), cur, digits },
    })),
  }
}

export const threadOut = (t: Thread) => ({
  threadId: idOf('threads', t.serial),
  orderNo: idOf('orders', t.booking),
  guest: t.guest,
  unseen: t.unseen,
  lastWords: t.last.words,
  lastEpoch: t.last.sent,
})

export const messageOut = (m: Message) => ({
  messageId: idOf('messages', m.serial),
  side: m.side,
  words: m.words,
  sentEpoch: m.sent,
})

export const feedbackOut = (f: Feedback) => ({
  feedbackId: idOf('feedback', f.serial),
  activityId: idOf('activities', f.activity),
  orderNo: idOf('orders', f.booking),
  guest: f.guest,
  stars: f.stars,
  words: f.words,
  day: f.day,
  answer: f.answer,
  answeredEpoch: f.answered,
})

export const insightOut = (i: Insight, supplier: Supplier) => ({
  activityId: idOf('activities', i.serial),
  headline: i.headline,
  metrics: { orders: i.sold, cancelled: i.void, guests: i.guests, views: i.views, gross: sum(i.minor, supplier) },
})
