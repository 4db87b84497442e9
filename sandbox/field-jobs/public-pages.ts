import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { one, run, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { toBill } from './bills.ts'
import { companyOf, nextSerial, toCompany, uuidOf, type Company } from './company.ts'
import { toEstimate, type Estimate } from './estimates.ts'
import { readMobile, readRequired } from './input.ts'
import { findJob, owingOf, type Job } from './jobs.ts'
import { layout, root } from './layout.ts'
import { insertLead } from './leads.ts'
import { settle } from './till.ts'

/** Pages for the company's customers, who never sign in. */

const shown = (title: string, body: Html, viewer?: AppRequest['viewer']): Reply =>
  page(
    layout({
      title,
      body: html`<h1>${title}</h1>
        ${body}`,
      viewer,
    }),
  )

const home = ({ viewer }: AppRequest): Reply =>
  shown('Torquen runs your day on the road', html`<p><a href="${root}/desk">To the desk</a></p>`, viewer)

function behind({ db, params }: AppRequest, table: 'companies' | 'estimates' | 'bills'): Row {
  const row = one(db, `SELECT * FROM ${table} WHERE door = ?`, params['door'] ?? '')
  if (!row) throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
  return row
}

const sum = ({ money, digits }: Company, minor: number): string => `${(minor / 10 ** digits).toFixed(digits)} ${money}`

function sentEstimate(request: AppRequest): Estimate {
  const estimate = toEstimate(behind(request, 'estimates'))
  if (estimate.stage === 'draft') throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
  return estimate
}

function estimatePage(request: AppRequest): Reply {
  const { stage, charge, account } = sentEstimate(request)
  const buttons = html`<form method="post">
    <button name="answer" value="accepted">Accept</button> <button name="answer" value="turned_down">Decline</button>
  </form>`
  const body = html`<p>${sum(companyOf(request.db, account), charge)}</p>
    ${stage === 'out' ? buttons : html`<p class="card">${stage === 'accepted' ? 'Accepted' : 'Declined'}. Thank you.</p>`}`
  return shown('Your estimate', body)
}

function answerEstimate(request: AppRequest): Reply {
  const { serial, uuid, stage, door } = sentEstimate(request)
  const answer = request.form.get('answer')
  if (answer !== 'accepted' && answer !== 'turned_down') {
    throw new Refusal(422, 'ANSWER_INVALID', 'Accept or decline.', 'answer')
  }
  if (stage !== 'out') throw new Refusal(409, 'ESTIMATE_ANSWERED', 'This estimate was answered already.')
  run(request.db, 'UPDATE estimates SET stage = ? WHERE serial = ?', answer, serial)
  request.effect('estimate.answer', { estimate: uuid, answer })
  return seeOther(`${root}/e/${door}`)
}

function sentBill(request: AppRequest): { door: string; job: Job; company: Company } {
  const { sent, door, job, account } = toBill(behind(request, 'bills'))
  if (sent === null) throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
  return { door, job: findJob(request.db, job), company: companyOf(request.db, account) }
}

function payPage(request: AppRequest): Reply {
  const { job, company } = sentBill(request)
  const owing = owingOf(job)
  const form = html`<form method="post"><button>Pay ${sum(company, owing)}</button></form>`
  return shown('Your bill', owing > 0 ? form : html`<p class="card">Paid. Thank you.</p>`)
}

function pay(request: AppRequest): Reply {
  const { db, now } = request
  const { job, door } = sentBill(request)
  const amount = owingOf(job)
  if (amount === 0) throw new Refusal(409, 'NOTHING_OWING', 'Nothing is left to pay.')
  settle(db, job, { amount, means: 'online', reference: '', received: now })
  request.effect('bill.pay', { job: job.uuid, amount_minor: amount })
  return seeOther(`${root}/pay/${door}`)
}

function enquiry(request: AppRequest): Reply {
  toCompany(behind(request, 'companies'))
  const body = html`${request.query.has('done') && html`<p class="card">Thank you, we will call you.</p>`}
    <form class="card narrow" method="post">
      <label>Your name <input name="caller" required dir="auto" /></label>
      <label>Telephone <input name="mobile" required /></label><button>Call me</button>
    </form>`
  return shown('Ask for a visit', body)
}

function enquire(request: AppRequest): Reply {
  const { db, form, now } = request
  const { account, door } = toCompany(behind(request, 'companies'))
  const caller = readRequired(form.get('caller') ?? undefined, 'caller', 120)
  const mobile = readMobile(readRequired(form.get('mobile') ?? undefined, 'mobile', 40), 'mobile')
  const serial = nextSerial(db, 'leads', account)
  const uuid = uuidOf('leads', serial)
  insertLead(db, account, {
    serial,
    uuid,
    stage: 'fresh',
    origin: 'Website',
    caller,
    mobile,
    cameIn: now,
    handler: null,
  })
  request.effect('lead.add', { lead: uuid, caller, mobile })
  return seeOther(`${root}/enquire/${door}?done=1`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /e/{door}', estimatePage),
  open('POST /e/{door}', answerEstimate),
  open('GET /pay/{door}', payPage),
  open('POST /pay/{door}', pay),
  open('GET /enquire/{door}', enquiry),
  open('POST /enquire/{door}', enquire),
]
