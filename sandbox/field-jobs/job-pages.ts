import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { all, text } from '../platform/rows.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { board } from './board.ts'
import { dayIn, dashed } from './clock.ts'
import { need, ownCompany } from './company.ts'
import { jobFull, listJobs, ownJob } from './jobs.ts'
import { key, root } from './layout.ts'
import { amount, formLines, formMoment, given, link, listPage, shown, time } from './page-helpers.ts'
import { addJob, manJob, moveJob } from './plan.ts'

export const options = (request: SignedIn, from: 'kinds' | 'crew' | 'entries', label = 'label'): Html[] =>
  all(request.db, `SELECT * FROM ${from} WHERE account = ? ORDER BY serial`, request.viewer.account.account).map(
    (row) => html`<option value="${text(row, 'uuid')}">${text(row, label)}</option>`,
  )

/** Three lines of the price book to fill in. */
export const lineFields = (request: SignedIn): Html[] =>
  [1, 2, 3].map(
    () =>
      html`<label
        ><select name="entry">
          ${options(request, 'entries')}
        </select>
        × <input name="qty" type="number" min="0" step="0.01" />
      </label>`,
  )

const windowFields = html`<label>From <input type="datetime-local" name="begins" required /></label>
  <label>to <input type="datetime-local" name="ends" required /></label>`

const desk = (request: SignedIn): Reply => {
  const { zone, door } = ownCompany(request)
  const body = html`<p>Clocks: ${zone}. Your page for enquiries: ${link(`/enquire/${door}`, 'ask for a visit')}.</p>`
  return shown(request, request.viewer.account.label, body)
}

const jobs = (request: SignedIn): Reply =>
  listPage(
    request,
    {
      title: 'Jobs',
      path: '/desk/jobs',
      heads: ['Begin', 'Kind', 'State', 'Customer', 'Site', 'Crew', 'Owing'],
      above: html`<p>${link('/desk/jobs/new', 'New job')}</p>`,
    },
    listJobs(request),
    (job) => [
      link(`/desk/jobs/${job.uuid}`, time(request, job.begins_at)),
      job.kind,
      job.state.label,
      job.customer.full_name,
      job.site,
      job.crew.map(({ full_name }) => full_name).join(', '),
      amount(request, job.owing_minor),
    ],
  )

function newJob(request: SignedIn): Reply {
  need(request, 'plan')
  const body = html`<form class="card" method="post" action="${root}/desk/jobs">
    ${key(request.viewer)}
    <label>Customer’s id <input name="customer" value="${request.query.get('customer')}" /></label>
    <label>or a new one: name <input name="full_name" dir="auto" /></label>
    <label>mobile <input name="mobile" /></label> <label>e-mail <input name="mail" type="email" /></label>
    <label
      >Kind
      <select name="kind">
        ${options(request, 'kinds')}
      </select></label
    >
    ${windowFields}
    <label>Site <input name="site" dir="auto" /></label>
    <label>Remarks <textarea name="remarks" dir="auto"></textarea></label>
    ${lineFields(request)}<button>Add</button>
  </form>`
  return shown(request, 'New job', body)
}

function submitJob(request: SignedIn): Reply {
  const { form } = request
  const { full_name, mobile, mail, ...rest } = given(form, 'begins', 'ends', 'entry', 'qty')
  const window = { begins_at: formMoment(request, 'begins'), ends_at: formMoment(request, 'ends') }
  const fresh = Object.fromEntries(
    Object.entries({ full_name, mobile, mail, site: rest['site'] }).filter(([, v]) => v !== undefined),
  )
  const who = full_name === undefined ? {} : { new_customer: fresh }
  const { uuid } = addJob(request, { ...rest, ...who, ...window, lines: formLines(form) })
  return seeOther(`${root}/desk/jobs/${uuid}`)
}

function job(request: SignedIn): Reply {
  need(request, 'jobs')
  const { viewer, db } = request
  const it = jobFull(db, ownJob(request))
  const action = `${root}/desk/jobs/${it.uuid}`
  const people = (name: string, list: Html[]): Html =>
    html`<label
      >${name === 'put_on' ? 'Put on' : 'Take off'}
      <select name="${name}">
        <option></option>
        ${list}
      </select></label
    >`
  const on = it.crew.map(({ uuid, full_name }) => html`<option value="${uuid}">${full_name}</option>`)
  const body = html`<p>${it.state.label}, ${time(request, it.begins_at)} to ${time(request, it.ends_at)}</p>
    <p dir="auto">${it.customer.full_name}, ${it.customer.mobile}, ${it.site}</p>
    <p class="text" dir="auto">${it.remarks}</p>
    ${table(
      ['What', 'Quantity', 'Each'],
      it.lines.map((line) => [line.label, line.qty, amount(request, line.each_minor)]),
    )}
    <p>
      ${amount(request, it.charge_minor)}, owing ${amount(request, it.owing_minor)}.
      ${it.bill && link(`/desk/bills/${it.bill}`, 'Bill')}
    </p>
    ${table(
      ['Received', 'Means', 'Amount', 'Reference'],
      it.receipts.map((r) => [time(request, r.received_at), r.means, amount(request, r.amount_minor), r.reference]),
    )}
    <form class="card" method="post" action="${action}/window">${key(viewer)}${windowFields}<button>Move</button></form>
    <form class="card" method="post" action="${action}/crew">
      ${key(viewer)} ${people('put_on', options(request, 'crew', 'full_name'))} ${people('take_off', on)}
      <button>Change crew</button>
    </form>
    <form class="card" method="post" action="${root}/desk/bills">
      ${key(viewer)}<input type="hidden" name="job" value="${it.uuid}" /><button>Raise bill</button>
    </form>`
  return shown(request, it.kind, body)
}

function submitWindow(request: SignedIn): Reply {
  const { uuid } = moveJob(request, { begins_at: formMoment(request, 'begins'), ends_at: formMoment(request, 'ends') })
  return seeOther(`${root}/desk/jobs/${uuid}`)
}

function submitCrew(request: SignedIn): Reply {
  const named = Object.entries(given(request.form)).map(([name, uuid]) => [name, [uuid]])
  const { uuid } = manJob(request, Object.fromEntries(named))
  return seeOther(`${root}/desk/jobs/${uuid}`)
}

function boardPage(request: SignedIn): Reply {
  const { query, now } = request
  if (!query.has('from_day')) query.set('from_day', dayIn(ownCompany(request).zone, now))
  const body = board(request).days.map(
    ({ day, lanes }) =>
      html`<h2>${dashed(day)}</h2>
        ${table(
          ['Who', 'Jobs', 'Off'],
          lanes.map(({ member, visits, off }) => [
            member.full_name,
            visits.map((v) => html`${link(`/desk/jobs/${v.job}`, time(request, v.begins_at))} ${v.kind}<br />`),
            off.map((o) => html`${time(request, o.begins_at)} to ${time(request, o.ends_at)} ${o.why}<br />`),
          ]),
        )}`,
  )
  return shown(request, 'Board', html`${body}`)
}

export const jobPages: readonly Route[] = [
  show('GET /desk', desk),
  show('GET /desk/jobs', jobs),
  submit('POST /desk/jobs', submitJob),
  show('GET /desk/jobs/new', newJob),
  show('GET /desk/jobs/{uuid}', job),
  submit('POST /desk/jobs/{uuid}/window', submitWindow),
  submit('POST /desk/jobs/{uuid}/crew', submitCrew),
  show('GET /desk/board', boardPage),
]
