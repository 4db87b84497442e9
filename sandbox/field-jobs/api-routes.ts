import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addBill, billFull, listBills, ownBill, sendBill } from './bills.ts'
import { board } from './board.ts'
import { need, ownCompany, setup } from './company.ts'
import { listCustomers } from './customers.ts'
import { addEstimate, estimateFull, listEstimates, ownEstimate, sendEstimate } from './estimates.ts'
import { jobFull, listJobs, ownJob } from './jobs.ts'
import { listLeads } from './leads.ts'
import { listMessages } from './messages.ts'
import { addJob, manJob, moveJob } from './plan.ts'
import { addReceipt } from './till.ts'

/** The answer, with the currency that its minor units are of. */
const answer =
  (show: (request: SignedIn) => object, status = 200) =>
  (request: SignedIn): Reply => {
    const shown = show(request)
    const { money, digits } = ownCompany(request)
    return json({ ...shown, money: { code: money, digits } }, status)
  }

const oneJob = (request: SignedIn): object => {
  need(request, 'jobs')
  return jobFull(request.db, ownJob(request))
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/setup', (request) => json(setup(request))),
  data('GET /api/jobs', answer(listJobs)),
  data(
    'POST /api/jobs',
    answer((request) => addJob(request, request.json), 201),
  ),
  data('GET /api/jobs/{uuid}', answer(oneJob)),
  data(
    'PUT /api/jobs/{uuid}/window',
    answer((request) => moveJob(request, request.json)),
  ),
  data(
    'PATCH /api/jobs/{uuid}/crew',
    answer((request) => manJob(request, request.json)),
  ),
  data('GET /api/board', answer(board)),
  data('GET /api/leads', answer(listLeads)),
  data('GET /api/customers', answer(listCustomers)),
  data('GET /api/estimates', answer(listEstimates)),
  data(
    'POST /api/estimates',
    answer((request) => addEstimate(request, request.json), 201),
  ),
  data(
    'GET /api/estimates/{uuid}',
    answer((request) => estimateFull(request, ownEstimate(request))),
  ),
  data(
    'POST /api/estimates/{uuid}/send',
    answer((request) => sendEstimate(request, request.json)),
  ),
  data('GET /api/bills', answer(listBills)),
  data(
    'POST /api/bills',
    answer((request) => addBill(request, request.json), 201),
  ),
  data(
    'GET /api/bills/{uuid}',
    answer((request) => billFull(request, ownBill(request))),
  ),
  data(
    'POST /api/bills/{uuid}/send',
    answer((request) => sendBill(request, request.json)),
  ),
  data(
    'POST /api/receipts',
    answer((request) => addReceipt(request, request.json), 201),
  ),
  data('GET /api/messages', answer(listMessages)),
]
