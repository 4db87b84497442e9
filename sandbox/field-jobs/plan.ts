import { all, count, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { need, nextSerial, ownCompany, uuidOf } from './company.ts'
import { addCustomer, customerOf, knownCustomer, type Customer } from './customers.ts'
import { chargeOf, invalid, readBody, readCrew, readLines, readText, readWindow } from './input.ts'
import type { Member, Window } from './input.ts'
import { crewOf, insertJob, jobFull, ownJob, putOn, type Job } from './jobs.ts'
import { anyWay, post, type Told } from './messages.ts'

type Planned = ReturnType<typeof jobFull> & { told: Told | null }

/** The company's own job kinds, by uuid or label, capitals alike. */
function readKind({ db, viewer }: SignedIn, value: unknown): string {
  const wanted = typeof value === 'string' ? value.toLowerCase() : ''
  const row = all(db, 'SELECT uuid, label FROM kinds WHERE account = ?', viewer.account.account).find(
    (kind) => kind['uuid'] === wanted || text(kind, 'label').toLowerCase() === wanted,
  )
  if (!row) throw invalid('KIND_UNKNOWN', 'kind must be one of your job kinds.', 'kind')
  return text(row, 'label')
}

function readCustomer(request: SignedIn, known: unknown, fresh: unknown): Customer {
  if ((known === undefined) === (fresh === undefined)) {
    throw invalid('CUSTOMER_REQUIRED', 'Give either customer or new_customer.', 'customer')
  }
  return known === undefined ? addCustomer(request, fresh) : knownCustomer(request, known)
}

/** Nobody works while they are off. */
function mustBeThere({ db }: SignedIn, people: readonly { serial: number }[], { begins, ends }: Window): void {
  for (const { serial } of people) {
    if (count(db, 'away WHERE person = ? AND begins < ? AND ends > ?', serial, ends, begins) > 0) {
      throw new Refusal(409, 'CREW_OFF', 'Somebody of the crew has time off then.', 'crew')
    }
  }
}

function tellCustomer(request: SignedIn, job: Job, words: string): Told | null {
  const told = anyWay(customerOf(request.db, job.customer))
  if (told) post(request, told, `${request.viewer.account.label}: ${words}`, job.uuid)
  return told
}

function tellCrew(request: SignedIn, job: Job, people: readonly Member[], words: string): void {
  for (const { name } of people)
    post(request, { via: 'push', to: name }, `${job.kind}, ${job.site}: ${words}`, job.uuid)
}

const windowText = (request: SignedIn, { begins, ends }: Window): string => {
  const { zone } = ownCompany(request)
  return `${clockIn(zone, begins)} to ${clockIn(zone, ends)} (${zone})`
}

/** A job for an old or a new customer; customer and crew hear of it. */
export function addJob(request: SignedIn, json: unknown): Planned {
  need(request, 'plan')
  const { db, viewer, now } = request
  const { account } = viewer.account
  const names = ['customer', 'new_customer', 'kind', 'begins_at', 'ends_at', 'site', 'remarks', 'crew', 'lines']
  const given = readBody(json, ...names)
  const window = readWindow(given, now)
  const kind = readKind(request, given['kind'])
  const crew = readCrew(request, given['crew'], 'crew')
  mustBeThere(request, crew, window)
  const lines = given['lines'] === undefined ? [] : readLines(request, given['lines'])
  const remarks = readText(given['remarks'], 'remarks', 4000)
  const site = readText(given['site'], 'site', 300)
  const customer = readCustomer(request, given['customer'], given['new_customer'])
  const serial = nextSerial(db, 'jobs', account)
  const job: Job = {
    serial,
    uuid: uuidOf('jobs', serial),
    account,
    customer: customer.serial,
    kind,
    state: 'filed',
    ...window,
    site: site === '' ? customer.site : site,
    remarks,
    lines,
    charge: chargeOf(lines),
    settled: 0,
  }
  insertJob(db, job, now)
  putOn(db, serial, crew)
  const told = tellCustomer(request, job, `we will come for ${kind}, ${windowText(request, window)}.`)
  tellCrew(request, job, crew, `you are on, ${windowText(request, window)}.`)
  const shown = { ...jobFull(db, job), told }
  request.effect('job.add', { ...shown, new_customer: given['new_customer'] !== undefined })
  return shown
}

function openJob(request: SignedIn): Job {
  need(request, 'plan')
  const job = ownJob(request)
  if (job.state === 'finished') throw new Refusal(409, 'JOB_FINISHED', 'This job is done.')
  if (job.state === 'called_off') throw new Refusal(409, 'JOB_CALLED_OFF', 'This job was called off.')
  return job
}

/** A new window; the customer and the crew hear of it. */
export function moveJob(request: SignedIn, json: unknown): Planned {
  const job = openJob(request)
  const { db, now } = request
  const window = readWindow(readBody(json, 'begins_at', 'ends_at'), now)
  if (window.begins === job.begins && window.ends === job.ends) {
    throw new Refusal(409, 'WINDOW_SAME', 'The job has this window already.', 'begins_at')
  }
  const crew = crewOf(db, job.serial)
  mustBeThere(request, crew, window)
  run(db, 'UPDATE jobs SET begins = ?, ends = ? WHERE serial = ?', window.begins, window.ends, job.serial)
  const moved = { ...job, ...window }
  const told = tellCustomer(request, moved, `new appointment for ${job.kind}: ${windowText(request, window)}.`)
  const members = crew.map(({ serial, uuid, full_name }) => ({ serial, uuid, name: full_name }))
  tellCrew(request, moved, members, `moved to ${windowText(request, window)}.`)
  request.effect('job.move', { job: job.uuid, begins_at: window.begins, ends_at: window.ends, told })
  return { ...jobFull(db, moved), told }
}

/** Puts people on a job and takes others off; they hear of it, the customer does not. */
export function manJob(request: SignedIn, json: unknown): ReturnType<typeof jobFull> {
  const job = openJob(request)
  const { db } = request
  const given = readBody(json, 'put_on', 'take_off')
  const puts = readCrew(request, given['put_on'], 'put_on')
  const takes = readCrew(request, given['take_off'], 'take_off')
  if (puts.length + takes.length === 0) throw invalid('NOTHING_TO_DO', 'Name somebody to put on or take off.', 'put_on')
  const now = new Set(crewOf(db, job.serial).map(({ serial }) => serial))
  for (const { serial } of takes) {
    if (!now.has(serial)) throw new Refusal(409, 'CREW_NOT_ON', 'Somebody is not on this job.', 'take_off')
  }
  for (const { serial } of puts) {
    if (now.has(serial)) throw new Refusal(409, 'CREW_ALREADY_ON', 'Somebody is on this job already.', 'put_on')
  }
  mustBeThere(request, puts, job)
  for (const { serial } of takes) run(db, 'DELETE FROM manned WHERE job = ? AND person = ?', job.serial, serial)
  putOn(db, job.serial, puts)
  tellCrew(request, job, puts, `you are on, ${windowText(request, job)}.`)
  tellCrew(request, job, takes, 'you are off this job.')
  const uuids = (people: Member[]): string[] => people.map(({ uuid }) => uuid)
  request.effect('job.crew', { job: job.uuid, put_on: uuids(puts), take_off: uuids(takes) })
  return jobFull(db, job)
}
